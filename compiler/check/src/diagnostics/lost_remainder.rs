//! A quotient of whole numbers that is used as a float.

use super::diagnostic::{Diagnostic, Page, Severity};
use smol_str::SmolStr;
use syntax::span::Span;

/// The documentation of `lost-remainder`.
pub static PAGE: Page = Page {
    code: "lost-remainder",
    severity: Severity::Warning,
    title: "a quotient of integers is used as a float",
    explanation: "Integers are divided as integers, also where a float is needed: `1 / 2` is 0, and `x * (1 / 2)` is 0 as well. Written with a
point, the numbers are floats: `1.0 / 2.0` is 0.5.",
    wrong: "kernel half(x: f32[4], y: mut f32[4]) {
    for i in grid(4) { y[i] = x[i] * (1 / 2); }
}
",
    right: "kernel half(x: f32[4], y: mut f32[4]) {
    for i in grid(4) { y[i] = x[i] * (1.0 / 2.0); }
}
",
};

/// The integers at `operands` are divided at `span`, which leaves a remainder, and the quotient is used as a float.
pub(crate) fn lost_remainder(span: Span, operands: [(Span, i64); 2]) -> Diagnostic {
    let [(_, left), (_, right)] = operands;
    let quotient = left.checked_div(right).unwrap_or_default();
    let edits = operands.map(|(place, number)| (place, SmolStr::from(format!("{number}.0"))));
    PAGE.at(span, format!("`{left} / {right}` divides integers, so it is {quotient}, although a float is needed"))
        .label(format!("is {quotient}"))
        .fix_at(format!("write `{left}.0 / {right}.0`"), edits.to_vec())
}
