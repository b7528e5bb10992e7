//! A shared array is declared in a loop or under a condition.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `shared-place`.
pub static PAGE: Page = Page {
    code: "shared-place",
    severity: Severity::Error,
    title: "a shared array is declared in a loop or under a condition",
    explanation: "A shared array is there from the beginning of a block to its end. In a loop or an `if` it would look as if each iteration
had a fresh one.

Declare it before the loop.",
    wrong: "kernel copy(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    for i in 0..2 {
        shared s : f32[64];
    }
}
",
    right: "kernel copy(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    shared s : f32[64];
    for t in threads(64, cuda_thread) { s[t] = x[t]; }
    for t in threads(64, cuda_thread) { y[t] = s[63 - t]; }
}
",
};

/// The array of that name is declared in a loop or under a condition.
pub(crate) fn shared_place(span: Span, name: &str) -> Diagnostic {
    PAGE.at(span, format!("the shared array `{name}` is declared in a loop or under a condition, but a block has one for all of its time"))
        .label("declared too late")
        .help("declare it before the loop or the `if`")
}
