//! A name that nothing declares.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use crate::syntax::span::Span;

/// The documentation of `unknown-name`.
pub static PAGE: Page = Page {
    code: "unknown-name",
    severity: Severity::Error,
    title: "a name is not declared",
    explanation: "Neither this file nor a file that it takes in by `use` declares this name, and it is not a function of the language.

Names may be used before they are declared, so the order of the items does not matter. A hyphen inside a word belongs to
the name, `new-shape0`; a subtraction of names is best written with spaces, `M - N`.",
    wrong: "shape : [128, 64];
half : shpae / 2;
",
    right: "shape : [128, 64];
half : shape / 2;
",
};

/// In an `expect`, where names are first those of the kernel's parameters: `parameters`.
pub(crate) fn unknown_in_expect(span: Span, name: &str, nearest: Option<&str>, parameters: &[&str]) -> Diagnostic {
    let diagnostic = PAGE.at(span, format!("`{name}` is not declared")).label("no parameter of the kernel");
    let diagnostic = words::suggest(diagnostic, span, nearest);
    match parameters {
        [] => diagnostic,
        [_] => diagnostic.help(format!("the kernel's parameter is {}", words::list(parameters))),
        _ => diagnostic.help(format!("the kernel's parameters are {}", words::list(parameters))),
    }
}

/// `nearest` is the declared name that was probably meant.
pub(crate) fn unknown_name(span: Span, name: &str, nearest: Option<&str>) -> Diagnostic {
    let diagnostic = PAGE.at(span, format!("`{name}` is not declared")).label("not declared");
    match nearest {
        Some(_) => words::suggest(diagnostic, span, nearest),
        None => diagnostic.help(format!("declare it, for example as a size that is known at launch: `dim {name};`")),
    }
}
