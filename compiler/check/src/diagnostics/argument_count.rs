//! Too many or too few arguments.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The documentation of `argument-count`.
pub static PAGE: Page = Page {
    code: "argument-count",
    severity: Severity::Error,
    title: "a function is given too many or too few arguments",
    explanation: "A function takes a fixed list of parameters; some may be left out, as `threads` in `linear(4)`.

The message names the parameters in their order. Arguments may also be given by name, `linear(width: 4, threads: 32)`,
which reads better where all of them are plain numbers.",
    wrong: "map m = map2d(64, 8);
",
    right: "map m = map2d(64, 8, 4);
",
};

/// `function` takes `parameters`, and was given `found` arguments.
pub(crate) fn argument_count(span: Span, function: &str, parameters: &[&str], found: usize) -> Diagnostic {
    let name = if function.contains(' ') { function.to_owned() } else { format!("`{function}`") };
    let given = if found == 0 { "none".to_owned() } else { format!("only {found}") };
    if parameters.is_empty() {
        return PAGE.at(span, format!("{name} takes no arguments, found {found}"));
    }
    if found > parameters.len() {
        PAGE.at(span, format!("{name} takes at most {}, found {found}", words::count(parameters.len(), "argument")))
    } else {
        PAGE.at(span, format!("{name} needs more arguments, found {given}"))
    }
    .help(format!("the parameters are, in this order, {}", words::list(parameters)))
}
