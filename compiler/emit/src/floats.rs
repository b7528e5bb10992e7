//! Operators and functions of floats. f16 and bf16 are computed in `float`, and the result is rounded once.

use super::constants;
use super::emitter::Emitter;
use super::integers::truth;
use super::text::{Level, Text};
use super::value::Value;
use elements::{Conversion, ElementType};
use kernel::loops::{Node, ValueId};
use kernel::typed::Constant;
use kernel::typed::{BinaryOp, MathFunction};

impl Emitter<'_> {
    /// An expression of a float type, in the type for its computation: `double` for f64, otherwise `float`.
    pub fn computed(&mut self, id: ValueId) -> Text {
        let element = self.loops.values.element(id);
        if !element.is_narrow_float() {
            return self.value(id).text;
        }
        match self.loops.values.node(id) {
            // Constants are converted here.
            Some(Node::Constant(Constant::Float(value))) => constants::single(rounded(element, *value)),
            _ => {
                let value = self.value(id);
                super::casts::single(element, &value.text)
            }
        }
    }

    /// Converts a computed result to its float type.
    fn result(&mut self, element: ElementType, text: Text) -> Value {
        if element.is_narrow_float() { self.half(element, &text) } else { Value::opaque(text) }
    }

    /// A constant.
    pub fn float_constant(&mut self, element: ElementType, value: f64) -> Value {
        match element {
            ElementType::F64 => Value::opaque(constants::double(value)),
            ElementType::F32 => Value::opaque(constants::single(value)),
            _ => match element.float_format() {
                // A conversion would end at the largest number.
                Some(format) if value.is_infinite() && format.conversion == Conversion::Saturating => {
                    let bits = format.code_of_value(format.constant(value), 1 << (element.bits() - 1));
                    let unsigned = ElementType::unsigned(element.bits()).unwrap_or(ElementType::U8);
                    self.bit_cast(unsigned, element, Value::integer(unsigned, bits))
                }
                _ => {
                    let single = constants::single(rounded(element, value));
                    self.half(element, &single)
                }
            },
        }
    }

    /// Emits `-a`.
    pub fn float_negate(&mut self, element: ElementType, operand: ValueId) -> Value {
        let operand = self.computed(operand);
        self.result(element, Text::negative(&operand))
    }

    /// Emits an operator of two floats.
    pub fn float_binary(&mut self, operator: BinaryOp, element: ElementType, left: ValueId, right: ValueId) -> Value {
        let (left, right) = (self.computed(left), self.computed(right));
        if let Some(truth) = truth(operator, &left, &right) {
            return truth;
        }
        let text = match operator {
            BinaryOp::Add => Text::infix("+", Level::Sum, &left, &right),
            BinaryOp::Subtract => Text::infix("-", Level::Sum, &left, &right),
            BinaryOp::Multiply => Text::infix("*", Level::Product, &left, &right),
            BinaryOp::Divide => Text::infix("/", Level::Product, &left, &right),
            _ => Text::call(if element == ElementType::F64 { "fmod" } else { "fmodf" }, &[&left, &right]),
        };
        self.result(element, text)
    }

    /// Emits a math function.
    pub fn float_math(&mut self, called: MathFunction, element: ElementType, arguments: &[ValueId]) -> Value {
        let operation = called.operation();
        let name = if element == ElementType::F64 { operation.cuda_double } else { operation.cuda_single };
        let mut arguments: Vec<Text> = arguments.iter().map(|argument| self.computed(*argument)).collect();
        if let (MathFunction::Copysign, Some(sign)) = (called, arguments.last_mut()) {
            // Which sign a NaN has is not defined, so it counts as none: the minimum leaves it out.
            let (least, infinity) = match element {
                ElementType::F64 => ("fmin", constants::double(f64::INFINITY)),
                _ => ("fminf", constants::single(f64::INFINITY)),
            };
            *sign = Text::call(least, &[sign, &infinity]);
        }
        let arguments: Vec<&Text> = arguments.iter().collect();
        let text = Text::call(name, &arguments);
        self.result(element, text)
    }
}

/// A constant, rounded to its narrow float type.
fn rounded(element: ElementType, value: f64) -> f64 {
    element.float_format().map_or(value, |format| format.rounded(value))
}
