//! A question to a map that has no answer.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use crate::syntax::span::Span;

/// The documentation of `map-question`.
pub static PAGE: Page = Page {
    code: "map-question",
    severity: Severity::Error,
    title: "a question to a map has no answer",
    explanation: "A map answers with numbers only where its sizes are numbers: with the symbolic size `N`, which thread owns slot 7 depends
on `N`. Questions that list all points, such as `owners`, also need a map that is small enough to go through.

Claims such as `m.injective` need no numbers: they are proven for every size. For a table of numbers, write the map with
constants, or give it an end.",
    wrong: "dim N;
map m = reshape_map([N] | [4] => layout: [i0, t0]);
assert m(0, 1) == 3;
",
    right: "const N = 3;
map m = reshape_map([N] | [4] => layout: [i0, t0]);
assert m(0, 1) == 3;
",
};

/// `reason` says why there is no answer.
pub(crate) fn map_question(span: Span, reason: &str) -> Diagnostic {
    PAGE.at(span, format!("this question has no answer: {}", words::unstopped(reason)))
        .help("numbers need constant sizes; claims such as `.injective` are proven for all sizes")
}

/// `reason` says why it could not be answered for every size; `deeper` whether more work may answer it.
pub(crate) fn map_question_open(span: Span, reason: &str, deeper: bool) -> Diagnostic {
    PAGE.at(span, format!("this question has no answer: {}", words::unstopped(reason)))
        .help("state more about the sizes after `where` in their `dim` item, or ask a map with constant sizes")
        .deeper(deeper)
}

/// An argument of a question is none that it can be asked with.
pub(crate) fn map_question_argument(span: Span, reason: &str) -> Diagnostic {
    PAGE.at(span, format!("this question has no answer: {}", words::unstopped(reason)))
}
