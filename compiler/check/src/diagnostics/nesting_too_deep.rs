//! Brackets nested too deeply.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `nesting-too-deep`.
pub static PAGE: Page = Page {
    code: "nesting-too-deep",
    severity: Severity::Error,
    title: "brackets are nested too deeply",
    explanation: "There is a limit to how deeply brackets, parentheses and braces may nest, so that the compiler stays within its memory on
any text. No one needs as many by hand; a program that writes `.shape` files may.

Name the inner parts, `const part = …`, or in a kernel `let part = …`, and use the names. An element that is read in the index of
another one may be nested eight deep.",
    wrong: "const a = (((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));
",
    right: "const a = (1);
",
};

/// The access at `span` is nested in the indices of more than `limit` others.
pub(crate) fn accesses_nested(span: Span, limit: usize) -> Diagnostic {
    PAGE.at(span, format!("accesses are nested more than {limit} deep in each other's indices"))
        .label("too deep")
        .help("name an inner one and use the name: `let inner = …;`")
}

/// The bracket at `span` is deeper than `limit`.
pub(super) fn nesting_too_deep(span: Span, limit: usize) -> Diagnostic {
    PAGE.at(span, format!("brackets are nested more than {limit} deep"))
        .label("too deep")
        .help("name the inner parts as items of their own and use the names")
}
