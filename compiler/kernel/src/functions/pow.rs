//! `pow`.

use super::{Function, MathFunction, Meaning, Operands, Operation, Parameter};

pub(super) const FUNCTION: Function = Function {
    name: "pow",
    parameters: &[Parameter::new("a", "the base, a float"), Parameter::new("b", "the exponent, a float of the same type")],
    text: "`a` to the power of `b`.",
    example: "kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = pow(x[i], 2.0); }\n}",
    elsewhere: &["powf", "__powf", "power"],
    takes: Operands::Floats,
    meaning: Meaning::Operation(MathFunction::Pow),
};

pub(super) const OPERATION: Operation = Operation::called_with_two(math::BinaryFunction::Pow, "powf", "pow");
