//! `mulhi`.

use super::{Compute, Function, MathFunction, Meaning, Operands, Operation, Parameter};

pub(super) const FUNCTION: Function = Function {
    name: "mulhi",
    parameters: &[Parameter::new("a", "an integer"), Parameter::new("b", "an integer of the same type")],
    text: "The upper half of the product, which has twice as many bits as the type: `i32(i64(a) * i64(b) >> 32)` of two `i32`.",
    example: "kernel apply(x: u32[8], y: mut u32[8]) {\n    for i in grid(8) { y[i] = mulhi(x[i], 2654435769); }\n}",
    elsewhere: &["__mulhi", "__umulhi", "__mul64hi", "__umul64hi", "umulhi", "mul_hi"],
    takes: Operands::Integers,
    meaning: Meaning::Operation(MathFunction::Mulhi),
};

pub(super) const OPERATION: Operation =
    Operation { cuda_single: "__mulhi", cuda_double: "__mul64hi", operands: 2, compute: Compute::Instruction };
