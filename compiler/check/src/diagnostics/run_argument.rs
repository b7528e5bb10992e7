//! An argument of a `run` that does not fit its parameter.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `run-argument`.
pub static PAGE: Page = Page {
    code: "run-argument",
    severity: Severity::Error,
    title: "an argument of a run does not fit its parameter",
    explanation: r#"The arguments of a `run` say what the parameters hold before the kernel starts, by name: `zeros`, `ones`, `arange`,
`random(seed)`, a number, a literal in brackets, or `npy("x.npy")`. A scalar gets a number.

The message says what was expected and what was found."#,
    wrong: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = 1.0;
}
run fill(y: zeros, z: zeros);
",
    right: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = 1.0;
}
run fill(y: zeros);
",
};

/// `message` says what is wrong with the argument.
pub(crate) fn run_argument(span: Span, message: impl Into<String>) -> Diagnostic {
    PAGE.at(span, message)
        .help("an argument is `name: value` with `zeros`, `ones`, `arange`, `random(1)`, a number, a literal or `npy(\"x.npy\")`")
}
