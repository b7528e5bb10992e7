//! A `run` of a kernel that does not exist.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The most kernels in the message.
const MOST_NAMED: usize = 8;

/// The documentation of `unknown-kernel`.
pub static PAGE: Page = Page {
    code: "unknown-kernel",
    severity: Severity::Error,
    title: "a run names a kernel that does not exist",
    explanation: "`run scale(…)` starts the kernel `scale` of this file, or of a file that it takes in by `use`. There is no kernel of this
name.",
    wrong: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = 1.0;
}
run fil(y: zeros);
",
    right: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]);
    ys[0] = 1.0;
}
run fill(y: zeros);
",
};

/// `nearest` is the kernel that was probably meant, one of the `kernels` that can be run here.
pub(crate) fn unknown_kernel(span: Span, name: &str, nearest: Option<&str>, kernels: &[&str]) -> Diagnostic {
    let diagnostic = PAGE.at(span, format!("there is no kernel `{name}`")).label("not a kernel");
    let diagnostic = words::suggest(diagnostic, span, nearest);
    match kernels {
        [] => diagnostic.help("this file and the files it uses declare no kernel"),
        [only] if nearest == Some(only) => diagnostic,
        [_] => diagnostic.help(format!("the only kernel here is {}", words::list(kernels))),
        [..] if kernels.len() <= MOST_NAMED => {
            diagnostic.help(format!("the kernels here are {}", words::list(kernels)))
        }
        _ => diagnostic,
    }
}
