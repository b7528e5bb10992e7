//! A layout with too few or too many entries.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;
use syntax::tree::Layout;

/// The documentation of `layout-length`.
pub static PAGE: Page = Page {
    code: "layout-length",
    severity: Severity::Error,
    title: "a layout does not have one entry for each dimension",
    explanation: "A layout lists every dimension of the map exactly once, the local ones and those of the threads, from the one that runs
fastest in memory to the slowest.

`[3] | [2, 2]` has three dimensions, `i0`, `t0` and `t1`, so its layout has three entries. Left out altogether, the
layout is all of them in this order. The order is what decides whether neighbouring threads read neighbouring elements:
with a `t` first they do, and the access is coalesced.",
    wrong: "map m = reshape_map([3] | [2, 2] => layout: [i0, t0]);
",
    right: "map m = reshape_map([3] | [2, 2] => layout: [i0, t0, t1]);
",
};

/// `layout` should have `expected` entries; `missing` are the dimensions that it does not name.
pub(crate) fn layout_length(layout: &Layout, expected: usize, missing: &[String]) -> Diagnostic {
    let found = words::count(layout.entries.len(), "entry");
    let diagnostic = PAGE
        .at(layout.span, format!("the layout has {found}, but the map has {}", words::count(expected, "dimension")));
    if missing.is_empty() {
        return match layout.entries.get(expected) {
            Some(surplus) => diagnostic.related(surplus.span, "surplus from here on"),
            None => diagnostic,
        };
    }
    let added = missing.join(", ");
    let (at, text) = match layout.entries.last() {
        Some(last) => (last.span.end, format!(", {added}")),
        None => (layout.span.end.saturating_sub(1), added.clone()),
    };
    let verb = if missing.len() == 1 { "is" } else { "are" };
    diagnostic
        .label(format!("{} {verb} missing", words::list(missing)))
        .help("an entry further to the left runs faster in memory")
        .fix(format!("add `{added}` as the slowest"), Span::new(at, at), text)
}
