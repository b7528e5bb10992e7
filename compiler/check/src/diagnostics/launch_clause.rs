//! A `cluster`, `grid` or `block` clause that has no meaning as it stands.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `launch-clause`.
pub static PAGE: Page = Page {
    code: "launch-clause",
    severity: Severity::Error,
    title: "a clause of the launch has no meaning as it stands",
    explanation: "`cluster(c)`, `grid(n…)` and `block(b)` each stand once after a kernel's parameters, and their arguments are positive
numbers or expressions over sizes: `grid(cdiv(N, 256)) block(256)`.

Left out, the compiler chooses `block`, and a `grid` that covers the threads of the kernel's views. It is what stands
between `<<<` and `>>>` in CUDA, but it belongs to the kernel, so a kernel cannot be launched with other numbers.",
    wrong: "kernel read(x: f32[4]) grid() block(4) {
    let element = x[0];
}
",
    right: "kernel read(x: f32[4]) grid(1) block(4) {
    let element = x[0];
}
",
};

/// `message` says what is wrong with the clause.
pub(crate) fn launch_clause(span: Span, message: impl Into<String>) -> Diagnostic {
    PAGE.at(span, message).help("write for example `grid(cdiv(N, 256)) block(256)`")
}
