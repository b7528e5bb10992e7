//! A name that is neither a view nor a tensor where elements are accessed.

use super::diagnostic::{Diagnostic, Page, Severity};
use crate::syntax::span::Span;

/// The documentation of `not-a-view`.
pub static PAGE: Page = Page {
    code: "not-a-view",
    severity: Severity::Error,
    title: "a view or a tensor is needed",
    explanation: "Brackets after a name access an element, `ys[i]`, so the name is a view or a tensor. A variable declared by `let`, a
scalar parameter and an iterator hold one value each.",
    wrong: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    let one = 1.0;
    ys[0] = one[0];
}
",
    right: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    let one = 1.0;
    ys[0] = one;
}
",
};

/// `name` has no elements.
pub(crate) fn not_a_view(span: Span, name: &str) -> Diagnostic {
    PAGE.at(span, format!("`{name}` is neither a view nor a tensor, so it has no elements"))
        .label("a single value")
        .help(format!("leave out the brackets to use its value: `{name}`"))
}
