//! `ffs`.

use super::{Compute, Function, MathFunction, Meaning, Operands, Operation, Parameter};

pub(super) const FUNCTION: Function = Function {
    name: "ffs",
    parameters: &[Parameter::new("a", "an integer")],
    text: "The place of the lowest 1 of `a`, counted from 1, as a number of its type; 0 where `a` is 0.",
    example: "kernel apply(x: u32[8], y: mut u32[8]) {\n    for i in grid(8) { y[i] = ffs(x[i]); }\n}",
    elsewhere: &["__ffs", "__ffsll"],
    takes: Operands::Integers,
    meaning: Meaning::Operation(MathFunction::Ffs),
};

pub(super) const OPERATION: Operation =
    Operation { cuda_single: "__ffs", cuda_double: "__ffsll", operands: 1, compute: Compute::Instruction };
