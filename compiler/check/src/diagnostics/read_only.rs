//! A store to a read-only tensor.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `read-only`.
pub static PAGE: Page = Page {
    code: "read-only",
    severity: Severity::Error,
    title: "a tensor that may only be read is written",
    explanation: "A kernel writes only what its parameters declare as `mut`: `y: mut f32[12]`. A tensor without `mut` is the same for every
thread during the whole launch, so that it can be read through the read-only cache, as `const __restrict__` promises in
CUDA, here with a guarantee.",
    wrong: "kernel fill(y: f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = 1.0;
}
",
    right: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = 1.0;
}
",
};

/// The tensor `name` is written at `span`; its element type is at `element`.
pub(crate) fn read_only(span: Span, name: &str, element: Span) -> Diagnostic {
    PAGE.at(span, format!("`{name}` is written, but it is not declared as `mut`"))
        .label("written here")
        .related(element, format!("`{name}` is declared as read-only here"))
        .fix(format!("declare `{name}` as `mut`"), Span::new(element.start, element.start), "mut ")
}
