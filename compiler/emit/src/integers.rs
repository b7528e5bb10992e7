//! Operators of integers, without undefined behaviour by overflow in C++.
//!
//! An operation whose exact result always fits the type is written as an operator. Any other one has to wrap, which
//! only unsigned arithmetic does in C++; helper functions do that. Types narrower than 32 bits are computed in `int`,
//! in which their sums, differences and products are exact, and then truncated.

use super::emitter::Emitter;
use super::helper::Helper;
use super::range::Range;
use super::text::{Level, Text};
use super::types;
use super::value::Value;
use dims::Interval;
use elements::ElementType;
use kernel::intervals::Arithmetic;
use kernel::typed::{BinaryOp, MathFunction};

/// An operator on a type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    pub operation: BinaryOp,
    pub element: ElementType,
    /// Whether it is part of an index, which is proven to fit 64 bits.
    pub is_index: bool,
}

impl Emitter<'_> {
    /// Emits an operator of two integers of the same type.
    pub fn binary(&mut self, meaning: Meaning, left: Value, right: Value) -> Value {
        if let Some(truth) = truth(meaning.operation, &left.text, &right.text) {
            return truth;
        }
        match meaning.operation {
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => self.ring(meaning, left, right),
            BinaryOp::Divide | BinaryOp::Remainder => self.quotient(meaning, left, right),
            BinaryOp::FloorDivide | BinaryOp::FloorRemainder => self.floor_quotient(meaning, left, right),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => self.shift(meaning, &left, &right),
            _ => self.bitwise(meaning, &left, &right),
        }
    }

    /// The range of an operator in unbounded arithmetic.
    fn exact(&self, Meaning { operation, element, .. }: Meaning, left: &Value, right: &Value) -> Range {
        let arithmetic = Arithmetic::Binary(operation, &left.range, &right.range);
        Range::of_arithmetic(&arithmetic, element, &self.kernel.facts)
    }

    /// Emits `+`, `-` and `*`.
    fn ring(&mut self, meaning: Meaning, left: Value, right: Value) -> Value {
        let Meaning { operation, element, is_index } = meaning;
        if let Some(value) = identity(operation, element, &left, &right) {
            return value;
        }
        let negative = right.range.point().and_then(i128::checked_neg).and_then(|value| i64::try_from(value).ok());
        match (operation, element, negative) {
            // `a - 4` and `-a` are clearer than `a + -4` and `a * -1`.
            (BinaryOp::Add, ElementType::I64, Some(value)) if value > 0 => {
                let meaning = Meaning { operation: BinaryOp::Subtract, ..meaning };
                return self.ring(meaning, left, Value::integer(element, value));
            }
            (BinaryOp::Multiply, ElementType::I64, Some(1)) => return self.negate(element, left, is_index),
            _ => {}
        }
        let exact = self.exact(meaning, &left, &right);
        let (operator, level) = sign(operation);
        let (low, high) = types::limits(element);
        if element == ElementType::I64 {
            let fits_int = self.fits_int(&exact);
            let fits = fits_int || exact.within(low, high) || is_index && self.fits_long(&exact);
            if fits {
                return self.plain(operator, level, left, right, exact, fits_int);
            }
        } else if exact.within(low, high) {
            let text = Text::infix(operator, level, &left.text, &right.text);
            return Value { text, range: exact, wide: false };
        }
        self.wrapping(operation, element, left, right)
    }

    /// Emits an operator of two `i64` whose result fits.
    fn plain(
        &mut self,
        operator: &str,
        level: Level,
        left: Value,
        right: Value,
        exact: Range,
        fits_int: bool,
    ) -> Value {
        let wide = left.wide || right.wide || !fits_int;
        // One 64-bit operand makes C++ widen the other one.
        let left_text = if wide && !left.wide && !right.wide { left.widened() } else { left.text };
        let text = match right.text.negated().filter(|_| operator == "+") {
            // `a - n` is clearer than `a + -n`.
            Some(subtracted) => Text::infix("-", level, &left_text, &subtracted),
            None => Text::infix(operator, level, &left_text, &right.text),
        };
        Value { text, range: cut(exact, ElementType::I64), wide }
    }

    /// Emits `+`, `-` or `*` that may wrap.
    fn wrapping(&mut self, operation: BinaryOp, element: ElementType, left: Value, right: Value) -> Value {
        let (operator, level) = sign(operation);
        let range = whole(element);
        let text = match element {
            ElementType::U32 | ElementType::U64 => Text::infix(operator, level, &left.text, &right.text),
            ElementType::I32 | ElementType::I64 => {
                let (helper, name) = match operation {
                    BinaryOp::Add => (Helper::WrappingAdd(element), "wrapping_add"),
                    BinaryOp::Subtract => (Helper::WrappingSubtract(element), "wrapping_subtract"),
                    _ => (Helper::WrappingMultiply(element), "wrapping_multiply"),
                };
                self.helpers.insert(helper);
                let (left, right) = (argument(element, &left), argument(element, &right));
                Text::call(name, &[&left, &right])
            }
            _ => {
                // The product of two u16 is the one that `int` cannot hold.
                let left = if element == ElementType::U16 && operation == BinaryOp::Multiply {
                    Text::cast("unsigned int", &left.text)
                } else {
                    left.text
                };
                Text::cast(types::name(element), &Text::infix(operator, level, &left, &right.text))
            }
        };
        Value { text, range, wide: element == ElementType::I64 }
    }

    /// Emits `/` and `%` of element types.
    fn quotient(&mut self, meaning: Meaning, left: Value, right: Value) -> Value {
        let Meaning { operation, element, .. } = meaning;
        let is_quotient = operation == BinaryOp::Divide;
        let (operator, level) = (if is_quotient { "/" } else { "%" }, Level::Product);
        let range = self.exact(meaning, &left, &right);
        // A divisor of known sign is not zero, and a positive one is not −1.
        let is_safe = right.range.at_least(1) || right.range.numbers.hi.is_some_and(|high| high < -1);
        let wide = element == ElementType::I64 && (left.wide || right.wide || !is_safe);
        let text = if is_safe {
            Text::infix(operator, level, &left.text, &right.text)
        } else {
            let worker = types::promoted(element);
            let (helper, name) = if is_quotient {
                (Helper::Divide(worker), "divide")
            } else {
                (Helper::Remainder(worker), "truncating_remainder")
            };
            self.helpers.insert(helper);
            let (left, right) = (argument(worker, &left), argument(worker, &right));
            Text::call(name, &[&left, &right])
        };
        // The quotient −128 / −1 is the only one that overflows a narrow type.
        let is_narrow = element.bits() < 32;
        let text = if is_narrow && is_quotient && element.is_signed() && !is_safe {
            Text::cast(types::name(element), &text)
        } else {
            text
        };
        Value { text, range: cut(range, element), wide }
    }

    /// Emits `/` and `%` of indices, which round down.
    fn floor_quotient(&mut self, meaning: Meaning, left: Value, right: Value) -> Value {
        let is_quotient = meaning.operation == BinaryOp::FloorDivide;
        if right.range.point() == Some(1) {
            return if is_quotient { left } else { Value::integer(ElementType::I64, 0) };
        }
        let range = self.exact(meaning, &left, &right);
        let wide = left.wide || right.wide;
        let text = if left.range.at_least(0) && right.range.at_least(1) {
            let operator = if is_quotient { "/" } else { "%" };
            Text::infix(operator, Level::Product, &left.text, &right.text)
        } else {
            let worker = if wide { ElementType::I64 } else { ElementType::I32 };
            let (helper, name) = if is_quotient {
                (Helper::FloorDivide(worker), "floor_divide")
            } else {
                (Helper::FloorRemainder(worker), "floor_remainder")
            };
            self.helpers.insert(helper);
            let (left, right) = (argument(worker, &left), argument(worker, &right));
            Text::call(name, &[&left, &right])
        };
        Value { text, range: cut(range, ElementType::I64), wide }
    }

    /// Emits `^`, `&` and `|`, also of `bool`.
    fn bitwise(&mut self, meaning: Meaning, left: &Value, right: &Value) -> Value {
        let Meaning { operation, element, .. } = meaning;
        if element == ElementType::Bool {
            let text = match operation {
                BinaryOp::BitXor => Text::infix("!=", Level::Equality, &left.text, &right.text),
                BinaryOp::BitAnd => Text::infix("&", Level::BitAnd, &left.text, &right.text),
                _ => Text::infix("|", Level::BitOr, &left.text, &right.text),
            };
            return Value::opaque(text);
        }
        let (operator, level) = match operation {
            BinaryOp::BitXor => ("^", Level::BitXor),
            BinaryOp::BitAnd => ("&", Level::BitAnd),
            _ => ("|", Level::BitOr),
        };
        let range = cut(self.exact(meaning, left, right), element);
        let text = Text::infix(operator, level, &left.text, &right.text);
        Value { text, range, wide: left.wide || right.wide }
    }

    /// Emits `<<` and `>>`; the distance is taken modulo the width of the type.
    fn shift(&mut self, meaning: Meaning, left: &Value, right: &Value) -> Value {
        let Meaning { operation, element, .. } = meaning;
        let bits = element.bits();
        let known = right.range.point().map(|amount| amount.rem_euclid(i128::from(bits)));
        let amount = match known {
            Some(amount) => Text::literal(amount.to_string()),
            None if right.range.within(0, i128::from(bits) - 1) => right.text.clone(),
            None => {
                let last = Text::literal((bits - 1).to_string());
                Text::infix("&", Level::BitAnd, &right.text, &last)
            }
        };
        if operation == BinaryOp::ShiftRight {
            return self.shift_right(meaning, [left, right], &amount, known);
        }
        let (low, high) = types::limits(element);
        let is_within = known.is_some() || right.range.within(0, i128::from(bits) - 1);
        let exact = is_within.then(|| self.exact(meaning, left, right));
        if let Some(exact) = exact.filter(|exact| exact.within(low, high) && left.range.at_least(0)) {
            let fits_int = element != ElementType::I64 || self.fits_int(&exact);
            // An `int` that represents an `i64` cannot be shifted by more than 31, not even zero.
            let is_short = is_short(right, known);
            let wide = element == ElementType::I64 && (left.wide || !fits_int || !is_short);
            let operand = if wide { left.widened() } else { left.text.clone() };
            let text = Text::infix("<<", Level::Shift, &operand, &amount);
            return Value { text, range: exact, wide };
        }
        let text = match element {
            ElementType::U32 | ElementType::U64 => Text::infix("<<", Level::Shift, &left.text, &amount),
            ElementType::U8 | ElementType::U16 => {
                let shifted = Text::infix("<<", Level::Shift, &left.text, &amount);
                Text::cast(types::name(element), &shifted)
            }
            _ => {
                let worker = types::promoted(element);
                self.helpers.insert(Helper::ShiftLeft(worker));
                let amount = if right.wide && known.is_none() { Text::cast("int", &amount) } else { amount };
                let shifted = Text::call("shift_left", &[&argument(worker, left), &amount]);
                if element.bits() < 32 { Text::cast(types::name(element), &shifted) } else { shifted }
            }
        };
        Value { text, range: whole(element), wide: element == ElementType::I64 }
    }

    fn shift_right(
        &mut self,
        meaning: Meaning,
        [left, right]: [&Value; 2],
        amount: &Text,
        known: Option<i128>,
    ) -> Value {
        let element = meaning.element;
        let range = self.exact(meaning, left, right);
        // An `int` that represents an `i64` cannot be shifted by more than 31.
        let is_short = is_short(right, known);
        let wide = element == ElementType::I64 && (left.wide || !is_short);
        let operand = if wide { left.widened() } else { left.text.clone() };
        let text = Text::infix(">>", Level::Shift, &operand, amount);
        Value { text, range: cut(range, element), wide }
    }

    /// Emits `-a`.
    pub fn negate(&mut self, element: ElementType, operand: Value, is_index: bool) -> Value {
        let exact = Range::of_arithmetic(&Arithmetic::Negate(&operand.range), element, &self.kernel.facts);
        let (low, high) = types::limits(element);
        if element == ElementType::I64 {
            let fits_int = self.fits_int(&exact);
            if fits_int || exact.within(low, high) || is_index && self.fits_long(&exact) {
                let wide = operand.wide || !fits_int;
                let operand = if wide { operand.widened() } else { operand.text };
                let text = Text::negative(&operand);
                return Value { text, range: cut(exact, element), wide };
            }
        } else if exact.within(low, high) {
            let text = Text::negative(&operand.text);
            return Value { text, range: exact, wide: false };
        }
        let text = match element {
            ElementType::I32 | ElementType::I64 => {
                self.helpers.insert(Helper::WrappingNegate(element));
                Text::call("wrapping_negate", &[&argument(element, &operand)])
            }
            ElementType::U32 | ElementType::U64 => Text::negative(&operand.text),
            _ => Text::cast(types::name(element), &Text::negative(&operand.text)),
        };
        Value { text, range: whole(element), wide: element == ElementType::I64 }
    }

    /// The absolute value of an integer; the least integer gives itself.
    pub fn absolute(&mut self, element: ElementType, operand: Value) -> Value {
        if !element.is_signed() || operand.range.at_least(0) {
            return operand;
        }
        let worker = types::promoted(element);
        self.helpers.insert(Helper::WrappingAbs(worker));
        let call = Text::call("wrapping_abs", &[&argument(worker, &operand)]);
        let text = if element.bits() < 32 { Text::cast(types::name(element), &call) } else { call };
        Value { text, range: whole(element), wide: element == ElementType::I64 }
    }

    /// The minimum or maximum of two integers.
    pub fn extreme(&mut self, element: ElementType, is_least: bool, left: Value, right: Value) -> Value {
        let function = if is_least { MathFunction::Min } else { MathFunction::Max };
        let arithmetic = Arithmetic::Math(function, vec![&left.range, &right.range]);
        let range = Range::of_arithmetic(&arithmetic, element, &self.kernel.facts);
        let wide = left.wide || right.wide;
        let worker = match element {
            ElementType::I64 if !wide => ElementType::I32,
            _ => types::promoted(element),
        };
        let (left, right) = (argument(worker, &left), argument(worker, &right));
        let text = Text::call(if is_least { "min" } else { "max" }, &[&left, &right]);
        Value { text, range, wide }
    }
}

