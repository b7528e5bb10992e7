//! Casts between element types.

use super::emitter::Emitter;
use super::helper::Helper;
use super::integers::{cut, whole};
use super::range::Range;
use super::text::{Level, Text};
use super::types;
use super::value::Value;
use elements::ElementType;
use kernel::assumed::Assumed;

/// `float` represents all integers up to this magnitude.
const EXACT_IN_SINGLE: i128 = 1 << 24;

impl Emitter<'_> {
    /// Casts a value of type `from` to `to`.
    pub fn cast(&mut self, from: ElementType, to: ElementType, operand: Value) -> Value {
        if from == to {
            return operand;
        }
        match (from, to) {
            (_, ElementType::Bool) => self.cast_to_bool(from, &operand),
            _ if to.is_narrow_float() => self.cast_to_half(from, to, operand),
            (_, ElementType::F32) if from.is_narrow_float() => Value::opaque(single(from, &operand.text)),
            // `float` represents all narrow floats, so casting through it changes nothing.
            _ if from.is_narrow_float() => {
                let through = Value::opaque(single(from, &operand.text));
                self.cast(ElementType::F32, to, through)
            }
            (_, ElementType::F32 | ElementType::F64) => Value::opaque(Text::cast(types::name(to), &operand.text)),
            (ElementType::F32 | ElementType::F64, _) => {
                self.helpers.insert(Helper::Saturate(from, to));
                let text = Text::call(&format!("to_{}", to.name()), &[&operand.text]);
                let wide = to == ElementType::I64;
                Value { text, range: whole(to), wide }
            }
            _ => self.between_integers(from, to, operand),
        }
    }

    fn cast_to_bool(&mut self, from: ElementType, operand: &Value) -> Value {
        let (left, zero) = match from {
            _ if from.is_narrow_float() => (single(from, &operand.text), "0.0f"),
            ElementType::F32 => (operand.text.clone(), "0.0f"),
            ElementType::F64 => (operand.text.clone(), "0.0"),
            _ => (operand.text.clone(), "0"),
        };
        Value::opaque(Text::infix("!=", Level::Equality, &left, &Text::literal(zero)))
    }

    fn cast_to_half(&mut self, from: ElementType, to: ElementType, operand: Value) -> Value {
        let single = match from {
            ElementType::F32 => operand.text,
            _ if from.is_narrow_float() => single(from, &operand.text),
            ElementType::F64 => self.round_to_odd(&operand.text),
            // Integers that `float` rounds exceed the largest value of the type, whichever way they are rounded.
            _ if to.float_format().is_some_and(|format| format.largest() < EXACT_IN_SINGLE as f64) => {
                Text::cast("float", &operand.text)
            }
            _ => self.integer_for_half(from, operand),
        };
        self.half(to, &single)
    }

    /// The bits of a float as an integer, or the reverse.
    pub fn bit_cast(&mut self, from: ElementType, to: ElementType, operand: Value) -> Value {
        self.use_type(from);
        self.use_type(to);
        self.helpers.insert(Helper::BitCast);
        // A narrow integer may be an `int` in C++.
        let operand = if from.is_integer() { Text::cast(types::name(from), &operand.text) } else { operand.text };
        let text = Text::call(&format!("same_bits<{}>", types::name(to)), &[&operand]);
        if to.is_integer() { Value { text, range: whole(to), wide: false } } else { Value::opaque(text) }
    }

    /// An integer as a float that rounds to the same narrow float as the integer itself.
    fn integer_for_half(&mut self, from: ElementType, operand: Value) -> Text {
        let is_exact =
            from == ElementType::Bool || from.bits() < 32 || operand.range.within(-EXACT_IN_SINGLE, EXACT_IN_SINGLE);
        if is_exact {
            return Text::cast("float", &operand.text);
        }
        let double = match from {
            ElementType::I64 if operand.wide => self.integer_to_odd(from, &operand.text),
            ElementType::U64 => self.integer_to_odd(from, &operand.text),
            _ => Text::cast("double", &operand.text),
        };
        self.round_to_odd(&double)
    }

    fn integer_to_odd(&mut self, from: ElementType, operand: &Text) -> Text {
        self.helpers.insert(Helper::RoundToOdd(from));
        Text::call("round_to_odd", &[operand])
    }

    fn round_to_odd(&mut self, operand: &Text) -> Text {
        self.helpers.insert(Helper::RoundToOdd(ElementType::F64));
        Text::call("round_to_odd", &[operand])
    }

    /// Rounds a float to a narrow type.
    pub fn half(&mut self, to: ElementType, single: &Text) -> Value {
        self.use_type(to);
        Value::opaque(Text::cast(types::name(to), single))
    }

    /// Adds the declaration of a type if it needs one.
    pub fn use_type(&mut self, element: ElementType) {
        if element.definition().cuda_declaration.is_some() {
            self.helpers.insert(Helper::Declaration(element));
        }
    }

    fn between_integers(&mut self, from: ElementType, to: ElementType, operand: Value) -> Value {
        let own = match from {
            ElementType::Bool => Range::between(0, 1),
            _ => cut(operand.range.clone(), from),
        };
        let (low, high) = types::limits(to);
        let keeps_value = own.within(low, high);
        let range = if keeps_value { own } else { whole(to) };
        // In C++ the operand is an `int`, or is promoted to one.
        let is_int = from.bits() < 32 || from == ElementType::I32 || from == ElementType::I64 && !operand.wide;
        if to == ElementType::I64 {
            // A narrower value is no index and does not become one.
            let fits_int = is_int || range.within(i128::from(i32::MIN), i128::from(i32::MAX));
            let text = match (is_int, fits_int) {
                (true, _) => operand.text,
                (false, true) => Text::cast("int", &operand.text),
                (false, false) => Text::cast("long long", &operand.text),
            };
            return Value { text, range, wide: !fits_int };
        }
        let text = if to == ElementType::I32 && is_int && from != ElementType::Bool {
            operand.text
        } else {
            Text::cast(types::name(to), &operand.text)
        };
        Value { text, range: Range { assumed: Assumed::default(), ..range }, wide: false }
    }
}

/// Widens a narrow float to `float`.
pub(super) fn single(from: ElementType, operand: &Text) -> Text {
    if from.is_narrow_float() { Text::cast("float", operand) } else { operand.clone() }
}
