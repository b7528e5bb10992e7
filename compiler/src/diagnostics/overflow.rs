//! A number beyond 64 bits.

use std::fmt::Display;

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use crate::syntax::span::Span;

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

/// The largest index of an access, a number or an expression, does not fit in 64 bits.
pub(crate) fn index_width(span: Span, index: impl Display) -> Diagnostic {
    PAGE.at(span, format!("the index `{index}` of this access does not fit in 64 bits"))
        .label("too large")
        .help("bound the sizes with facts, for example `where M <= 65536`")
}
