//! A loop that does not run over a range.

use super::diagnostic::{Diagnostic, Page, Severity};
use crate::syntax::span::Span;

/// The documentation of `bounded-loop`.
pub static PAGE: Page = Page {
    code: "bounded-loop",
    severity: Severity::Error,
    title: "a loop does not run over a range",
    explanation: "A `for` runs over `lo..hi`, where `hi` itself is not reached, and both ends are fixed before the loop starts. So every
kernel ends, and what a loop touches can be proven: a `while` that spins forever, and hangs the GPU with it, cannot be
written.

The ends are constants, sizes, scalars of the launch and the iterators of outer loops, which every thread of the launch
knows alike. `for i in 4` is written `for i in 0..4`.",
    wrong: "kernel sum(x: f32[4]) grid(1) block(1) {
    let mut total = 0.0;
    for i in 4 { total += x[i]; }
}
",
    right: "kernel sum(x: f32[4]) grid(1) block(1) {
    let mut total = 0.0;
    for i in 0..4 { total += x[i]; }
}
",
};

/// What stands after `in` is no range that every thread knows alike.
pub(crate) fn bounded_loop(span: Span) -> Diagnostic {
    PAGE.at(span, "a loop runs over `lo..hi`, with both ends known to every thread alike")
        .label("not such a range")
        .help("the ends are constants, sizes, scalar parameters or iterators of outer loops, for example `0..4`")
}
