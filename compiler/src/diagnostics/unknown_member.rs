//! A name after the dot that the value does not have.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use crate::names;
use crate::syntax::span::Span;

/// The documentation of `unknown-member`.
pub static PAGE: Page = Page {
    code: "unknown-member",
    severity: Severity::Error,
    title: "a value has no such member",
    explanation: "After the dot stands a question to the value: `s.rank`, `m.owners`, `m.injective`. A value of this kind has none of this
name; the message lists those it has.",
    wrong: "s : [64, 32];
const r = s.rnak;
",
    right: "s : [64, 32];
const r = s.rank;
",
};

/// A value of this `kind` has the `members`, each with a line of documentation, and not `name`.
pub(crate) fn unknown_member(span: Span, name: &str, kind: &str, members: &[(&str, &str)]) -> Diagnostic {
    let known: Vec<&str> = members.iter().map(|(member, _)| *member).collect();
    let diagnostic = PAGE.at(span, format!("{kind} has no `.{name}`")).label("no such member");
    let diagnostic = match known.as_slice() {
        [] => diagnostic.help(format!("nothing can be asked of {kind}")),
        known => diagnostic.help(format!("{kind} has {}", words::list(known))),
    };
    words::suggest(diagnostic, span, names::nearest(name, known))
}
