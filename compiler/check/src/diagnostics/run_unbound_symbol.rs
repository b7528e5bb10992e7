//! A `run` that leaves a symbolic dimension without a value.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `run-unbound-symbol`.
pub static PAGE: Page = Page {
    code: "run-unbound-symbol",
    severity: Severity::Hint,
    title: "a run does not say how large a symbolic dimension is",
    explanation: "The kernel's tensors have symbolic sizes, and this `run` does not say how large they are. It is checked as it stands, for
every size; to run it, the sizes are needed.

Write them into the file, `with M = 1000`, or give them on the command line, `-D M=1000`. Where an input comes from a
file, its sizes are those of the file.",
    wrong: "dim N where N % 4 == 0;
kernel fill(y: mut f32[N]) grid(1) block(4) {
    view ys = y via reshape_map([N / 4] | [4] => layout: [i0, t0]);
    for i in 0..N / 4 { ys[i] = 1.0; }
}
run fill(y: zeros);
",
    right: "dim N where N % 4 == 0;
kernel fill(y: mut f32[N]) grid(1) block(4) {
    view ys = y via reshape_map([N / 4] | [4] => layout: [i0, t0]);
    for i in 0..N / 4 { ys[i] = 1.0; }
}
run fill(y: zeros) with N = 64;
",
};

/// `symbol` has no value in this run.
pub(crate) fn run_unbound_symbol(span: Span, symbol: &str) -> Diagnostic {
    PAGE.at(span, format!("this run does not say how large `{symbol}` is"))
        .label(format!("`{symbol}` has no value"))
        .help(format!("add `with {symbol} = 1000`, or give it on the command line: `-D {symbol}=1000`"))
}
