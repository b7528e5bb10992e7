//! A number beyond 64 bits.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The documentation of `overflow`.
pub static PAGE: Page = Page {
    code: "overflow",
    severity: Severity::Error,
    title: "a number does not fit in 64 bits",
    explanation: "Integers are mathematical: a result is exact, or it is an error. It never wraps around.

In CUDA `blockIdx.x * blockDim.x * stride` is 32-bit arithmetic and wraps silently for large tensors, and the access lands
somewhere else. Here every size and index fits in 64 bits, or the message shows the operands that do not.",
    wrong: "const a = 4611686018427387904 * 4;
",
    right: "const a = 4611686018427387904 / 4;
",
};

/// `text` says what does not fit.
pub(crate) fn overflow(span: Span, text: &str) -> Diagnostic {
    PAGE.at(span, words::unstopped(text)).label("too large").help(format!("the largest integer is {}", i64::MAX))
}
