//! A thread that exchanges values with itself alone.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `lone-exchange`.
pub static PAGE: Page = Page {
    code: "lone-exchange",
    severity: Severity::Warning,
    title: "one thread exchanges values with nobody",
    explanation: "The iterator of `for t in threads(128, cuda_thread)` has one thread in each iteration, so `sum(v, over: t)` is `v` of the same
thread. What joins the values of all iterations is said by the threads around the loop: `over: block`, `over: warp`, or the
iterator of an outer loop over threads.",
    wrong: "kernel total(x: f32[128], y: mut f32[1]) grid(1) block(128) {
    for t in threads(128, cuda_thread) {
        let s = sum(x[t], over: t);
        if t == 0 { y[0] = s; }
    }
}
",
    right: "kernel total(x: f32[128], y: mut f32[1]) grid(1) block(128) {
    for t in threads(128, cuda_thread) {
        let s = sum(x[t], over: block);
        if t == 0 { y[0] = s; }
    }
}
",
};

/// The threads that `function` joins, `iterator` at `span`, are one thread.
pub(crate) fn lone_exchange(span: Span, function: &str, iterator: &str) -> Diagnostic {
    PAGE.at(
        span,
        format!("an iteration of `{iterator}` is one thread, so `{function}` gives each thread its own value"),
    )
    .label("one thread")
    .help("name the threads whose values are to be joined: `over: block`, `over: warp` or an outer iterator")
    .fix("join those of the block", span, "block")
}
