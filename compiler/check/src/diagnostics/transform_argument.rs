//! An invalid argument of a transform.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::quantity::Quantity;
use super::words;
use dims::Sym;
use syntax::span::Span;

/// The documentation of `transform-argument`.
pub static PAGE: Page = Page {
    code: "transform-argument",
    severity: Severity::Error,
    title: "an argument of a transform makes no sense",
    explanation: "A transform takes sizes: one number where it says so, a list where it has several dimensions. A list of strides or
coefficients has one entry for each length, padding is not negative, and a slice ends behind its beginning.

The formulas stand in the hover of each transform.",
    wrong: "map m = strided([4, 8], [8, 1, 1]);
",
    right: "map m = strided([4, 8], [8, 1]);
",
};

/// The entries of a list argument, one for each length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    Stride,
    Coefficient,
    TileLength,
}

impl Entry {
    fn noun(self) -> &'static str {
        match self {
            Self::Stride => "stride",
            Self::Coefficient => "coefficient",
            Self::TileLength => "tile length",
        }
    }
}

/// A list with `found` entries where there are `expected` lengths.
pub(crate) fn one_for_each(span: Span, entry: Entry, expected: usize, found: usize) -> Diagnostic {
    let (verb, entry) = (if found == 1 { "is" } else { "are" }, entry.noun());
    let (entries, lengths) = (words::count(found, entry), words::count(expected, "length"));
    PAGE.at(span, format!("there {verb} {entries} for {lengths}"))
        .label(format!("{} needed", words::count(expected, entry)))
        .help(format!("give one {entry} for each dimension, in the same order"))
}

/// A `_` where a length has to be given.
pub(crate) fn length_left_out(span: Span, word: &str) -> Diagnostic {
    PAGE.at(span, format!("this length of `{word}` must be written"))
        .label("a length is missing")
        .help("`_` stands for a length that follows from the others: at most one length of an `unmerge`")
}

/// Several sizes where one is needed.
pub(crate) fn one_size(span: Span, what: Quantity) -> Diagnostic {
    PAGE.at(span, format!("{what} is one number")).label("one number is needed here")
}

/// A negative size.
pub(crate) fn negative_size(span: Span, what: Quantity, value: i64) -> Diagnostic {
    PAGE.at(span, format!("{what} is {value}, but it cannot be negative")).label("negative")
}

/// A slice without elements.
pub(crate) fn empty_slice(span: Span, begin: &Sym, end: &Sym) -> Diagnostic {
    PAGE.at(span, format!("the slice from {begin} to {end} has no elements"))
        .label("ends before it begins")
        .help("give the first coordinate and one past the last: `slice(2, 6)` has the coordinates 2, 3, 4 and 5")
}
