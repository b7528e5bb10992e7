//! Upper dimensions of a group whose numbers are not `0..n`.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The documentation of `group-order`.
pub static PAGE: Page = Page {
    code: "group-order",
    severity: Severity::Error,
    title: "the upper dimensions of a group are not numbered through",
    explanation: "Behind `=>` stand the numbers of the dimensions that an entry makes, one for each. Together the numbers of a group are
0, 1, 2, … without a gap and without repetition. Left out, the dimensions come in the order in which they are written.",
    wrong: "map m = row_major([4, 8]) |> { 0: _ => 1, 1: _ => 1 };
",
    right: "map m = row_major([4, 8]) |> { 0: _ => 1, 1: _ => 0 };
",
};

/// An entry that makes `expected` dimensions, with `found` numbers.
pub(crate) fn upper_count(span: Span, word: &str, expected: usize, found: usize) -> Diagnostic {
    let (made, numbers) = (words::count(expected, "dimension"), words::count(found, "number"));
    let verb = if found == 1 { "stands" } else { "stand" };
    let diagnostic = PAGE
        .at(span, format!("`{word}` makes {made}, but {numbers} {verb} behind `=>`"))
        .label(format!("{} needed", words::count(expected, "number")));
    match expected {
        0 | 1 => diagnostic,
        _ => diagnostic.help("several numbers are a tuple, such as `=> (0, 2)`"),
    }
}

/// A number beyond the dimensions that the group makes.
pub(crate) fn upper_out_of_range(span: Span, number: i64, rank: usize) -> Diagnostic {
    PAGE.at(span, format!("the group makes {}, so there is no number {number}", words::count(rank, "dimension")))
        .label(format!("expected {}", words::positions(rank)))
}

/// A number that is used already.
pub(crate) fn upper_twice(span: Span, first: Span, number: usize) -> Diagnostic {
    PAGE.at(span, format!("two dimensions of this group have the number {number}"))
        .label("again")
        .related(first, "first here")
}
