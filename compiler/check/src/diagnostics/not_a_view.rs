//! A view that cannot be made, or an access through a view that is not a thread's own.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The documentation of `not-a-view`.
pub static PAGE: Page = Page {
    code: "not-a-view",
    severity: Severity::Error,
    title: "something cannot be used as a view",
    explanation: "A view divides what a collective has among its parts: a tensor among the threads, or the part of a block among the threads
of the block. So its map takes local indices and one thread id, the last coordinate, to what it divides; and what belongs to a
single thread cannot be divided further. A map without a thread coordinate divides nothing: it only gives other indices,
such as the rows and columns of `row_major([8, 64])`.

Elements are read and written through a view that belongs to a thread. Divide a block's view once more with `via`.",
    wrong: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    view again = ys via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = 1.0;
}
",
    right: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = 1.0;
}
",
};

/// `reason` says why there is no view here, or no access through one.
pub(crate) fn not_a_view(span: Span, reason: &str) -> Diagnostic {
    PAGE.at(span, format!("this cannot be used as a view: {}", words::unstopped(reason))).label("not a view here")
}
