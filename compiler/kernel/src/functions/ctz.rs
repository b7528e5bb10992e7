//! `ctz`.

use super::{Compute, Function, MathFunction, Meaning, Operands, Operation, Parameter};

pub(super) const FUNCTION: Function = Function {
    name: "ctz",
    parameters: &[Parameter::new("a", "an integer")],
    text: "How many bits are 0 below the lowest 1 of `a`, as a number of its type; all bits of the type where `a` is 0.",
    example: "kernel apply(x: u32[8], y: mut u32[8]) {\n    for i in grid(8) { y[i] = ctz(x[i]); }\n}",
    elsewhere: &["__builtin_ctz", "__builtin_ctzll", "countTrailingZeros", "trailing_zeros"],
    takes: Operands::Integers,
    meaning: Meaning::Operation(MathFunction::Ctz),
};

pub(super) const OPERATION: Operation =
    Operation { cuda_single: "__clz", cuda_double: "__clzll", operands: 1, compute: Compute::Instruction };
