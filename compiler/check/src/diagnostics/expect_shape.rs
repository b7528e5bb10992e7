//! A condition of an `expect` that does not fit the tensors in it.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `expect-shape`.
pub static PAGE: Page = Page {
    code: "expect-shape",
    severity: Severity::Error,
    title: "the condition of an `expect` does not fit its tensors",
    explanation: "`expect` compares whole tensors: both sides have the same shape, or one of them is a single number. `x.permute(1, 0)`
turns the dimensions, `x.reshape([…])` keeps the elements and needs the same number of them, `x.sum()` leaves a number.

The message shows the shapes.",
    wrong: "kernel copy(x: f32[4], y: mut f32[4]) grid(1) block(4) {
    view xs = x via reshape_map([1] | [4] => layout: [i0, t0]);
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = xs[0];
}
run copy(x: arange, y: zeros) expect y == x.reshape([2, 2]);
",
    right: "kernel copy(x: f32[4], y: mut f32[4]) grid(1) block(4) {
    view xs = x via reshape_map([1] | [4] => layout: [i0, t0]);
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = xs[0];
}
run copy(x: arange, y: zeros) expect y == x;
",
};

/// `message` says what does not fit, with the shapes.
pub(crate) fn expect_shape(span: Span, message: impl Into<String>) -> Diagnostic {
    PAGE.at(span, message)
}
