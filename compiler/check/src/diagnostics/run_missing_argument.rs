//! A `run` that leaves parameters without a value.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The documentation of `run-missing-argument`.
pub static PAGE: Page = Page {
    code: "run-missing-argument",
    severity: Severity::Error,
    title: "a run does not give every parameter a value",
    explanation: "Every parameter needs a value before the kernel starts, the outputs too: `zeros` where it does not matter. The memory of
a GPU is not empty when it is handed out, so nothing is assumed.",
    wrong: "kernel copy(x: f32[4], y: mut f32[4]) grid(1) block(4) {
    view xs = x via reshape_map([1] | [4] => layout: [i0, t0]);
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = xs[0];
}
run copy(y: zeros);
",
    right: "kernel copy(x: f32[4], y: mut f32[4]) grid(1) block(4) {
    view xs = x via reshape_map([1] | [4] => layout: [i0, t0]);
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = xs[0];
}
run copy(x: arange, y: zeros);
",
};

/// These `parameters` of `kernel` have no argument.
pub(crate) fn run_missing_argument(span: Span, kernel: &str, parameters: &[String]) -> Diagnostic {
    let given: Vec<String> = parameters.iter().map(|parameter| format!("{parameter}: …")).collect();
    let verb = if parameters.len() == 1 { "has" } else { "have" };
    PAGE.at(span, format!("{} of `{kernel}` {verb} no value", words::list(parameters)))
        .label("missing arguments")
        .help(format!("add `{}`, for example `arange` for an input and `zeros` for an output", given.join(", ")))
}