/// `+`, `-` or `*`.
fn sign(operation: BinaryOp) -> (&'static str, Level) {
    match operation {
        BinaryOp::Add => ("+", Level::Sum),
        BinaryOp::Subtract => ("-", Level::Sum),
        _ => ("*", Level::Product),
    }
}

/// Whether an `int` can be shifted by a distance, which may be known.
fn is_short(distance: &Value, known: Option<i128>) -> bool {
    known.map_or_else(|| distance.range.within(0, 31), |known| known < 32)
}

/// A comparison, `&&` or `||`; `None` for any other operator.
pub(super) fn truth(operation: BinaryOp, left: &Text, right: &Text) -> Option<Value> {
    let (symbol, level) = match operation {
        BinaryOp::Equal => ("==", Level::Equality),
        BinaryOp::NotEqual => ("!=", Level::Equality),
        BinaryOp::Less => ("<", Level::Relation),
        BinaryOp::LessEqual => ("<=", Level::Relation),
        BinaryOp::Greater => (">", Level::Relation),
        BinaryOp::GreaterEqual => (">=", Level::Relation),
        BinaryOp::And => ("&&", Level::And),
        BinaryOp::Or => ("||", Level::Or),
        _ => return None,
    };
    Some(Value::opaque(Text::infix(symbol, level, left, right)))
}

