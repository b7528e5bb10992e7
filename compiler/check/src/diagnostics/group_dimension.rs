//! A group that does not take every dimension exactly once.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use maps::IndexMap;
use syntax::span::Span;

/// The documentation of `group-dimension`.
pub static PAGE: Page = Page {
    code: "group-dimension",
    severity: Severity::Error,
    title: "a group does not take every dimension exactly once",
    explanation: "A group lists the dimensions of the map before it, each exactly once, and says what stands above them. A dimension that
stays as it is has `_`. One that was forgotten would silently be fixed at 0, and one that is listed twice would be reached
in two ways.",
    wrong: "map m = row_major([30, 30]) |> { 0: pad(1, 1) };
",
    right: "map m = row_major([30, 30]) |> { 0: pad(1, 1), 1: _ };
",
};

/// Dimensions of the map that no entry takes. The fix adds them after the last entry, at `end`.
pub(crate) fn dimensions_missing(span: Span, missing: &[usize], map: &IndexMap, end: Option<u32>) -> Diagnostic {
    let names: Vec<String> = missing.iter().map(usize::to_string).collect();
    let shape = words::upper_shape(map);
    let (word, verb) = if missing.len() == 1 { ("dimension", "is") } else { ("dimensions", "are") };
    let diagnostic = PAGE
        .at(
            span,
            format!("{word} {} {verb} not in this group; the map before it has the shape {shape}", words::list(&names)),
        )
        .label(format!("{} {verb} missing", words::list(&names)))
        .help("`_` leaves a dimension as it is");
    let Some(end) = end else { return diagnostic };
    let added: Vec<String> = missing.iter().map(|dimension| format!(", {dimension}: _")).collect();
    diagnostic.fix("leave the missing dimensions as they are", Span::new(end, end), added.concat())
}

/// A dimension that the map does not have.
pub(crate) fn dimension_not_there(span: Span, dimension: i64, rank: usize, map: &IndexMap) -> Diagnostic {
    let shape = words::upper_shape(map);
    PAGE.at(span, format!("there is no dimension {dimension}: the map before this group has the shape {shape}"))
        .label(format!("expected {}", words::positions(rank)))
}

/// A dimension that an earlier entry takes already.
pub(crate) fn dimension_twice(span: Span, first: Span, dimension: usize) -> Diagnostic {
    PAGE.at(span, format!("dimension {dimension} is in this group twice")).label("again").related(first, "first here")
}
