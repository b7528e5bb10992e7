//! Operators and functions of floats. Those of f16 and bf16 are computed in `float`, and the result is rounded once.

use super::constants;
use super::emitter::Emitter;
use super::text::{Level, Text};
use super::value::Value;
use elements::ElementType;
use kernel::typed::{BinaryOp, Constant, Expr, ExprKind, MathFunction};

impl Emitter<'_> {
    /// An expression of a float type in the type it is computed in: `double` for f64, else `float`.
    pub fn computed(&mut self, expr: &Expr) -> Text {
        if !expr.element.is_narrow_float() {
            return self.value(expr).text;
        }
        match &expr.kind {
            // A constant needs no conversion when the kernel runs.
            ExprKind::Constant(constant) => constants::single(rounded(expr.element, number(*constant))),
            _ => {
                let value = self.value(expr);
                super::casts::single(expr.element, &value.text)
            }
        }
    }

    /// What was computed for a float type, as a value of the type.
    fn result(&mut self, element: ElementType, text: Text) -> Value {
        if element.is_narrow_float() { self.half(element, &text) } else { Value::opaque(text) }
    }

    /// A constant.
    pub fn float_constant(&mut self, element: ElementType, constant: Constant) -> Value {
        let value = number(constant);
        match element {
            ElementType::F64 => Value::opaque(constants::double(value)),
            ElementType::F32 => Value::opaque(constants::single(value)),
            _ => {
                let single = constants::single(rounded(element, value));
                self.half(element, &single)
            }
        }
    }

    /// `-a`
    pub fn float_negate(&mut self, element: ElementType, operand: &Expr) -> Value {
        let operand = self.computed(operand);
        self.result(element, Text::prefix("-", &operand))
    }

    /// An arithmetic operator.
    pub fn float_binary(&mut self, operator: BinaryOp, element: ElementType, left: &Expr, right: &Expr) -> Value {
        let (left, right) = (self.computed(left), self.computed(right));
        let text = match operator {
            BinaryOp::Add => Text::infix("+", Level::Sum, &left, &right),
            BinaryOp::Subtract => Text::infix("-", Level::Sum, &left, &right),
            BinaryOp::Multiply => Text::infix("*", Level::Product, &left, &right),
            BinaryOp::Divide => Text::infix("/", Level::Product, &left, &right),
            _ => Text::call(if element == ElementType::F64 { "fmod" } else { "fmodf" }, &[&left, &right]),
        };
        self.result(element, text)
    }

    /// A math function.
    pub fn float_math(&mut self, called: MathFunction, element: ElementType, arguments: &[Expr]) -> Value {
        let operation = called.operation();
        let name = if element == ElementType::F64 { operation.cuda_double } else { operation.cuda_single };
        let arguments: Vec<Text> = arguments.iter().map(|argument| self.computed(argument)).collect();
        let arguments: Vec<&Text> = arguments.iter().collect();
        let text = Text::call(name, &arguments);
        self.result(element, text)
    }
}

/// A constant of a float type as it was written.
fn number(constant: Constant) -> f64 {
    match constant {
        Constant::Float(value) => value,
        Constant::Int(value) => value as f64,
        Constant::Unsigned(value) => value as f64,
        Constant::Bool(value) => f64::from(u8::from(value)),
    }
}

/// A constant of a narrow float type, rounded to it.
fn rounded(element: ElementType, value: f64) -> f64 {
    element.float_format().map_or(value, |format| format.rounded(value))
}
