//! A read of something that has no value yet.

use super::diagnostic::{Diagnostic, Page, Severity};
use crate::syntax::span::Span;

/// The documentation of `uninitialised`.
pub static PAGE: Page = Page {
    code: "uninitialised",
    severity: Severity::Error,
    title: "something is read before it has a value",
    explanation: "Shared memory and variables have no value until they are written, and what a GPU finds there is left over from an earlier
kernel. Nothing that this kernel did before gives it a value here.

Write it first, in every thread that reads it.",
    wrong: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    shared buffer : f32[4];
    ys[0] = buffer[0];
}
",
    right: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = 0.0;
}
",
};

/// `name` is read at `span` and has no value there.
pub(crate) fn uninitialised(span: Span, name: &str) -> Diagnostic {
    PAGE.at(span, format!("`{name}` is read here, but nothing has been written to it"))
        .label("no value yet")
        .help("write it before it is read")
}
