//! `abs`.

use super::{Compute, Function, MathFunction, Meaning, Operands, Operation, Parameter};

pub(super) const FUNCTION: Function = Function {
    name: "abs",
    parameters: &[Parameter::new("a", "a number")],
    text: "The distance from 0. The smallest integer of a signed type stays as it is.",
    example: "kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = abs(x[i]); }\n}",
    elsewhere: &["fabsf", "fabs", "__habs"],
    takes: Operands::Numbers,
    meaning: Meaning::Operation(MathFunction::Abs),
};

pub(super) const OPERATION: Operation =
    Operation { cuda_single: "fabsf", cuda_double: "fabs", operands: 1, compute: Compute::Instruction };
