//! `fma`.

use super::{Function, MathFunction, Meaning, Operands, Operation};

pub(super) const FUNCTION: Function = Function {
    name: "fma",
    signature: "fma(a, b, c)",
    parameters: &[("a", "a float"), ("b", "a float of the same type"), ("c", "what is added")],
    text: "`a * b + c` rounded once. Products and sums are not fused unless this says so.",
    example: "kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = fma(x[i], 2.0, 1.0); }\n}",
    elsewhere: &["fmaf", "__fmaf_rn", "__hfma"],
    takes: Operands::Floats,
    meaning: Meaning::Operation(MathFunction::Fma),
};

pub(super) const OPERATION: Operation =
    Operation { cuda_single: "fmaf", cuda_double: "fma", operands: 3, work: 1.0 };
