//! An offset below zero.

use super::diagnostic::{Diagnostic, Page, Severity};
use dims::Sym;
use syntax::span::Span;

/// The documentation of `negative-offset`.
pub static PAGE: Page = Page {
    code: "negative-offset",
    severity: Severity::Error,
    title: "the offset of a map is negative",
    explanation:
        "The offset is where the map's elements begin, counted from the start of the tensor, so it is at least 0.

In CUDA a negative offset reads the memory before the tensor, which is another tensor's. To run through the elements
backwards, reverse a dimension with a minus sign in the layout: `layout: [-i0, t0]`.",
    wrong: "map m = reshape_map([3] | [4] => layout: [i0, t0], offset: -4);
",
    right: "map m = reshape_map([3] | [4] => layout: [i0, t0], offset: 4);
",
};

/// The offset at `span` has this value.
pub(crate) fn negative_offset(span: Span, offset: &Sym) -> Diagnostic {
    let message = match offset.as_constant() {
        Some(offset) => format!("the offset is {offset}, but a map cannot begin before element 0"),
        None => format!("the offset `{offset}` is negative for some sizes, but a map cannot begin before element 0"),
    };
    PAGE.at(span, message)
        .label("negative")
        .help("to run through a dimension backwards, put a `-` before its entry in the layout")
}
