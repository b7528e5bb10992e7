//! Something after `where` that is not a comparison.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `not-a-fact`.
pub static PAGE: Page = Page {
    code: "not-a-fact",
    severity: Severity::Error,
    title: "what stands after `where` is not a comparison",
    explanation: "The facts after `where` are comparisons of integers: `M % 64 == 0`, `N <= 65536`, `K == 2 * M`. Several are separated by
commas or joined by `&&`.

They are what every proof may use, and they are checked on the actual sizes at launch. A question to a map is no fact: it
is a claim, and belongs into an `assert`.",
    wrong: "dim M where M;
",
    right: "dim M where M % 64 == 0;
",
};

/// The expression at `span` states nothing.
pub(crate) fn not_a_fact(span: Span) -> Diagnostic {
    PAGE.at(span, "a fact is a comparison of integers")
        .label("not a comparison")
        .help("write for example `where M % 64 == 0, M <= 65536`")
}
