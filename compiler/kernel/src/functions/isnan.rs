//! `isnan`.

use super::super::typed::{BinaryOp, UnaryOp};
use super::{Function, MathFunction, Meaning, Operands, Parameter, Term};

pub(super) const FUNCTION: Function = Function {
    name: "isnan",
    parameters: &[Parameter::new("x", "a float")],
    text: "Whether `x` is no number, such as `0.0 / 0.0`.",
    example: "kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = if isnan(x[i]) { 0.0 } else { x[i] }; }\n}",
    elsewhere: &["__isnanf", "__isnan", "__hisnan", "is_nan", "isNan"],
    takes: Operands::Floats,
    meaning: Meaning::Term(&TERM),
};

/// NaN is the only float whose distance from 0 is not at most infinity. `x != x` would evaluate `x` twice.
const TERM: Term = Term::Unary(
    UnaryOp::Not,
    &Term::Binary(
        BinaryOp::LessEqual,
        &Term::Math(MathFunction::Abs, &[Term::Argument(0)]),
        &Term::Float(f64::INFINITY),
    ),
);
