//! A view of a tensor without a map.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `view-needs-via`.
pub static PAGE: Page = Page {
    code: "view-needs-via",
    severity: Severity::Error,
    title: "a view does not say which map it goes through",
    explanation: "A `view` says which elements of a tensor belong to each thread, so it needs the map from the thread and its local index to
the element: `view xs = x via m;`. Tiles need none, because `partition(x, [64, 64])` is a map already.",
    wrong: "kernel read(x: f32[4]) grid(1) block(4) {
    view xs = x;
}
",
    right: "kernel read(x: f32[4]) grid(1) block(4) {
    view xs = x via reshape_map([1] | [4] => layout: [i0, t0]);
}
",
};

/// `t via m` at `span`, where no tensor is asked for.
pub(crate) fn via_alone(span: Span) -> Diagnostic {
    PAGE.at(span, "`via` gives a tensor other indices, but no tensor is asked for here")
        .label("a tensor through a map")
        .help(
            "it stands in a view, `view v = x via m;`, in `partition(x via m, [64, 64])`, and in `gather(x via m, i)`",
        )
}

/// The source of a view at `span` has no map.
pub(crate) fn view_needs_via(span: Span) -> Diagnostic {
    PAGE.at(span, "this view does not say which elements each thread has")
        .label("expected `via` and a map")
        .help("write for example `via reshape_map([1] | [4] => layout: [i0, t0])`")
}
