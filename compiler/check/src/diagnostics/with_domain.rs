//! `with` takes some threads of a unit.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `with-domain`.
pub static PAGE: Page = Page {
    code: "with-domain",
    severity: Severity::Error,
    title: "`with` takes some threads of a unit",
    explanation: "`with threads(lo..hi, unit) { }` lets only the collectives `lo` up to before `hi` in, counted in a unit. The others pass by.",
    wrong: "kernel copy(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    with threads(2, cuda_warp) {
        view xs = x via reshape_map([1] | [64] => layout: [i0, t0]);
        view ys = y via reshape_map([1] | [64] => layout: [i0, t0]);
        ys[0] = xs[0];
    }
}
",
    right: "kernel copy(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    with threads(0..2, cuda_warp) {
        view xs = x via reshape_map([1] | [64] => layout: [i0, t0]);
        view ys = y via reshape_map([1] | [64] => layout: [i0, t0]);
        ys[0] = xs[0];
    }
}
",
};

/// Anything else after `with`.
pub(crate) fn with_domain(span: Span) -> Diagnostic {
    PAGE.at(span, "`with` takes a range of collectives: `with threads(lo..hi, unit)`")
        .label("no range of threads")
        .help("write which ones go in, such as `with threads(0..4, cuda_warp)`; a loop over them is `for w in threads(4, cuda_warp)`")
}

/// `for t in threads(lo..hi, unit)`; `head` is `for t in `, in whose place `with` could stand.
pub(crate) fn range_in_threads_loop(range: Span, head: Span) -> Diagnostic {
    PAGE.at(range, "a loop over threads takes their number, and no range of them")
        .label("a range")
        .fix("let only these threads in, with `with`", head, "with")
        .help("`for t in threads(64, cuda_thread)` counts threads from 0; `with threads(0..64, cuda_thread)` lets some of them in, and such a loop may stand in it")
}
