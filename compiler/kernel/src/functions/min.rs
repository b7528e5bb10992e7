//! `min`: of two numbers, or of more.

use super::{Compute, Function, MathFunction, Meaning, Operands, Operation, Parameter};

pub(super) const FUNCTION: Function = Function {
    name: "min",
    parameters: &[Parameter::new("a", "a number"), Parameter::new("b", "another one of the same type").repeated()],
    text: "The smallest one. More than two are compared from the left; NaN is left out where there is another number. Of sizes it is a size. `min(v, over: warp)` is the smallest value of all threads of a warp.",
    example: "kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = min(x[i], 1.0); }\n}",
    elsewhere: &["fminf", "fmin", "minimum", "__hmin"],
    takes: Operands::ManyNumbers,
    meaning: Meaning::Operation(MathFunction::Min),
};

pub(super) const OPERATION: Operation =
    Operation { cuda_single: "fminf", cuda_double: "fmin", operands: 2, compute: Compute::Instruction };
