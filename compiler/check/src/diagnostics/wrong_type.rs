//! A value of one kind where another is needed.

use super::diagnostic::{Diagnostic, Fix, Page, Place, Severity};
use super::words;
use crate::values::Value;
use syntax::span::Span;

/// The documentation of `wrong-type`.
pub static PAGE: Page = Page {
    code: "wrong-type",
    severity: Severity::Error,
    title: "a value of another kind is needed",
    explanation: "The expression has a value, but not of the kind that is needed here: a shape needs dimensions, a `map` an index map, an
`assert` a truth value. The message shows both.",
    wrong: "map m = 12;
",
    right: "map m = reshape_map([3] | [4] => layout: [i0, t0]);
",
};

/// `expected`, with its article, is needed; `found` is the value.
pub(crate) fn wrong_type(span: Span, expected: &str, found: &Value) -> Diagnostic {
    let value = words::short(found);
    let kind = found.kind_name();
    let found = if kind.contains('`') { kind.to_owned() } else { format!("{kind}, `{value}`") };
    PAGE.at(span, format!("expected {expected}, found {found}")).label(format!("this is {kind}"))
}

/// A map that is asked with square brackets, at `brackets`.
pub(crate) fn map_in_brackets(brackets: Span) -> Diagnostic {
    let place = |start: u32| Place { item: None, span: Span::new(start, start + 1) };
    let mut diagnostic = PAGE
        .at(brackets, "a map is asked with round brackets: square ones make a shape of a shape")
        .label("round brackets are needed");
    let edits = vec![(place(brackets.start), "(".into()), (place(brackets.end.saturating_sub(1)), ")".into())];
    diagnostic.fixes.push(Fix { title: "ask with round brackets".to_owned(), edits });
    diagnostic
}
