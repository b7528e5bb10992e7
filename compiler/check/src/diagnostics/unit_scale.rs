//! A unit that cannot be scaled so.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `unit-scale`.
pub static PAGE: Page = Page {
    code: "unit-scale",
    severity: Severity::Error,
    title: "a unit cannot be multiplied by this",
    explanation: "`8 * cuda_thread` is a unit of 8 threads next to each other: a unit may be multiplied by a positive number, or divided by one,
which scales its box. A unit of one dimension scales that one. A unit of several dimensions scales the only one of which it
takes a part, so that it is clear in which direction it grows; where it takes a part of several, or of none, write the unit
out.",
    wrong: "unit pairs = 2 * cuda_quadpair;
",
    right: "unit pairs = (blockDim / 16, 16; 4, 4);
",
};

/// `reason` says why not.
pub(crate) fn unit_scale(span: Span, reason: &str) -> Diagnostic {
    PAGE.at(span, reason).label("cannot be scaled so")
}
