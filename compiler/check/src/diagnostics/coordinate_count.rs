//! Too many or too few coordinates for a map.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The documentation of `coordinate-count`.
pub static PAGE: Page = Page {
    code: "coordinate-count",
    severity: Severity::Error,
    title: "a map is asked with too many or too few coordinates",
    explanation: "A map takes one number for each of its coordinates. For a `reshape_map` these are the local indices, one for each local
dimension, and then the linear thread id: `reshape_map([2, 3] | [4] …)` is asked as `m(i0, i1, t)`.

The thread may also be given by its digits, as a tuple with one number for each thread dimension: `m(i0, (t0, t1))`. The
same mistake in CUDA, a forgotten `threadIdx.y`, compiles and reads the wrong elements.",
    wrong: "map m = reshape_map([3] | [4] => layout: [i0, t0]);
assert m(1) == 7;
",
    right: "map m = reshape_map([3] | [4] => layout: [i0, t0]);
assert m(1, 2) == 7;
",
};

/// The coordinates in a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coordinates {
    /// The upper ones of a map with threads.
    Upper,
    /// The upper ones of a map without threads.
    Layout,
    /// The lower ones.
    Lower,
    /// The digits of a thread id.
    Thread,
}

/// A question that needs `expected` coordinates and has `found`.
pub(crate) fn coordinate_count(span: Span, expected: usize, found: usize, which: Coordinates) -> Diagnostic {
    let expected = words::count(expected, "coordinate");
    let (message, help) = match which {
        Coordinates::Thread => (
            format!("the thread id has {expected} of its own, found {found}"),
            "give one number for each thread dimension, or the linear thread id as one number",
        ),
        Coordinates::Upper => (
            format!("the map takes {expected}, found {found}"),
            "give the local indices in their order and then the thread id",
        ),
        Coordinates::Layout => {
            (format!("the map takes {expected}, found {found}"), "give one number for each coordinate of the map")
        }
        Coordinates::Lower => (
            format!("the map leads to {expected}, found {found}"),
            "this question starts from where the map leads: from its lower coordinates",
        ),
    };
    PAGE.at(span, message).help(help)
}

/// Why a map gives no number in a kernel.
pub(crate) enum NoNumber {
    /// It leads to so many coordinates.
    Coordinates(usize),
    /// It leaves some elements out.
    Masked,
}

/// A map is called at `span` for the number that it leads to.
pub(crate) fn no_number_of_map(span: Span, why: &NoNumber) -> Diagnostic {
    let (message, label) = match why {
        NoNumber::Coordinates(count) => {
            (format!("this map leads to {count} coordinates, and not to one number"), "several numbers")
        }
        NoNumber::Masked => {
            ("this map leaves some elements out, so there is not a number everywhere".to_owned(), "not everywhere")
        }
    };
    PAGE.at(span, message).label(label).help("use it in a view: `view v = x via m;`, and then `v[…]`")
}
