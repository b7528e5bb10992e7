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

/// Dimensions of the map that no entry takes. `entries` has the span and the least dimension of each entry: the fix adds those
/// that are missing before the first one with a greater number, since their order is that of the dimensions above.
pub(crate) fn dimensions_missing(
    span: Span,
    missing: &[usize],
    map: &IndexMap,
    entries: &[(Span, Option<usize>)],
) -> Diagnostic {
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
    let Some((last, _)) = entries.last() else { return diagnostic };
    let mut edits: Vec<(Span, String)> = Vec::new();
    for dimension in missing {
        let next = entries.iter().find(|(_, least)| least.is_some_and(|least| least > *dimension));
        let (at, text) = match next {
            Some((entry, _)) => (entry.start, format!("{dimension}: _, ")),
            None => (last.end, format!(", {dimension}: _")),
        };
        match edits.iter_mut().find(|(place, _)| place.start == at) {
            Some((_, before)) => before.push_str(&text),
            None => edits.push((Span::new(at, at), text)),
        }
    }
    let edits = edits.into_iter().map(|(place, text)| (place, text.into())).collect();
    diagnostic.fix_at("leave the missing dimensions as they are", edits)
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
