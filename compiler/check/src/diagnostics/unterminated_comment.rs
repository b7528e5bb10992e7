//! A comment that is not closed.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `unterminated-comment`.
pub static PAGE: Page = Page {
    code: "unterminated-comment",
    severity: Severity::Error,
    title: "a comment is not closed",
    explanation: "`/*` opens a comment that goes on until `*/`, and the file ends before that. Everything after the `/*` is not read.

Comments do not nest: the first `*/` ends them all. A comment of one line is shorter with `//`.",
    wrong: "s : [64, 32];
/* the tile of one block
",
    right: "s : [64, 32];
/* the tile of one block */
",
};

/// The comment begins at `span`.
pub fn unterminated_comment(span: Span) -> Diagnostic {
    PAGE.at(span, "this comment is not closed, so the rest of the file is part of it")
        .label("opened here")
        .help("close it with `*/`, or begin a comment of one line with `//`")
}
