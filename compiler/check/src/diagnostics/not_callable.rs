//! A call of something that is neither a function, nor a shape, nor a map.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use crate::values::Value;
use syntax::span::Span;

/// The documentation of `not-callable`.
pub static PAGE: Page = Page {
    code: "not-callable",
    severity: Severity::Error,
    title: "a value that cannot be called is called",
    explanation: "Three things can be called: a function such as `cdiv(a, b)`; a shape, where `s(k)` is its dimension `k`; and a map, where
`m(i, t)` is where it leads.

A number before parentheses is no multiplication: write `4 * (M + 1)`.",
    wrong: "const a = 4;
const b = a(2 + 1);
",
    right: "const a = 4;
const b = a * (2 + 1);
",
};

/// The call at `span` calls `value`.
pub(crate) fn not_callable(span: Span, value: &Value) -> Diagnostic {
    PAGE.at(span, format!("{} cannot be called: `{}`", value.kind(), words::short(value)))
        .label("called here")
        .help("functions, shapes (`s(0)`) and maps (`m(i, t)`) can be called; a product is written with `*`")
}
