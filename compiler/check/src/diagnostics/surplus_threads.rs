//! A launch with more threads than its views use.

use std::fmt::Display;

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `surplus-threads`.
pub static PAGE: Page = Page {
    code: "surplus-threads",
    severity: Severity::Hint,
    title: "a launch has more threads than its views use",
    explanation: "The views of this kernel give elements to fewer threads than the launch starts; the others do nothing. That is allowed,
and costs the time and registers of the idle threads.

The original `reshape_map!` wraps the thread id around instead, so that surplus threads would write the elements of other
threads: a race. Here they are masked off.",
    wrong: "kernel fill(y: mut f32[12]) grid(1) block(8) {
    view ys = y via reshape_map([3] | [4] => layout: [t0, i0]);
    for i in 0..3 { ys[i] = 1.0; }
}
",
    right: "kernel fill(y: mut f32[12]) grid(1) block(4) {
    view ys = y via reshape_map([3] | [4] => layout: [t0, i0]);
    for i in 0..3 { ys[i] = 1.0; }
}
",
};

/// `launched` threads run, `needed` have elements.
pub(crate) fn surplus_threads(span: Span, launched: impl Display, needed: impl Display) -> Diagnostic {
    PAGE.at(span, format!("the launch has {launched} threads, but this view has elements for {needed}"))
        .label("fewer threads than launched")
        .help("the others do nothing here: their accesses are masked off")
}
