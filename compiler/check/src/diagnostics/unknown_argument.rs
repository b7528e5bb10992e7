//! An argument with an unknown name.

use super::argument_count::Called;
use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use crate::spelling;
use syntax::span::Span;

/// The documentation of `unknown-argument`.
pub static PAGE: Page = Page {
    code: "unknown-argument",
    severity: Severity::Error,
    title: "a function has no parameter of this name",
    explanation: "An argument may be given by the name of its parameter, `linear(2, threads: 32)`. This function has no parameter of this
name; the message lists those it has.",
    wrong: "map m = linear(2, thread: 32);
",
    right: "map m = linear(2, threads: 32);
",
};

/// `called` has the `parameters`, none of which has the `name`.
pub(crate) fn unknown_argument<'n>(
    span: Span,
    called: impl Into<Called<'n>>,
    name: &str,
    parameters: &[&str],
) -> Diagnostic {
    let owner = called.into();
    let help = match parameters {
        [] => "leave it out: it takes no arguments by name".to_owned(),
        known => format!("its parameters by name: {}", words::list(known)),
    };
    let diagnostic = PAGE.at(span, format!("{owner} has no parameter `{name}`")).label("no such parameter").help(help);
    if matches!(name, "axis" | "axes" | "dim" | "dims" | "dimension") && parameters.contains(&"keep") {
        return diagnostic.help("the dimension stands first, without a name: `t.max(1)`");
    }
    if name == "mask" && parameters.contains(&"allow_tma") {
        return diagnostic.help(
            "`load_masked` and `store_masked` leave out what is beyond the tensor; any other choice is a `select`",
        );
    }
    let meant = of_another_tool(name).filter(|meant| parameters.contains(meant));
    words::suggest(diagnostic, span, meant.or_else(|| spelling::nearest(name, parameters.iter().copied())))
}

/// The parameter with another name in Triton, numpy or PyTorch.
fn of_another_tool(name: &str) -> Option<&'static str> {
    Some(match name {
        "keepdims" | "keepdim" | "keep_dims" => "keep",
        "other" | "padding_option" | "fill_value" | "padding" => "pad",
        _ => return None,
    })
}

/// `max(t, axis: 1)`: a function of numbers that is called as the reduction of a tile.
pub(crate) fn reduction_by_function(span: Span, name: &str, argument: &str) -> Diagnostic {
    PAGE.at(span, format!("`{name}` of numbers has no parameter `{argument}`"))
        .label("no such parameter")
        .help(format!("a tile is reduced along a dimension by its method: `t.{name}(1, keep: true)`"))
}
