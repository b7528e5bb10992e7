//! A unit whose domain and box differ in rank.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The documentation of `unit-dimensions`.
pub static PAGE: Page = Page {
    code: "unit-dimensions",
    severity: Severity::Error,
    title: "the domain and the box of a unit have different numbers of dimensions",
    explanation: "A unit is written `(domain; box)`. The domain sees the cluster as a space of some dimensions, from the slowest to the
fastest; the box says how much of each dimension the unit takes. So both have the same number of sizes.",
    wrong: "unit quadpair = (blockDim / 16, 16; 2);
",
    right: "unit quadpair = (blockDim / 16, 16; 2, 4);
",
};

/// The domain and the box have these numbers of sizes.
pub(crate) fn unit_dimensions(span: Span, domain: usize, of_box: usize) -> Diagnostic {
    let (domain, of_box) = (words::count(domain, "size"), words::count(of_box, "size"));
    PAGE.at(span, format!("the domain of this unit has {domain}, its box {of_box}"))
        .label("not the same")
        .help("the box says how much the unit takes of each dimension of the domain; `_` means any")
}
