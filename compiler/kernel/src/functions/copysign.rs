//! `copysign`.

use super::{Compute, Function, MathFunction, Meaning, Operands, Operation, Parameter};

pub(super) const FUNCTION: Function = Function {
    name: "copysign",
    parameters: &[Parameter::new("x", "a float, whose distance from 0 is taken"), Parameter::new("y", "a float of the same type, whose sign is taken")],
    text: "`x` with the sign of `y`, also of -0.0. Where `y` is NaN, whose sign says nothing, the result is `abs(x)`.",
    example: "kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = copysign(1.0, x[i]); }\n}",
    elsewhere: &["copysignf", "__copysignf"],
    takes: Operands::Floats,
    meaning: Meaning::Operation(MathFunction::Copysign),
};

pub(super) const OPERATION: Operation =
    Operation { cuda_single: "copysignf", cuda_double: "copysign", operands: 2, compute: Compute::Instruction };
