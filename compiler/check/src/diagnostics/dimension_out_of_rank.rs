//! A number that names no dimension of a shape.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use crate::values::Value;
use maps::shapes::Shape;
use syntax::span::Span;

/// The documentation of `dimension-out-of-rank`.
pub static PAGE: Page = Page {
    code: "dimension-out-of-rank",
    severity: Severity::Error,
    title: "a shape has no dimension of this number",
    explanation: "Dimensions are numbered from 0, so `[64, 32]` has the dimensions 0 and 1; there is no dimension 2.

The same holds for `(k)` inside a derivation's bracket, which means dimension `k` of the shape before the bracket, and
for ranges: `s(0..2)` are the dimensions 0 and 1. In `mdspan` terms this is `extent(r)` with `r >= rank()`, which C++
leaves undefined.",
    wrong: "s : [64, 32];
t : [s(2), 4];
",
    right: "s : [64, 32];
t : [s(1), 4];
",
};

/// `position`, a number or a range, is not in the shape.
pub(crate) fn dimension_out_of_rank(span: Span, position: &Value, shape: &Shape) -> Diagnostic {
    let rank = shape.rank();
    let what = if matches!(position, Value::Range(..)) { "are no dimensions" } else { "is no dimension" };
    let shape = words::short(shape);
    PAGE.at(span, format!("`{position}` {what} of `{shape}`, which has rank {rank}")).help(match rank {
        0 => "a shape of rank 0 has no dimensions".to_owned(),
        _ => format!(
            "its {} numbered {}",
            if rank == 1 { "dimension is" } else { "dimensions are" },
            words::positions(rank)
        ),
    })
}
