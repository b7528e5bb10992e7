//! `cdiv`: division of sizes, rounded up.

use super::{Function, Meaning, Operands, Parameter, SizeFunction};

pub(super) const FUNCTION: Function = Function {
    name: "cdiv",
    parameters: &[Parameter::new("a", "a size"), Parameter::new("b", "a size")],
    text: "`a / b` rounded up, of sizes only.",
    example: "dim N;\nkernel pairs(y: mut i64[N]) {\n    for i in grid(N) { y[i] = cdiv(N, 2); }\n}",
    elsewhere: &["ceil_div", "div_ceil", "ceildiv"],
    takes: Operands::Sizes,
    meaning: Meaning::Size(SizeFunction::CeilingDivide),
};
