//! A hint about the transfer of a tile that there is not.

use std::ops::RangeInclusive;

use super::diagnostic::{Diagnostic, Page, Severity};
use crate::values::Value;
use dims::Sym;
use syntax::span::Span;

/// The documentation of `tile-hint`.
pub static PAGE: Page = Page {
    code: "tile-hint",
    severity: Severity::Error,
    title: "a hint about the transfer of a tile has no such value",
    explanation: "Loads and stores of tiles take two hints, which never change a result: `latency: 4` is how heavy the traffic of memory is
expected to be, from 1 to 10, and `allow_tma: false` says that the copy engine of a GPU is not to be used. Both are constants.",
    wrong: "kernel copy(x: f32[8], y: mut f32[8]) {
    view px = partition(x, [4]);
    view py = partition(y, [4]);
    for i in grid(px.index_space) { py.store(px.load(i, latency: 11), i); }
}
",
    right: "kernel copy(x: f32[8], y: mut f32[8]) {
    view px = partition(x, [4]);
    view py = partition(y, [4]);
    for i in grid(px.index_space) { py.store(px.load(i, latency: 10), i); }
}
",
};

/// The latency at `span` is outside of `allowed`.
pub(crate) fn tile_latency(span: Span, found: &Sym, allowed: RangeInclusive<i64>) -> Diagnostic {
    let (low, high) = allowed.into_inner();
    let diagnostic = PAGE.at(span, format!("`latency` is a constant from {low} to {high}, found `{found}`"));
    match found.as_constant() {
        Some(number) => {
            let nearest = number.clamp(low, high);
            diagnostic.fix(format!("write {nearest}"), span, nearest.to_string())
        }
        None => diagnostic.help("it is known when the kernel is checked, as a generic parameter is"),
    }
}

/// `allow_tma` at `span` is neither `true` nor `false`.
pub(crate) fn tile_allow_tma(span: Span, found: &Value) -> Diagnostic {
    PAGE.at(span, format!("`allow_tma` is `true` or `false`, found {}", found.kind()))
        .help("leave it out where the copy engine may be used")
}
