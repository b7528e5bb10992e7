//! Elements of an output that no thread writes.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::evidence::Element;
use super::remedy::Remedy;
use super::words;
use dims::Symbol;
use elements::ElementType;
use std::collections::BTreeMap;
use syntax::span::Span;

/// The documentation of `not-fully-written`.
pub static PAGE: Page = Page {
    code: "not-fully-written",
    severity: Severity::Warning,
    title: "some elements of an output are not written",
    explanation: "The kernel writes to this tensor, but not to all of it; the message names an element that keeps its old value. In memory
that was just allocated this is whatever was there before.

If the threads or the loop are too few, widen them. If the rest is meant to stay, the warning is the documentation.",
    wrong: "kernel fill(y: mut f32[12]) grid(1) block(4) {
    view ys = y via reshape_map([2] | [4] => layout: [t0, i0]);
    for i in 0..2 { ys[i] = 1.0; }
}
",
    right: "kernel fill(y: mut f32[8]) grid(1) block(4) {
    view ys = y via reshape_map([2] | [4] => layout: [t0, i0]);
    for i in 0..2 { ys[i] = 1.0; }
}
",
};

/// `element` of `tensor` is not written for these `sizes`.
pub(crate) fn not_fully_written(
    span: Span,
    tensor: &str,
    element: &Element,
    sizes: &BTreeMap<Symbol, i64>,
    remedy: Option<Remedy>,
) -> Diagnostic {
    let sizes = words::sizes(sizes);
    PAGE.at(span, format!("`{tensor}` is not fully written: no thread writes element {element}{sizes}"))
        .label("keeps old values")
        .help("use more threads or more iterations, or make the tensor as small as what is written")
        .remedied("all of it is written", remedy)
}

/// Nothing writes to `tensor`, although it is declared as `mut`; its `element` type is at `at`.
pub(crate) fn never_written(span: Span, tensor: &str, at: Span, element: ElementType) -> Diagnostic {
    let with_mut = Span::new(at.start.saturating_sub(1), at.end);
    PAGE.at(span, format!("`{tensor}` is declared as `mut`, but nothing writes to it"))
        .label("is only read")
        .help(format!("store to an element of `{tensor}`, or leave out `mut`"))
        .fix("leave out `mut`", with_mut, element.name())
}
