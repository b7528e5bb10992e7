//! Something other than a tensor where a tensor is needed.

use super::diagnostic::{Diagnostic, Page, Severity};
use smol_str::SmolStr;
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

/// The expression where a tensor is needed.
pub(crate) enum NotTensor {
    /// A variable of this name.
    Variable(SmolStr),
    /// A tensor or view of this name that is assigned as a whole.
    NoVariable(SmolStr),
    /// An expression that is no name.
    Expression,
    /// An assigned expression that is no element.
    NoElement,
}

/// The expression at `span` is no tensor.
pub(crate) fn not_a_tensor(span: Span, found: &NotTensor) -> Diagnostic {
    let message = match found {
        NotTensor::Variable(name) => format!("`{name}` is a variable, expected a tensor"),
        NotTensor::NoVariable(name) => format!("`{name}` is not a variable: give the index of an element"),
        NotTensor::Expression => "this is an expression, expected a tensor".to_owned(),
        NotTensor::NoElement => "this is no element of a tensor or view".to_owned(),
    };
    PAGE.at(span, message).label("not a tensor").help("a parameter with a shape is a tensor: `x: f32[12]`")
}
