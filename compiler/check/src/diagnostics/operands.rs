//! Operands that an operator does not take.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use crate::values::Value;
use syntax::span::Span;

/// The documentation of `operands`.
pub static PAGE: Page = Page {
    code: "operands",
    severity: Severity::Error,
    title: "an operator does not take these operands",
    explanation: "Arithmetic takes integers, floats, shapes, and tuples or lists of integers; a single integer serves every dimension of a
shape, `s / 4`. Comparisons take two numbers, or two things of the same kind; `&&` and `||` take truth values.

The message shows both operands and what they are.",
    wrong: "const a = 64 + true;
",
    right: "const a = 64 + 1;
",
};

/// `op` between, or the function `op` of, these two values.
pub(crate) fn operands(span: Span, op: &str, left: &Value, right: &Value) -> Diagnostic {
    let kinds = match (left.kind(), right.kind()) {
        (left, right) if left == right => format!("{left} and {right}"),
        (left, right) => format!("{left} with {right}"),
    };
    PAGE.at(span, format!("`{op}` does not combine {kinds}"))
        .label(format!("`{op}` is not defined here"))
        .help(format!("the operands are `{}` and `{}`", words::short(left), words::short(right)))
}
