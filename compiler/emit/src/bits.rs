//! Functions of the bits of integers, which CUDA has for 32 and 64 bits.

use super::emitter::Emitter;
use super::integers::cut;
use super::range::Range;
use super::text::{Level, Text};
use super::types;
use super::value::Value;
use elements::ElementType;
use kernel::intervals::Arithmetic;
use kernel::typed::MathFunction;

impl Emitter<'_> {
    /// Emits a function of the bits of integers.
    pub fn function_of_bits(&mut self, function: MathFunction, element: ElementType, operands: &[Value]) -> Value {
        let arithmetic = Arithmetic::Math(function, operands.iter().map(|operand| &operand.range).collect());
        let range = cut(Range::of_arithmetic(&arithmetic, element, &self.kernel.facts), element);
        let name = name(function, element);
        match (function, operands) {
            (MathFunction::Mulhi, [left, right]) => {
                Value { text: multiply_high(name, element, left, right), range, wide: element == ElementType::I64 }
            }
            (MathFunction::Brev, [operand]) => {
                let reversed = Text::call(name, &[&pattern(element, operand)]);
                let text = match 32u32.checked_sub(element.bits()) {
                    Some(more) if more > 0 => {
                        Text::infix(">>", Level::Shift, &reversed, &Text::literal(more.to_string()))
                    }
                    _ => reversed,
                };
                Value { text: Text::cast(types::name(element), &text), range, wide: element == ElementType::I64 }
            }
            (_, [operand, ..]) => {
                let count = count(function, name, element, operand);
                // CUDA counts in `int`, from which unsigned arithmetic would not go on.
                let is_unsigned = matches!(element, ElementType::U32 | ElementType::U64);
                let text = if is_unsigned { Text::cast(types::name(element), &count) } else { count };
                Value { text, range, wide: false }
            }
            // The checks accept no function without operands.
            (_, []) => self.meaningless(element),
        }
    }
}

/// The function of CUDA.
fn name(function: MathFunction, element: ElementType) -> &'static str {
    let operation = function.operation();
    match (function, element) {
        (MathFunction::Mulhi, ElementType::U32) => "__umulhi",
        (MathFunction::Mulhi, ElementType::U64) => "__umul64hi",
        _ if element.bits() == 64 => operation.cuda_double,
        _ => operation.cuda_single,
    }
}

/// An operand whose bits beyond the type are 0.
fn pattern(element: ElementType, operand: &Value) -> Text {
    match element {
        ElementType::I64 => operand.widened(),
        ElementType::I8 | ElementType::I16 if !operand.range.at_least(0) => {
            let unsigned = ElementType::unsigned(element.bits()).unwrap_or(element);
            Text::cast(types::name(unsigned), &operand.text)
        }
        _ => operand.text.clone(),
    }
}

fn count(function: MathFunction, name: &str, element: ElementType, operand: &Value) -> Text {
    let pattern = pattern(element, operand);
    let more = 32u32.saturating_sub(element.bits());
    match function {
        MathFunction::Clz if more > 0 => {
            let zeros = Text::call(name, &[&pattern]);
            Text::infix("-", Level::Sum, &zeros, &Text::literal(more.to_string()))
        }
        MathFunction::Ctz => {
            // A bit above those of the type ends the zeros.
            let end = Text::literal((1u64 << element.bits().min(32)).to_string());
            let ended = if more > 0 { Text::infix("|", Level::BitOr, &pattern, &end) } else { pattern };
            let reversed = if element.bits() == 64 { "__brevll" } else { "__brev" };
            Text::call(name, &[&Text::call(reversed, &[&ended])])
        }
        _ => Text::call(name, &[&pattern]),
    }
}

fn multiply_high(name: &str, element: ElementType, left: &Value, right: &Value) -> Text {
    if element.bits() >= 32 {
        let [left, right] = [left, right].map(|value| pattern(element, value));
        return Text::call(name, &[&left, &right]);
    }
    // A product of two `unsigned short` does not fit the `int` in which C++ computes it.
    let left = if element == ElementType::U16 { Text::cast("unsigned int", &left.text) } else { left.text.clone() };
    let product = Text::infix("*", Level::Product, &left, &right.text);
    let upper = Text::infix(">>", Level::Shift, &product, &Text::literal(element.bits().to_string()));
    Text::cast(types::name(element), &upper)
}
