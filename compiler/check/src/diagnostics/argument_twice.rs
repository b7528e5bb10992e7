//! Two arguments for one parameter.

use super::argument_count::Called;
use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `argument-twice`.
pub static PAGE: Page = Page {
    code: "argument-twice",
    severity: Severity::Error,
    title: "a parameter has two arguments",
    explanation: "An argument without a name belongs to the parameter at its place, one with a name to the parameter of that name. Here two
arguments belong to one parameter.",
    wrong: "map m = linear(2, threads: 32, threads: 64);
",
    right: "map m = linear(2, threads: 32);
",
};

/// A second argument, where the first one stands, and the parameter.
pub(crate) fn argument_twice<'n>(
    span: Span,
    first: Span,
    called: impl Into<Called<'n>>,
    parameter: &str,
) -> Diagnostic {
    let owner = called.into();
    PAGE.at(span, format!("the parameter `{parameter}` of {owner} has an argument already"))
        .label("again")
        .related(first, "its first argument")
        .help("leave one of the two out, or write the name of the parameter that was meant")
}
