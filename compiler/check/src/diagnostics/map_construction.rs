//! A map that cannot be built from its parts.

use super::diagnostic::{Diagnostic, Page, Severity};
use maps::MapError;
use syntax::span::Span;

/// The documentation of `map-construction`.
pub static PAGE: Page = Page {
    code: "map-construction",
    severity: Severity::Error,
    title: "a map cannot be built from its parts",
    explanation: "The parts are fine one by one, but do not make a map together. For example, each level of a `chain` has one index of its
own and leads to one number, so a `reshape_map` with two local dimensions does not fit into it.

The message says what was needed and what there was.",
    wrong: "map pairs = reshape_map([2, 2] | [4] => layout: [i0, i1, t0]);
map m = chain((pairs, warp), (linear(2), thread));
",
    right: "map pairs = reshape_map([4] | [4] => layout: [i0, t0]);
map m = chain((pairs, warp), (linear(2), thread));
",
};

/// The map at `span` cannot be built.
pub(crate) fn map_construction(span: Span, error: &MapError) -> Diagnostic {
    PAGE.at(span, format!("this map cannot be built: {error}"))
}

/// A transform needs the length of a dimension that has no end.
pub(crate) fn dimension_without_end(span: Span, dimension: usize) -> Diagnostic {
    PAGE.at(span, format!("this map cannot be built: dimension {dimension} has no end"))
}
