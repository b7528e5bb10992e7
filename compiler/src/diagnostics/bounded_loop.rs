//! A loop whose range is not the same for every thread.

use super::diagnostic::{Diagnostic, Page, Severity};
use crate::syntax::span::Span;

/// The documentation of `bounded-loop`.
pub static PAGE: Page = Page {
    code: "bounded-loop",
    severity: Severity::Error,
    title: "the range of a loop is not known to every thread alike",
    explanation: "A `for` runs over `lo..hi`, and both ends are known to every thread alike: constants, sizes, scalars of the launch and
the iterators of outer loops. So every kernel ends, every thread of a warp takes the same number of steps, and what the
loop touches can be proven.

A limit that is read from memory is no such end. Run to the largest and put an `if` into the body.",
    wrong: "kernel fill(n: i32[4], y: mut f32[4]) grid(1) block(4) {
    view ns = n via reshape_map([1] | [4] => layout: [i0, t0]);
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    for i in 0..ns[0] { ys[0] = 1.0; }
}
",
    right: "kernel fill(n: i32[4], y: mut f32[4]) grid(1) block(4) {
    view ns = n via reshape_map([1] | [4] => layout: [i0, t0]);
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    for i in 0..1 { ys[0] = 1.0; }
}
",
};

/// What stands after `in` is no such range.
pub(crate) fn bounded_loop(span: Span) -> Diagnostic {
    PAGE.at(span, "a loop runs over `lo..hi` with both ends known to every thread alike")
        .label("not a range that all threads share")
        .help(
            "the ends may use constants, sizes, scalar parameters and outer iterators, but nothing read from a tensor",
        )
}
