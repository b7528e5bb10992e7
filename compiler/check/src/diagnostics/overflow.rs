//! A number beyond 64 bits.

use super::diagnostic::{Diagnostic, Page, Severity};
use dims::Arithmetic;
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

/// A result exceeds 64 bits.
pub(crate) fn overflow(span: Span, error: &Arithmetic) -> Diagnostic {
    too_large(span, error.to_string())
}

/// The negative of a number above 2⁶³ − 1.
pub(crate) fn negated_unsigned(span: Span, value: u64) -> Diagnostic {
    let message = format!("`-{value}` does not fit in 64 bits");
    PAGE.at(span, message).label("too small").help(format!("the smallest integer is {}", i64::MIN))
}

/// A shared array has more elements than 64 bits can count.
pub(crate) fn shared_array_overflow(span: Span) -> Diagnostic {
    too_large(span, "the number of elements of this shared array does not fit in 64 bits".to_owned())
}

/// A view computes a number beyond 64 bits on the way to an element.
pub(crate) fn index_overflow(span: Span, tensor: &str) -> Diagnostic {
    let message =
        format!("on the way to an element of `{tensor}`, the view computes a number that does not fit in 64 bits");
    too_large(span, message).help("make the sizes in the maps of the view smaller")
}

fn too_large(span: Span, message: String) -> Diagnostic {
    PAGE.at(span, message).label("too large").help(format!("the largest integer is {}", i64::MAX))
}
