//! A division by zero.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `division-by-zero`.
pub static PAGE: Page = Page {
    code: "division-by-zero",
    severity: Severity::Error,
    title: "a division by zero",
    explanation:
        "The divisor of `/`, `%` or `cdiv` is 0, or the facts about the symbolic dimensions say that it is.

A symbolic dimension is at least 1, so dividing by one is always fine; dividing by a difference such as `M - N` is where
zero comes in. On a GPU an integer division by zero traps nowhere and gives an arbitrary number, so it is refused here.",
    wrong: "const a = 10 / 0;
",
    right: "const a = 10 / 5;
",
};

/// The divisor in the expression at `span` is zero.
pub(crate) fn division_by_zero(span: Span) -> Diagnostic {
    PAGE.at(span, "this divides by 0").label("the divisor is 0")
}
