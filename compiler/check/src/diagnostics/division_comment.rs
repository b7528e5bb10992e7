//! A comment that was meant as a division.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `division-comment`.
pub static PAGE: Page = Page {
    code: "division-comment",
    severity: Severity::Warning,
    title: "a comment looks like a division",
    explanation: "`//` begins a comment, so nothing behind it on its line is read: `i // 4` is `i`. Division is `/`; of sizes and indices it
rounds down, as `//` of Python does.

Text behind `//` is taken for code where a number or a name begins it and it goes on as an expression does, up to a `;`, a bracket or
another mark that ends one. A remark that looks so can stand on a line of its own, or behind the `;`.",
    wrong: "const quarter = 64 // 4;
",
    right: "const quarter = 64 / 4;
",
};

/// The comment begins at `span`.
pub fn division_comment(span: Span) -> Diagnostic {
    PAGE.at(span, "`//` begins a comment, so nothing behind it is read; division is `/`")
        .label("begins a comment")
        .help("`/` of sizes and indices rounds down, as `//` of Python does")
        .fix("divide by `/`", span, "/")
}
