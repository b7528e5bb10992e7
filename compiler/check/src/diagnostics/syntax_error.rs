//! Text that is not in the language's notation.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::integer_too_large::integer_too_large;
use super::nesting_too_deep::nesting_too_deep;
use syntax::error::{MAX_NESTING, SyntaxError, SyntaxErrorKind, SyntaxFix};

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

/// What the grammar found. It words what it expected, since it knows its own rules.
pub fn syntax_error(error: &SyntaxError) -> Diagnostic {
    match &error.kind {
        SyntaxErrorKind::TooDeeplyNested => return nesting_too_deep(error.span, MAX_NESTING),
        SyntaxErrorKind::IntegerTooLarge { digits } => return integer_too_large(error.span, digits),
        _ => {}
    }
    let diagnostic = error.help().into_iter().fold(PAGE.at(error.span, error.message()), Diagnostic::help);
    let diagnostic = match error.related() {
        Some((span, message)) => diagnostic.related(span, message),
        None => diagnostic,
    };
    match error.fix() {
        Some(SyntaxFix { title, edits }) => diagnostic.fix_at(title, edits),
        None => diagnostic,
    }
}
