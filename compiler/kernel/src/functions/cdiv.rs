//! `cdiv`: division of sizes, rounded up.

use super::{Function, Meaning, Operands, Parameter, SizeFunction};

pub(super) const FUNCTION: Function = Function {
    name: "cdiv",
    parameters: &[Parameter::new("a", "a size or an integer"), Parameter::new("b", "a size")],
    text: "`a / b` rounded up, where `b` is a size; of an integer that only a run knows it is `(a + b - 1) / b`.",
    example: "dim N;\nkernel pairs(y: mut i64[N]) {\n    for i in grid(N) { y[i] = cdiv(N, 2); }\n}",
    elsewhere: &["ceil_div", "div_ceil", "ceildiv"],
    takes: Operands::Sizes,
    meaning: Meaning::Size(SizeFunction::CeilingDivide),
};
