//! A unit that does not fit the dimensions of a tiling.

use super::diagnostic::{Diagnostic, Page, Severity};
use maps::threads::ThreadsError;
use syntax::span::Span;

/// The documentation of `unit-does-not-fit`.
pub static PAGE: Page = Page {
    code: "unit-does-not-fit",
    severity: Severity::Error,
    title: "a unit does not fit the dimensions of a tiling",
    explanation: "A step of a tiling first brings the tiling and the unit to the same dimensions, by splitting both where the other has a
boundary: threads that are in runs of 32 and a unit that speaks of runs of 8 become runs of 8 in runs of 32. That needs
every boundary to divide the next one; runs of 5 and runs of 7 have no common dimensions.

A split must also leave every iteration its threads. Where an earlier step took 8 threads out of 128, splitting by 32 would
take 8 out of every 32: four times as many. Such a step is refused, and the message names the earlier step and the size of
the parts.

Take larger parts first: let the steps go from large units to small ones.",
    wrong: "tiling work = block(128) |> tile(w: 4, 8 * cuda_thread) |> tile(q: 2, cuda_threads_strided(4, 32));
",
    right: "tiling work = block(128) |> tile(w: 4, cuda_warp) |> tile(q: 2, cuda_threads_strided(4, 32));
",
};

/// The error names the reason.
pub(crate) fn unit_does_not_fit(span: Span, error: &ThreadsError) -> Diagnostic {
    PAGE.at(span, error.to_string())
        .label("does not fit")
        .help("go from large units to small ones, each dividing the one before")
}
