//! `max`: of two numbers, or of more.

use super::{Compute, Function, MathFunction, Meaning, Operands, Operation, Parameter};

pub(super) const FUNCTION: Function = Function {
    name: "max",
    parameters: &[Parameter::new("a", "a number"), Parameter::new("b", "another one of the same type").repeated()],
    text: "The largest one. More than two are compared from the left; NaN is left out where there is another number. Of sizes it is a size. `max(v, over: warp)` is the largest value of all threads of a warp.",
    example: "kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = max(x[i], 0.0); }\n}",
    elsewhere: &["fmaxf", "fmax", "maximum", "__hmax"],
    takes: Operands::ManyNumbers,
    meaning: Meaning::Operation(MathFunction::Max),
};

pub(super) const OPERATION: Operation =
    Operation { cuda_single: "fmaxf", cuda_double: "fmax", operands: 2, compute: Compute::Instruction };
