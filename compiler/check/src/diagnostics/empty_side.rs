//! A side of a `reshape_map` without dimensions.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words::Side;
use syntax::span::Span;

/// The documentation of `empty-side`.
pub static PAGE: Page = Page {
    code: "empty-side",
    severity: Severity::Error,
    title: "a side of a `reshape_map` has no dimensions",
    explanation: "Both sides of the `|` have at least one dimension: the local side says how many elements a thread has, the thread side
how many threads there are.

One element for each thread is `[1] | [N]`, and one thread that has all of the elements is `[N] | [1]`. The empty side
would be an index that does not exist.",
    wrong: "map m = reshape_map([] | [4] => layout: [t0]);
",
    right: "map m = reshape_map([1] | [4] => layout: [i0, t0]);
",
};

/// The brackets of a side at `span` are empty.
pub(crate) fn empty_side(span: Span, side: Side) -> Diagnostic {
    let one = match side {
        Side::Local => "one element for each thread",
        Side::Thread => "a single thread",
    };
    PAGE.at(span, format!("the {side} side of this `reshape_map` has no dimensions"))
        .label("expected at least one size")
        .help(format!("`[1]` means {one}"))
        .fix(format!("write `[1]`: {one}"), span, "[1]")
}
