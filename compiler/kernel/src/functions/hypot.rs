//! `hypot`.

use super::{Function, MathFunction, Meaning, Operands, Operation, Parameter};

pub(super) const FUNCTION: Function = Function {
    name: "hypot",
    parameters: &[Parameter::new("x", "a float"), Parameter::new("y", "a float of the same type")],
    text: "The square root of `x * x + y * y`, also where a square would be too large or too small for the type.",
    example: "kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = hypot(x[i], 1.0); }\n}",
    elsewhere: &["hypotf"],
    takes: Operands::Floats,
    meaning: Meaning::Operation(MathFunction::Hypot),
};

pub(super) const OPERATION: Operation = Operation::called_with_two(math::BinaryFunction::Hypot, "hypotf", "hypot");
