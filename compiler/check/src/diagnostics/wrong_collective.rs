//! A statement needs other threads than those that run it.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `wrong-collective`.
pub static PAGE: Page = Page {
    code: "wrong-collective",
    severity: Severity::Error,
    title: "a statement needs other threads than those that run it",
    explanation: "Every statement of a kernel is run by a thread collective: the whole launch, a cluster, a block, or the threads that a loop
`for w in threads(n, unit)` or a `with threads(lo..hi, unit)` lets in. Some statements need a certain one: a shared array
belongs to all threads of a block, and a view that deals to 64 threads needs 64.

The message says how many threads there are, which loop narrowed them, and how many are needed. Move the statement out of
the loop, or choose the unit that it needs.",
    wrong: "kernel copy(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    for w in threads(2, cuda_warp) {
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

/// `what` needs `needed` (`64 threads`), but is run by `here`.
pub(crate) fn wrong_collective(span: Span, what: &str, needed: &str, here: &str) -> Diagnostic {
    PAGE.at(span, format!("{what} needs {needed}, but is run by {here}"))
        .label(format!("needs {needed}"))
        .help("move it out of the loop that narrows the threads, or narrow them to the unit that it needs")
}
