//! `clamp`: between two bounds.

use super::{Function, MathFunction, Meaning, Operands, Parameter, Term};

pub(super) const FUNCTION: Function = Function {
    name: "clamp",
    parameters: &[Parameter::new("x", "a number"), Parameter::new("low", "the smallest result, of the same type"), Parameter::new("high", "the largest result, of the same type")],
    text: "`x` where it lies between `low` and `high`, else the nearer one of them: `min(max(x, low), high)`. NaN becomes `low`.",
    example: "kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = clamp(x[i], 0.0, 1.0); }\n}",
    elsewhere: &["clip", "__saturatef"],
    takes: Operands::Numbers,
    meaning: Meaning::Term(&TERM),
};

const TERM: Term =
    Term::Math(MathFunction::Min, &[Term::Math(MathFunction::Max, &[Term::Argument(0), Term::Argument(1)]), Term::Argument(2)]);
