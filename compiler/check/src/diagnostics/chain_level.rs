//! A level of `chain(…)` that is not a pair.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `chain-level`.
pub static PAGE: Page = Page {
    code: "chain-level",
    severity: Severity::Error,
    title: "a level of `chain` is not a map with the size of its unit",
    explanation: "`chain` spreads indices over nested groups of threads, from the largest group inwards: each level is a pair of a map and
the number of threads in one unit of that level.

`chain((linear(64), warp), (linear(2), thread))` gives each warp 64 elements and, within a warp, each thread 2. The
second part is a number or one of the words `thread` and `warp`, which are 1 and 32.",
    wrong: "map m = chain(linear(64));
",
    right: "map m = chain((linear(64), warp), (linear(2), thread));
",
};

/// The argument at `span` is no level.
pub(crate) fn chain_level(span: Span) -> Diagnostic {
    PAGE.at(span, "a level of `chain` is a pair of a map and the number of threads in its unit")
        .label("expected `(map, threads)`")
        .help("write for example `chain((linear(64), warp), (linear(2), thread))`")
}
