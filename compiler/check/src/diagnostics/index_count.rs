//! An access with too many or too few indices.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use kernel::functions::ArgumentCount;
use syntax::span::Span;

/// The documentation of `index-count`.
pub static PAGE: Page = Page {
    code: "index-count",
    severity: Severity::Error,
    title: "an access has too many or too few indices, or a call too many or too few arguments",
    explanation: "A view takes one index for each local coordinate of its map, and a tensor one for each dimension. The thread id is not
among them: a view supplies it.

For `view xs = x via reshape_map([2, 3] | [4] …)` an element is `xs[i, j]`.

A function takes the arguments of its signature: `fma(a, b, c)` has three.",
    wrong: "kernel read(x: f32[4]) grid(1) block(4) {
    view xs = x via reshape_map([1] | [4] => layout: [i0, t0]);
    let element = xs[0, 0];
}
",
    right: "kernel read(x: f32[4]) grid(1) block(4) {
    view xs = x via reshape_map([1] | [4] => layout: [i0, t0]);
    let element = xs[0];
}
",
};

/// `name` takes `expected` indices, and was given `found`.
pub(crate) fn wrong_index_count(span: Span, name: &str, expected: usize, found: usize) -> Diagnostic {
    PAGE.at(span, format!("`{name}` takes {}, found {found}", words::count(expected, "index")))
        .label(format!("expected {}", words::count(expected, "index")))
        .help("a view has one index for each local dimension of its map, a tensor one for each of its dimensions")
}

/// A call of `signature` with `found` arguments.
pub(crate) fn wrong_argument_count(
    span: Span,
    name: &str,
    signature: &str,
    expected: ArgumentCount,
    found: usize,
) -> Diagnostic {
    PAGE.at(span, format!("`{name}` takes {expected}, found {found}"))
        .label(format!("expected {expected}"))
        .help(format!("it is written `{signature}`"))
}
