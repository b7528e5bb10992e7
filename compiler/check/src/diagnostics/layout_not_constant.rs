//! An entry of a layout that is neither a number nor a dimension's name.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The documentation of `layout-not-constant`.
pub static PAGE: Page = Page {
    code: "layout-not-constant",
    severity: Severity::Error,
    title: "an entry of a layout is neither a number nor the name of a dimension",
    explanation: "The entries of a layout are written out: the number of a dimension or its name, `i0`, `i1`, … for the local dimensions
and `t0`, `t1`, … for those of the threads, with a minus sign in front where the dimension is reversed.

Sizes and the offset of a map may be symbolic or computed, its layout may not: the order of the dimensions decides which
accesses coalesce and what can be proven, so it is fixed when the map is written.",
    wrong: "const k = 1;
map m = reshape_map([3] | [4] => layout: [k, i0]);
",
    right: "map m = reshape_map([3] | [4] => layout: [t0, i0]);
",
};

/// The entry at `span`, in the layout of a map with these numbers of local and thread dimensions.
pub(crate) fn layout_not_constant(span: Span, counts: (usize, usize)) -> Diagnostic {
    PAGE.at(span, "an entry of a layout is a number or a name such as `i0`, optionally after a `-`")
        .label("not a dimension")
        .help(format!("the dimensions are: {}", words::layout_dimensions(counts)))
}