/// An operand as an argument of this type.
fn argument(worker: ElementType, value: &Value) -> Text {
    if worker == ElementType::I64 { value.widened() } else { value.text.clone() }
}

/// Omits additions of 0 and products with 1 of an `i64`, which occur in every generated index.
pub(crate) fn identity(operation: BinaryOp, element: ElementType, left: &Value, right: &Value) -> Option<Value> {
    if element != ElementType::I64 {
        return None;
    }
    let (from_left, from_right) = (left.range.point(), right.range.point());
    match operation {
        BinaryOp::Add if from_left == Some(0) => Some(right.clone()),
        BinaryOp::Multiply if from_left == Some(1) => Some(right.clone()),
        BinaryOp::Add | BinaryOp::Subtract if from_right == Some(0) => Some(left.clone()),
        BinaryOp::Multiply if from_right == Some(1) => Some(left.clone()),
        BinaryOp::Multiply if from_left == Some(0) || from_right == Some(0) => {
            Some(Value::integer(ElementType::I64, 0))
        }
        _ => None,
    }
}

/// All values of a type.
pub(super) fn whole(element: ElementType) -> Range {
    let (low, high) = types::limits(element);
    Range::between(low, high)
}

/// The range, limited to the values of a type.
pub(super) fn cut(range: Range, element: ElementType) -> Range {
    let (low, high) = types::limits(element);
    Range { numbers: range.numbers.intersect(Interval::between(low, high)), ..range }
}
