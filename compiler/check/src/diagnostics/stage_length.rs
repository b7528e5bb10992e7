//! A length that is given in a stage and differs from that of its dimension.

use super::diagnostic::{Diagnostic, Page, Severity};
use dims::Sym;
use syntax::span::Span;

/// The documentation of `stage-length`.
pub static PAGE: Page = Page {
    code: "stage-length",
    severity: Severity::Error,
    title: "a stage is written for another length than the dimension has",
    explanation: "A transform in a pipeline knows the lengths of its dimensions, so they may be left out. Where they are written they are
checked: a `merge(4, 5)` above dimensions of lengths 4 and 6 would pair the wrong digits, and every element behind the
first row would be another one than meant.",
    wrong: "map m = row_major([4, 6]) |> merge(4, 5);
",
    right: "map m = row_major([4, 6]) |> merge(4, 6);
",
};

/// `written` is the given length, `found` that of dimension `dimension` before stage `stage`.
pub(crate) fn stage_length(
    span: Span,
    word: &str,
    stage: usize,
    dimension: usize,
    written: &Sym,
    found: &Sym,
) -> Diagnostic {
    PAGE.at(
        span,
        format!("`{word}` is written for length {written}, but dimension {dimension} before stage {stage} has length {found}"),
    )
    .label(format!("expected {found}, found {written}"))
    .help("lengths of the dimensions below may be left out: they are known here")
}

/// A map as a stage, whose lower extent exceeds dimension `dimension` before stage `stage`.
pub(crate) fn stage_map_length(
    span: Span,
    word: &str,
    stage: usize,
    dimension: usize,
    own: &Sym,
    found: &Sym,
) -> Diagnostic {
    PAGE.at(
        span,
        format!("`{word}` needs a dimension of length {own}, but dimension {dimension} before stage {stage} has length {found}"),
    )
    .label(format!("at most {found}, found {own}"))
    .help("a map may use less of a dimension than there is, but not more; `right_pad` makes a dimension longer")
}
