//! `(k)` in a bracket that has no shape before it.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `no-shape-before-bracket`.
pub static PAGE: Page = Page {
    code: "no-shape-before-bracket",
    severity: Severity::Error,
    title: "`(k)` has no shape to refer to",
    explanation: "Inside the bracket of a derivation, `shape [(0) / 2, (1)]`, a number in parentheses is a dimension of the shape before
the bracket. Here nothing stands before the bracket, so there is no shape whose dimension it could be.

Put the shape before the bracket, or name it: `[s(0) / 2]`. For the plain number leave out the parentheses.",
    wrong: "s : [64, 32];
t : [(0) / 2, 4];
",
    right: "s : [64, 32];
t : s [(0) / 2, 4];
",
};

/// The `(k)` at `span` is in a bracket without a shape before it.
pub(crate) fn no_shape_before_bracket(span: Span) -> Diagnostic {
    PAGE.at(span, "a number in parentheses is a dimension of the shape before the bracket, but none stands there")
        .label("dimension of what?")
        .help("write `shape [(0), …]` or `[shape(0), …]`; for the plain number leave out the parentheses")
}
