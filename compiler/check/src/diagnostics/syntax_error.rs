//! Text that is not in the language's notation.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::error::SyntaxFix;
use syntax::span::Span;

/// The documentation of `syntax-error`.
pub static PAGE: Page = Page {
    code: "syntax-error",
    severity: Severity::Error,
    title: "the text is not in the language's notation",
    explanation: "Something stands where the notation has no place for it, or something that belongs there is missing. The message says
what was expected and what was found.

Only this item is affected: the other items of the file are read and checked as usual, so a half-typed line does not take
the rest with it.",
    wrong: "s : [64, 32;
",
    right: "s : [64, 32];
",
};

/// The texts come from the grammar, which knows what it expected.
pub fn syntax_error(span: Span, message: String, help: Vec<String>, fix: Option<SyntaxFix>) -> Diagnostic {
    let diagnostic = help.into_iter().fold(PAGE.at(span, message), Diagnostic::help);
    match fix {
        Some(SyntaxFix { title, edits }) => diagnostic.fix_at(title, edits),
        None => diagnostic,
    }
}
