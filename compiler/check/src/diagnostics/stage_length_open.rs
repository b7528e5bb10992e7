//! A length that is given in a stage and not known to be that of its dimension.

use super::Remedy;
use super::diagnostic::{Diagnostic, Page, Severity};
use dims::Sym;
use syntax::span::Span;

/// The documentation of `stage-length-open`.
pub static PAGE: Page = Page {
    code: "stage-length-open",
    severity: Severity::Warning,
    title: "a length in a stage is not known to be that of its dimension",
    explanation: "The length that is written depends on symbols, or that of the dimension does, and the facts after `where` do not say
that they are equal. A coordinate is valid only where it lies inside both, so nothing wrong is reached, but some
elements may not be reached at all.

State the fact, or leave the length out: it is taken from the dimension then.",
    wrong: "dim N;
map m = row_major([N]) |> unmerge(4, 8);
",
    right: "dim N where N % 8 == 0;
map m = row_major([N]) |> unmerge(_, 8);
",
};

/// `written` is the given length, `found` that of dimension `dimension` before stage `stage`.
pub(crate) fn stage_length_open(
    span: Span,
    word: &str,
    stage: usize,
    dimension: usize,
    written: &Sym,
    found: &Sym,
    remedy: Option<Remedy>,
) -> Diagnostic {
    let message = format!(
        "`{word}` is written for length {written}, and dimension {dimension} before stage {stage} has length {found}; \
         they are not known to be equal"
    );
    PAGE.at(span, message).label(format!("is it {found}?")).remedied("they are equal", remedy)
}
