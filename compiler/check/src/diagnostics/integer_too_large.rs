//! An integer that is too large to be written.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The documentation of `integer-too-large`.
pub static PAGE: Page = Page {
    code: "integer-too-large",
    severity: Severity::Error,
    title: "an integer does not fit in 64 bits",
    explanation: "Integers are exact up to 9223372036854775807, which is 64 bits with a sign, and up to 18446744073709551615 where they are
given to a `u64`. A larger one is refused rather than wrapped.

No size, stride or index of a real tensor is anywhere near; a digit too many is the usual reason.",
    wrong: "const a = 18446744073709551616;
",
    right: "const a = 18446744073709551615;
",
};

/// `digits` are as written.
pub(super) fn integer_too_large(span: Span, digits: &str) -> Diagnostic {
    PAGE.at(span, format!("the integer `{}` does not fit in 64 bits", words::short(&digits)))
        .label("too large")
        .help(format!("the largest integer is {}", u64::MAX))
}
