//! An iterator that a tiling has twice.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `duplicate-iterator`.
pub static PAGE: Page = Page {
    code: "duplicate-iterator",
    severity: Severity::Error,
    title: "two steps of a tiling have the same iterator",
    explanation: "An iteration is named by the values of all iterators: `work(w: 1, t: 3)`. So each step has an iterator with a name of its own.",
    wrong: "tiling work = block(64) |> tile(w: 2, cuda_warp) |> tile(w: 32, cuda_thread);
",
    right: "tiling work = block(64) |> tile(w: 2, cuda_warp) |> tile(t: 32, cuda_thread);
",
};

/// The tiling already has an iterator of this name.
pub(crate) fn duplicate_iterator(span: Span, name: &str) -> Diagnostic {
    PAGE.at(span, format!("the tiling already has an iterator `{name}`"))
        .label("used before")
        .help("give each step an iterator with a name of its own")
}
