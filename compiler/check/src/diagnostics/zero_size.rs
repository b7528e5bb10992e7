//! A size of a map that is below 1.

use super::diagnostic::{Diagnostic, Page, Severity};
use dims::Sym;
use syntax::span::Span;

/// The documentation of `zero-size`.
pub static PAGE: Page = Page {
    code: "zero-size",
    severity: Severity::Error,
    title: "a size of a map is less than 1",
    explanation: "Every size of a map is at least 1: a dimension without elements, or without threads, leaves nothing to map. The original
macro panics on it when the kernel runs; here it is found when it is written.

A single element for each thread, or a single thread, is size 1.",
    wrong: "map m = reshape_map([0] | [4] => layout: [i0, t0]);
",
    right: "map m = reshape_map([1] | [4] => layout: [i0, t0]);
",
};

/// The size at `span` has this value.
pub(crate) fn zero_size(span: Span, value: i64) -> Diagnostic {
    found(span, value).fix("change it to `1`", span, "1")
}

/// The size at `span` is a name with this value, which is given elsewhere.
pub(crate) fn zero_size_of(span: Span, name: &str, value: i64) -> Diagnostic {
    PAGE.at(span, format!("`{name}` is {value}, and a size is at least 1"))
        .label(format!("{value} elements"))
        .help(format!("give `{name}` a value of at least 1 where it is declared"))
}

/// A size that is computed, or one of several whose spans are not known, has this value.
pub(crate) fn zero_size_among(span: Span, value: i64) -> Diagnostic {
    found(span, value)
}

/// A size that is less than 1 for all sizes of the launch.
pub(crate) fn zero_size_for_all(span: Span, size: &Sym) -> Diagnostic {
    PAGE.at(span, format!("a size is at least 1, and `{size}` is less for all sizes")).label("less than 1")
}

fn found(span: Span, value: i64) -> Diagnostic {
    PAGE.at(span, format!("a size is at least 1, found {value}")).label("less than 1")
}
