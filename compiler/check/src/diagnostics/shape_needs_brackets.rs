//! A number where a shape is needed.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `shape-needs-brackets`.
pub static PAGE: Page = Page {
    code: "shape-needs-brackets",
    severity: Severity::Error,
    title: "a shape is written without brackets",
    explanation: "A shape is a list of dimensions in brackets, also where there is only one of them: `[64]` is a shape of rank 1, and `64`
is a number.",
    wrong: "s : 64;
",
    right: "s : [64];
",
};

/// The expression at `span` is an integer.
pub(crate) fn shape_needs_brackets(span: Span) -> Diagnostic {
    PAGE.at(span, "a shape is written in brackets, but this is a number").label("expected `[…]`").wrap(
        "put it into brackets",
        span,
        "[",
        "]",
    )
}
