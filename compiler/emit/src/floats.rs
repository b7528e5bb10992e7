//! Operators and functions of floats. Those of f16 and bf16 are computed in `float`, and the result is rounded once.

use super::constants;
use super::emitter::Emitter;
use super::text::{Level, Text};
use super::types;
use super::value::Value;
use elements::ElementType;
use kernel::typed::{BinaryOp, Constant, Expr, ExprKind, MathFunction};

impl Emitter<'_> {
    /// An expression of a float type in the type it is computed in: `double` for f64, else `float`.
    pub fn computed(&mut self, expr: &Expr) -> Text {
        if !types::is_half(expr.element) {
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
        if types::is_half(element) { self.half(element, &text) } else { Value::opaque(text) }
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
            _ => Text::call(function(element, "fmod"), &[&left, &right]),
        };
        self.result(element, text)
    }

    /// A math function.
    pub fn float_math(&mut self, called: MathFunction, element: ElementType, arguments: &[Expr]) -> Value {
        let name = match called {
            MathFunction::Abs => "fabs",
            MathFunction::Min => "fmin",
            MathFunction::Max => "fmax",
            MathFunction::Sqrt => "sqrt",
            MathFunction::Rsqrt => "rsqrt",
            MathFunction::Exp => "exp",
            MathFunction::Exp2 => "exp2",
            MathFunction::Log => "log",
            MathFunction::Log2 => "log2",
            MathFunction::Sin => "sin",
            MathFunction::Cos => "cos",
            MathFunction::Tanh => "tanh",
            MathFunction::Floor => "floor",
            MathFunction::Ceil => "ceil",
            MathFunction::Round => "rint",
            MathFunction::Pow => "pow",
            MathFunction::Fma => "fma",
        };
        let arguments: Vec<Text> = arguments.iter().map(|argument| self.computed(argument)).collect();
        let arguments: Vec<&Text> = arguments.iter().collect();
        let text = Text::call(function(element, name), &arguments);
        self.result(element, text)
    }
}

/// The function of `float`, whose name ends in `f`, or the one of `double`.
fn function(element: ElementType, name: &'static str) -> &'static str {
    if element == ElementType::F64 {
        return name;
    }
    match name {
        "ceil" => "ceilf",
        "cos" => "cosf",
        "exp" => "expf",
        "exp2" => "exp2f",
        "fabs" => "fabsf",
        "floor" => "floorf",
        "fma" => "fmaf",
        "fmax" => "fmaxf",
        "fmin" => "fminf",
        "fmod" => "fmodf",
        "log" => "logf",
        "log2" => "log2f",
        "pow" => "powf",
        "rint" => "rintf",
        "rsqrt" => "rsqrtf",
        "sin" => "sinf",
        "sqrt" => "sqrtf",
        _ => "tanhf",
    }
}

/// A constant of a float type as it was written.
fn number(constant: Constant) -> f64 {
    match constant {
        Constant::Float(value) => value,
        Constant::Int(value) => value as f64,
        Constant::Bool(value) => f64::from(u8::from(value)),
    }
}

/// A constant of 16 bits, rounded to its type.
fn rounded(element: ElementType, value: f64) -> f64 {
    if element == ElementType::F16 {
        constants::rounded(value, 11, -14, 15)
    } else {
        constants::rounded(value, 8, -126, 127)
    }
}
