//! Threads that are neither warps nor part of one warp cannot wait for each other.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `unsuitable-barrier`.
pub static PAGE: Page = Page {
    code: "unsuitable-barrier",
    severity: Severity::Error,
    title: "threads that are neither warps nor part of one warp cannot wait for each other",
    explanation: "A GPU lets three kinds of groups wait: all threads of a block, whole warps of 32 threads, and lanes of one warp. Threads of
a collective that begins or ends in the middle of a warp and goes on in another one have no barrier of their own.

Make the collective a number of whole warps, or a part of a warp whose size divides 32, or exchange data where the whole
block runs.",
    wrong: "kernel ring(x: f32[96], y: mut f32[96]) grid(1) block(96) {
    shared s : f32[96];
    for g in threads(2, 48 * cuda_thread) {
        for t in threads(48, cuda_thread) { s[48 * g + t] = x[48 * g + t]; }
        for t in threads(48, cuda_thread) { y[48 * g + t] = s[48 * g + 47 - t]; }
    }
}
",
    right: "kernel ring(x: f32[96], y: mut f32[96]) grid(1) block(96) {
    shared s : f32[96];
    for w in threads(3, cuda_warp) {
        for t in threads(32, cuda_thread) { s[32 * w + t] = x[32 * w + t]; }
        for t in threads(32, cuda_thread) { y[32 * w + t] = s[32 * w + 31 - t]; }
    }
}
",
};

/// The access at `before` has to precede the one at `span`, in all of the `threads` threads of one iteration.
pub(crate) fn unsuitable_barrier(span: Span, before: Span, threads: i64) -> Diagnostic {
    PAGE.at(
        span,
        format!("the {threads} threads that run this must wait for each other here, but no barrier is for them alone"),
    )
    .label("needs a barrier")
    .related(before, "this access must be over first")
    .help("make the collective whole warps of 32 threads, or a part of one warp whose size divides 32")
}
