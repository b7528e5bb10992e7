//! A question to a map that has no answer.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The documentation of `map-question`.
pub static PAGE: Page = Page {
    code: "map-question",
    severity: Severity::Error,
    title: "a question to a map has no answer",
    explanation: "A map has an answer where there is exactly one. Two threads may own one slot, two coordinates may lead to one place, or with a
symbolic size `N` the answer may depend on `N`. Questions that list all points, such as `owners`, also need sizes that are
numbers and a map that is small enough to go through.

Claims such as `m.injective` need no numbers: they are proven for every size. For a table of numbers, write the map with
constants, or give it an end.",
    wrong: "map windows = embed((3, 4), (1, 1));
show windows.upper(2);
",
    right: "map rows = embed((3, 4), (4, 1));
show rows.upper(2);
",
};

/// `reason` says why there is no answer.
pub(crate) fn map_question(span: Span, reason: &str) -> Diagnostic {
    PAGE.at(span, format!("this question has no answer: {}", words::unstopped(reason)))
}

/// `reason` says why there is no list of numbers: the map has symbols.
pub(crate) fn map_question_sizes(span: Span, reason: &str) -> Diagnostic {
    map_question(span, reason).help("numbers need constant sizes; claims such as `.injective` are proven for all sizes")
}

/// `reason` says why it could not be answered for every size; `deeper` whether more work may answer it.
pub(crate) fn map_question_open(span: Span, reason: &str, deeper: bool) -> Diagnostic {
    PAGE.at(span, format!("this question has no answer: {}", words::unstopped(reason)))
        .help("state more about the sizes after `where` in their `dim` item, or ask a map with constant sizes")
        .deeper(deeper)
}
