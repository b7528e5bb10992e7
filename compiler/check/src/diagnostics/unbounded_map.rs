//! A question about every element of a map whose lower space has no end.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `unbounded-map`.
pub static PAGE: Page = Page {
    code: "unbounded-map",
    severity: Severity::Error,
    title: "a map without an end is asked about all of its elements",
    explanation: "`m.in_bounds` and `m.covers` ask about the space that the map leads to. The maps of `linear` and its siblings go on for
as long as the local index does, so there is no such space until someone says how large it is.

Give the size: `m.in_bounds(1024)`, `m.covers(1024)`. It is the length of the tensor that the map will be used on.",
    wrong: "map m = linear(2, 4);
assert m.in_bounds;
",
    right: "map m = reshape_map([2] | [4] => layout: [i0, t0]);
assert m.in_bounds;
",
};

/// The `question` at `span` needs bounds.
pub(crate) fn unbounded_map(span: Span, question: &str) -> Diagnostic {
    PAGE.at(span, "this map has no end of its own, so the question needs the size of the tensor")
        .label("in which bounds?")
        .help(format!("write the size in parentheses, for example `m.{question}(1024)`"))
}
