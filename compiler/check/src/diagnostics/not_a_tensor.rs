//! Something other than a tensor where a tensor is needed.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `not-a-tensor`.
pub static PAGE: Page = Page {
    code: "not-a-tensor",
    severity: Severity::Error,
    title: "a tensor is needed",
    explanation: "Views, partitions and element accesses are of tensors: parameters with a shape, `x: f32[12]`, or `shared` buffers. A
scalar parameter such as `a: f32` is one value and has no elements.",
    wrong: "kernel fill(a: f32, y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = a[0];
}
",
    right: "kernel fill(a: f32, y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = a;
}
",
};

/// `name`, or `this`, is `what`: a noun phrase such as `a scalar`, or `not` and a reason.
pub(crate) fn not_a_tensor(span: Span, name: &str, what: &str) -> Diagnostic {
    let subject = if name == "this" { name.to_owned() } else { format!("`{name}`") };
    let expected = if what.starts_with("no") { "" } else { ", expected a tensor" };
    PAGE.at(span, format!("{subject} is {what}{expected}"))
        .label("not a tensor")
        .help("a parameter with a shape is a tensor: `x: f32[12]`")
}
