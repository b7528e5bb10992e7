//! `popcount`.

use super::{Compute, Function, MathFunction, Meaning, Operands, Operation, Parameter};

pub(super) const FUNCTION: Function = Function {
    name: "popcount",
    parameters: &[Parameter::new("a", "an integer")],
    text: "How many bits of `a` are 1, as a number of its type.",
    example: "kernel apply(x: u32[8], y: mut u32[8]) {\n    for i in grid(8) { y[i] = popcount(x[i]); }\n}",
    elsewhere: &["__popc", "__popcll", "popc", "popcnt", "bitCount", "countOneBits", "bit_count", "bitwise_count"],
    takes: Operands::Integers,
    meaning: Meaning::Operation(MathFunction::Popcount),
};

pub(super) const OPERATION: Operation =
    Operation { cuda_single: "__popc", cuda_double: "__popcll", operands: 1, compute: Compute::Instruction };
