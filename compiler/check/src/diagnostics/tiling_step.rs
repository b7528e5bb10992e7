//! A part of a tiling that has no meaning where it stands.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `tiling-step`.
pub static PAGE: Page = Page {
    code: "tiling-step",
    severity: Severity::Error,
    title: "a part of a tiling has no meaning where it stands",
    explanation: "A tiling begins with the launch, `cluster(c) block(b)` or `block(b)` for a cluster of one block, and goes on with steps behind
`|>`: `tile(iterator: count, unit)` gives each iteration a unit of threads, `specialize(lo..hi, unit)` keeps some units. A
tiling may also begin with another one.",
    wrong: "tiling work = block(64) |> tile(2, cuda_warp);
",
    right: "tiling work = block(64) |> tile(w: 2, cuda_warp);
",
};

/// `reason` says what is wrong, `help` what to write.
pub(crate) fn tiling_step(span: Span, reason: &str, help: &str) -> Diagnostic {
    PAGE.at(span, reason).help(help)
}
