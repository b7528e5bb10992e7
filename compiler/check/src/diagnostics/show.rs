//! The value of a `show` item.

use super::diagnostic::{Diagnostic, Page, Severity};
use crate::values::Value;
use proofs::Verdict;
use syntax::span::Span;

/// The documentation of `show`.
pub static PAGE: Page = Page {
    code: "show",
    severity: Severity::Information,
    title: "the value that `show` asks for",
    explanation: "`show E;`, and an expression on its own, put the value of the expression beside it: a shape with its dimensions, a map
with its spaces, a claim with its verdict. It is no finding, only an answer.

Remove the item, or turn it into an `assert`, once you know.",
    wrong: "show 7 * 8;
",
    right: "assert 7 * 8 == 56;
",
};

/// The value of the expression at `span`.
pub(crate) fn shown(span: Span, value: &Value) -> Diagnostic {
    let deeper = matches!(value, Value::Truth(truth) if matches!(truth.verdict, Verdict::Open { deeper: true, .. }));
    PAGE.at(span, value.to_string()).deeper(deeper)
}
