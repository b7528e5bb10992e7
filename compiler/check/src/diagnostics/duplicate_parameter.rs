//! A parameter with the name of another one.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `duplicate-parameter`.
pub static PAGE: Page = Page {
    code: "duplicate-parameter",
    severity: Severity::Error,
    title: "two parameters of a kernel have the same name",
    explanation: "The parameters of a kernel have different names: a `run` gives them their values by name.",
    wrong: "kernel fill(y: f32[4], y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = 1.0;
}
",
    right: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = 1.0;
}
",
};

/// The parameter `name` at `span` repeats the one at `first`.
pub(crate) fn duplicate_param(span: Span, name: &str, first: Span) -> Diagnostic {
    PAGE.at(span, format!("two parameters are called `{name}`"))
        .label("the second one")
        .related(first, format!("`{name}` is declared here already"))
        .help("rename one of the two")
}
