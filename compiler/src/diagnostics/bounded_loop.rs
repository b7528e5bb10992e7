//! A loop that does not run over a range.

use super::diagnostic::{Diagnostic, Page, Severity};
use crate::syntax::span::Span;

/// The documentation of `bounded-loop`.
pub static PAGE: Page = Page {
    code: "bounded-loop",
    severity: Severity::Error,
    title: "a loop does not run over a range",
    explanation: "A `for` runs over `lo..hi`, where `hi` itself is not reached. Both ends are integers, and are evaluated once, before the
loop starts. So every kernel ends: a `while` that spins forever, and hangs the GPU with it, cannot be written.

Any integer will do for an end, also one that was read from a tensor; each thread then runs as many steps as its own data
say. An index that such a loop makes needs an `if` around its access, because nothing is known of how far it goes.
`for i in 4` is written `for i in 0..4`.",
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

/// What stands after `in` is no range.
pub(crate) fn bounded_loop(span: Span) -> Diagnostic {
    PAGE.at(span, "a loop runs over a range `lo..hi`").label("not a range").help("write for example `0..4`")
}
