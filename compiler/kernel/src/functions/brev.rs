//! `brev`.

use super::{Compute, Function, MathFunction, Meaning, Operands, Operation, Parameter};

pub(super) const FUNCTION: Function = Function {
    name: "brev",
    parameters: &[Parameter::new("a", "an integer")],
    text: "The bits of `a` in the opposite order.",
    example: "kernel apply(x: u32[8], y: mut u32[8]) {\n    for i in grid(8) { y[i] = brev(x[i]); }\n}",
    elsewhere: &["__brev", "__brevll", "bitreverse", "reverseBits", "reverse_bits"],
    takes: Operands::Integers,
    meaning: Meaning::Operation(MathFunction::Brev),
};

pub(super) const OPERATION: Operation =
    Operation { cuda_single: "__brev", cuda_double: "__brevll", operands: 1, compute: Compute::Instruction };
