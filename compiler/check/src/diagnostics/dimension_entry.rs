//! An entry between the brackets of a `reshape_map` that is neither `D` nor `(D, TD)`.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `dimension-entry`.
pub static PAGE: Page = Page {
    code: "dimension-entry",
    severity: Severity::Error,
    title: "an entry of a `reshape_map` is neither a size nor a pair of sizes",
    explanation: "Each dimension of a `reshape_map` is written as its size `D`, or as the pair `(D, TD)` where its size in the tensor
differs.

`(2, 1)` are two threads of which the tensor has room for one, so one is idle; `(3, 4)` are three of four elements, so
one is skipped. Left out, `TD` is `D`.",
    wrong: "map m = reshape_map([(3, 4, 5)] | [4] => layout: [i0, t0]);
",
    right: "map m = reshape_map([(3, 4)] | [4] => layout: [i0, t0]);
",
};

/// The entry at `span` has neither one nor two parts.
pub(crate) fn dimension_entry(span: Span) -> Diagnostic {
    PAGE.at(span, "a dimension is a size `D`, or a pair `(D, TD)` with its size in the tensor")
        .label("expected `D` or `(D, TD)`")
}
