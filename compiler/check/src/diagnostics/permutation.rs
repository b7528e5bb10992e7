//! An invalid permutation of a map's coordinates.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The documentation of `permutation`.
pub static PAGE: Page = Page {
    code: "permutation",
    severity: Severity::Error,
    title: "an order of coordinates does not name each exactly once",
    explanation: "`m.permute(order…)` has the coordinates of `m` in another order: its coordinate k is coordinate `order[k]` of `m`, as in
numpy. So the order names each coordinate exactly once, from 0.",
    wrong: "map m = row_major([2, 3, 4]).permute(0, 2, 2);
",
    right: "map m = row_major([2, 3, 4]).permute(0, 2, 1);
",
};

/// Too many or too few entries.
pub(crate) fn permutation_length(span: Span, expected: usize, found: usize) -> Diagnostic {
    let (coordinates, entries) = (words::count(expected, "coordinate"), words::count(found, "entry"));
    PAGE.at(span, format!("the map has {coordinates}, but the order has {entries}"))
        .label(format!("{} needed", words::count(expected, "entry")))
        .help(format!("name each of {} once", words::positions(expected)))
}

/// An entry that is not a coordinate of the map.
pub(crate) fn permutation_range(span: Span, entry: i64, rank: usize) -> Diagnostic {
    PAGE.at(span, format!("the map has {}, so there is no coordinate {entry}", words::count(rank, "coordinate")))
        .label(format!("expected {}", words::positions(rank)))
}

/// A repeated entry.
pub(crate) fn permutation_twice(span: Span, entry: usize) -> Diagnostic {
    PAGE.at(span, format!("coordinate {entry} is named twice")).label("again")
}
