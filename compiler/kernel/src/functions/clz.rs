//! `clz`.

use super::{Compute, Function, MathFunction, Meaning, Operands, Operation, Parameter};

pub(super) const FUNCTION: Function = Function {
    name: "clz",
    parameters: &[Parameter::new("a", "an integer")],
    text: "How many bits are 0 above the highest 1 of `a`, as a number of its type; all bits of the type where `a` is 0.",
    example: "kernel apply(x: u32[8], y: mut u32[8]) {\n    for i in grid(8) { y[i] = clz(x[i]); }\n}",
    elsewhere: &["__clz", "__clzll", "countLeadingZeros", "leading_zeros"],
    takes: Operands::Integers,
    meaning: Meaning::Operation(MathFunction::Clz),
};

pub(super) const OPERATION: Operation =
    Operation { cuda_single: "__clz", cuda_double: "__clzll", operands: 1, compute: Compute::Instruction };
