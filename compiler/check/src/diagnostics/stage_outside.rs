//! A transform that refers to coordinates outside its dimension.

use super::diagnostic::{Diagnostic, Page, Severity};
use dims::Sym;
use syntax::span::Span;

/// The documentation of `stage-outside`.
pub static PAGE: Page = Page {
    code: "stage-outside",
    severity: Severity::Warning,
    title: "a transform names coordinates outside its dimension",
    explanation: "A slice that ends behind its dimension, a position that lies beyond it, a modulus that is larger: the points that lead
outside are not valid, so nothing wrong is read, but they were probably not meant.",
    wrong: "map m = row_major([8]) |> slice(4, 12);
",
    right: "map m = row_major([8]) |> slice(4, 8);
",
};

/// `word` refers to the coordinates `first..end` of a dimension with this length.
pub(crate) fn stage_outside(span: Span, word: &str, first: &Sym, end: &Sym, length: &Sym) -> Diagnostic {
    let what = match (first.as_constant(), end.as_constant()) {
        (Some(first), Some(end)) if first.checked_add(1) == Some(end) => format!("coordinate {first}"),
        (Some(first), Some(end)) => format!("the coordinates {first} to {}", end.saturating_sub(1)),
        _ => format!("the coordinates from {first} to before {end}"),
    };
    PAGE.at(span, format!("`{word}` names {what}, but the dimension has length {length}"))
        .label("leaves the dimension")
        .help("points that lead outside the dimension are not valid")
}
