//! A step without iterations.

use super::diagnostic::{Diagnostic, Page, Severity};
use maps::threads::ThreadsError;
use syntax::span::Span;

/// The documentation of `no-iterations`.
pub static PAGE: Page = Page {
    code: "no-iterations",
    severity: Severity::Error,
    title: "a step of a tiling has no iteration",
    explanation: "A loop that is spread over threads has at least one iteration, and `specialize(lo..hi, unit)` keeps at least one unit: the range
begins at 0 or later and ends after it begins.",
    wrong: "tiling work = block(64) |> tile(w: 0, cuda_warp);
",
    right: "tiling work = block(64) |> tile(w: 1, cuda_warp);
",
};

/// A step without iterations, or a range without units.
pub(crate) fn no_iterations(span: Span, error: &ThreadsError) -> Diagnostic {
    PAGE.at(span, error.to_string()).label("nothing is left")
}
