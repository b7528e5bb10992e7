//! `fma`.

use super::{Compute, Function, MathFunction, Meaning, Operands, Operation, Parameter};

pub(super) const FUNCTION: Function = Function {
    name: "fma",
    parameters: &[Parameter::new("a", "a float"), Parameter::new("b", "a float of the same type"), Parameter::new("c", "what is added")],
    text: "`a * b + c` rounded once. Products and sums are not fused unless this says so.",
    example: "kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = fma(x[i], 2.0, 1.0); }\n}",
    elsewhere: &["fmaf", "__fmaf_rn", "__hfma"],
    takes: Operands::Floats,
    meaning: Meaning::Operation(MathFunction::Fma),
};

pub(super) const OPERATION: Operation =
    Operation { cuda_single: "fmaf", cuda_double: "fma", operands: 3, compute: Compute::Instruction };
