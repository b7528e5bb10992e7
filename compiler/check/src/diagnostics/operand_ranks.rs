//! Shapes of different rank in one operation.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `operand-ranks`.
pub static PAGE: Page = Page {
    code: "operand-ranks",
    severity: Severity::Error,
    title: "shapes of different rank are combined",
    explanation: "Arithmetic on two shapes goes dimension by dimension, so both have the same rank. Nothing is added in front, as NumPy and
PyTorch do: a broadcast that happens by accident hides exactly the mistakes this language is for.

A single integer serves every dimension, `s / 4`. To change some of the dimensions, derive: `s [(0) / 4, (1)]`.",
    wrong: "s : [64, 32];
t : s / [2, 4, 1];
",
    right: "s : [64, 32];
t : s / [2, 4];
",
};

/// The operands of `op` have these ranks.
pub(crate) fn operand_ranks(span: Span, op: &str, left: usize, right: usize) -> Diagnostic {
    PAGE.at(
        span,
        format!("`{op}` needs shapes of the same rank, found rank {left} on the left and rank {right} on the right"),
    )
    .label(format!("rank {left} and rank {right}"))
    .help("one integer serves every dimension, and `s [(0) / 4, (1)]` changes some of them")
}
