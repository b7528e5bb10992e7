//! Facts that no sizes satisfy.

use super::diagnostic::{Diagnostic, Page, Severity};
use dims::Contradiction;
use syntax::span::Span;

/// The documentation of `contradiction`.
pub static PAGE: Page = Page {
    code: "contradiction",
    severity: Severity::Error,
    title: "facts contradict each other",
    explanation: "The facts after `where` cannot all be true: no sizes satisfy them, so nothing could ever be launched, and everything
would be provable from them.

This also happens where one item uses dimensions of several files whose facts do not agree. The message names the fact
and the earlier facts that it contradicts; a symbolic dimension is always at least 1. Remove or weaken one of them.",
    wrong: "dim M where M % 4 == 0, M == 6;
",
    right: "dim M where M % 4 == 0, M == 8;
",
};

/// A fact that contradicts earlier ones, or never holds.
pub(crate) fn contradiction(span: Span, found: &Contradiction) -> Diagnostic {
    PAGE.at(span, found.to_string()).label("no sizes satisfy this").help("remove or weaken one of the facts")
}
