//! A map without an inverse.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The documentation of `no-inverse`.
pub static PAGE: Page = Page {
    code: "no-inverse",
    severity: Severity::Error,
    title: "a map has no inverse",
    explanation: "The inverse of a map takes a lower coordinate back to the upper one. It exists where no two upper coordinates reach one
lower coordinate, and here it must have a formula of its own: digits, strides and xor that can be undone one after the
other.

Where a single coordinate is asked for, `m.upper(slot)` finds it without a formula.",
    wrong: "map windows = embed((3, 4), (1, 1));
map back = windows.inverse;
",
    right: "map tile = row_major([3, 4]);
map back = tile.inverse;
",
};

/// `reason` says why there is none, as the end of a sentence.
pub(crate) fn no_inverse(span: Span, reason: &str) -> Diagnostic {
    PAGE.at(span, format!("this map has no inverse: {}", words::unstopped(reason)))
}
