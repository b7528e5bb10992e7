//! `abs`.

use super::{Function, MathFunction, Meaning, Operands, Operation};

pub(super) const FUNCTION: Function = Function {
    name: "abs",
    signature: "abs(a)",
    parameters: &[("a", "a number")],
    text: "The distance from 0. The smallest integer of a signed type stays as it is.",
    example: "kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = abs(x[i]); }\n}",
    elsewhere: &["fabsf", "fabs", "__habs"],
    takes: Operands::Numbers,
    meaning: Meaning::Operation(MathFunction::Abs),
};

pub(super) const OPERATION: Operation =
    Operation { cuda_single: "fabsf", cuda_double: "fabs", operands: 1, work: 1.0 };
