//! A declared rank that is not the rank of the initialiser.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use maps::shapes::Shape;
use syntax::span::Span;

/// The documentation of `rank-mismatch`.
pub static PAGE: Page = Page {
    code: "rank-mismatch",
    severity: Severity::Error,
    title: "the declared rank is not the rank of the initialiser",
    explanation: "`mdspan<N>` promises a rank, and the brackets after the colon have another one.

The rank is the number of dimensions, so `[64, 32]` has rank 2. In C++ the same slip (`mdspan` with the wrong `extents`)
is a long template error; with a raw pointer and hand-written strides it is no error at all, only wrong addresses.

Change the number, or leave out `<N>` and let the rank follow from the initialiser.",
    wrong: "mdspan<3> s : [64, 32];
",
    right: "mdspan<2> s : [64, 32];
",
};

/// The rank in `mdspan<declared>` at `span` is not that of the shape at `value_span`.
pub(crate) fn rank_mismatch(span: Span, declared: i64, value_span: Span, shape: &Shape) -> Diagnostic {
    let rank = shape.rank();
    let shape = words::short(shape);
    PAGE.at(
        span,
        format!("`mdspan<{declared}>` is declared with rank {declared}, but its initialiser `{shape}` has rank {rank}"),
    )
    .label(format!("should be {rank}"))
    .related(value_span, format!("`{shape}` has {}", words::count(rank, "dimension")))
    .fix(format!("change the rank to {rank}"), span, rank.to_string())
}
