//! `atan2`.

use super::{Function, MathFunction, Meaning, Operands, Operation, Parameter};

pub(super) const FUNCTION: Function = Function {
    name: "atan2",
    parameters: &[Parameter::new("y", "the height, a float"), Parameter::new("x", "the distance to the right, a float of the same type")],
    text: "The angle from -π to π in radians of the point that lies `x` to the right and `y` up.",
    example: "kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = atan2(x[i], 1.0); }\n}",
    elsewhere: &["atan2f", "arctan2"],
    takes: Operands::Floats,
    meaning: Meaning::Operation(MathFunction::Atan2),
};

pub(super) const OPERATION: Operation = Operation::called_with_two(math::BinaryFunction::Atan2, "atan2f", "atan2");
