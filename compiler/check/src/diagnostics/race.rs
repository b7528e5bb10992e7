//! Two threads that write one element.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::remedy::Remedy;
use super::words;
use syntax::span::Span;

/// The documentation of `race`.
pub static PAGE: Page = Page {
    code: "race",
    severity: Severity::Error,
    title: "two threads write one element",
    explanation: "Two threads of the launch store to the same element, in an order that nothing fixes. Whatever comes last stays, and it
may be another one on the next run or on another GPU. The message names two threads and the element.

Give every thread elements of its own: a view through a `reshape_map` does so by construction. Where several threads
contribute to one result, let one of them add up what the others left.",
    wrong: "kernel fill(y: mut f32[3]) grid(1) block(4) {
    for i in 0..3 { y[i] = 1.0; }
}
",
    right: "kernel fill(y: mut f32[12]) grid(1) block(4) {
    view ys = y via reshape_map([3] | [4] => layout: [i0, t0]);
    for i in 0..3 { ys[i] = 1.0; }
}
",
};

/// `first` and `second` are two threads (`thread 0`), `sizes` the values of symbols (`N = 4`) or empty.
pub(crate) fn race(
    span: Span,
    tensor: &str,
    first: &str,
    second: &str,
    element: &str,
    sizes: &str,
    remedy: Option<Remedy>,
) -> Diagnostic {
    let sizes = words::for_sizes(sizes);
    let element = words::element(element);
    PAGE.at(span, format!("{first} and {second} both write element {element} of `{tensor}`{sizes}"))
        .label("a race")
        .help(format!("give each thread its own elements: `view v = {tensor} via reshape_map([…] | [threads] => …);`"))
        .remedied("no two do", remedy)
}

/// Nothing shows that two threads do not write one element, for sizes that are all known.
pub(crate) fn race_unproven(span: Span, tensor: &str, reason: &str) -> Diagnostic {
    PAGE.at(
        span,
        format!("nothing shows that no two threads write one element of `{tensor}`: {}", words::unstopped(reason)),
    )
    .label("possibly a race")
    .help(format!("give each thread its own elements: `view v = {tensor} via reshape_map([…] | [threads] => …);`"))
}
