//! Too many or too few arguments.

use std::fmt;

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

/// The callee.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Called<'n> {
    /// A function or transform.
    Function(&'n str),
    /// A shape, in `s(k)`.
    Shape,
}

impl<'n> From<&'n str> for Called<'n> {
    fn from(function: &'n str) -> Self {
        Self::Function(function)
    }
}

impl fmt::Display for Called<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Function(name) => write!(formatter, "`{name}`"),
            Self::Shape => formatter.write_str("a shape"),
        }
    }
}

/// `called` takes all of `parameters`, and was given `found` arguments.
pub(crate) fn fixed_argument_count<'n>(
    span: Span,
    called: impl Into<Called<'n>>,
    parameters: &[&str],
    found: usize,
) -> Diagnostic {
    let name = called.into();
    if parameters.is_empty() {
        return argument_count(span, name, parameters, found);
    }
    let given = match found {
        0 => "none".to_owned(),
        _ if found < parameters.len() => format!("only {found}"),
        _ => found.to_string(),
    };
    PAGE.at(span, format!("{name} takes {}, found {given}", words::count(parameters.len(), "argument")))
        .help(in_order(parameters))
}

/// `called` takes `parameters`, of which some may be left out, and was given `found` arguments.
pub(crate) fn argument_count<'n>(
    span: Span,
    called: impl Into<Called<'n>>,
    parameters: &[&str],
    found: usize,
) -> Diagnostic {
    let name = called.into();
    let given = if found == 0 { "none".to_owned() } else { format!("only {found}") };
    if parameters.is_empty() {
        return PAGE.at(span, format!("{name} takes no arguments, found {found}"));
    }
    if found > parameters.len() {
        PAGE.at(span, format!("{name} takes at most {}, found {found}", words::count(parameters.len(), "argument")))
    } else {
        PAGE.at(span, format!("{name} needs more arguments, found {given}"))
    }
    .help(in_order(parameters))
}

/// `threads(256)` without a unit, with the number at `count`.
pub(crate) fn threads_without_unit(span: Span, count: Span) -> Diagnostic {
    PAGE.at(span, "`threads` takes a number and the unit that is numbered, found only a number")
        .help("the unit is `cuda_thread`, `cuda_warp` or `cuda_warpgroup`: `for t in threads(256, cuda_thread)`")
        .fix("number threads", Span::new(count.end, count.end), ", cuda_thread")
}

fn in_order(parameters: &[&str]) -> String {
    match parameters {
        [_] => format!("the parameter is {}", words::list(parameters)),
        _ => format!("the parameters are, in this order, {}", words::list(parameters)),
    }
}
