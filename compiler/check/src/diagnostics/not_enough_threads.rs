//! A step that needs more threads than there are.

use super::BlockSize;
use super::diagnostic::{Diagnostic, Page, Severity};
use maps::threads::ThreadsError;
use syntax::span::Span;

/// The documentation of `not-enough-threads`.
pub static PAGE: Page = Page {
    code: "not-enough-threads",
    severity: Severity::Error,
    title: "a step of a tiling needs more threads than there are",
    explanation: "Each iteration of `tile` gets a unit of its own, and `specialize` keeps units that must be there. What there is are the threads
that the steps before leave.

The message says how many threads the step needs, how many there are, and how many units fit. Units that are not exactly
filled are fine: `tile(t: 10, 23 * cuda_thread)` leaves 26 of 256 threads without work.",
    wrong: "tiling work = block(384) |> tile(w: 13, cuda_warp);
",
    right: "tiling work = block(384) |> tile(w: 12, cuda_warp);
",
};

/// A step needs more threads; the error has the numbers. If some units fit, `fewer` is their number with its place;
/// `larger` is a block size with which all fit.
pub(crate) fn not_enough_threads(
    span: Span,
    error: &ThreadsError,
    fewer: Option<(Span, i64)>,
    larger: Option<(BlockSize, i64)>,
) -> Diagnostic {
    let mut diagnostic = PAGE.at(span, error.to_string()).label("not enough threads");
    if let Some((place, fit)) = fewer {
        diagnostic = diagnostic.fix(format!("change it to `{fit}`"), place, fit.to_string());
    }
    match larger {
        Some((place, threads)) => place.fix(diagnostic, threads),
        None => diagnostic,
    }
}
