//! A unit that a launch does not have.

use super::diagnostic::{Diagnostic, Page, Severity};
use maps::threads::ThreadsError;
use syntax::span::Span;

/// The documentation of `no-such-unit`.
pub static PAGE: Page = Page {
    code: "no-such-unit",
    severity: Severity::Error,
    title: "the launch of a tiling has no such unit",
    explanation: "With the sizes of the launch in place of `blockDim` and `clusterDim`, every size of a unit must be an integer, no box may be
larger than its dimension, and the domain must multiply out to all threads of the cluster, or to a part that divides them.

A warpgroup has 128 threads, so a block of 64 threads has none. The message says which size is wrong for which launch, and
which block sizes near it would do.",
    wrong: "tiling work = block(64) |> tile(w: 1, cuda_warpgroup);
",
    right: "tiling work = block(128) |> tile(w: 1, cuda_warpgroup);
",
};

/// Block sizes near that of the launch with which the unit exists.
pub(crate) struct Blocks {
    /// The sizes, ascending.
    pub(crate) sizes: Vec<i64>,
    /// The place where the block size is written, or could be.
    pub(crate) place: Option<BlockSize>,
}

/// The place of the block size in a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockSize {
    /// It is this number.
    Written(Span),
    /// It is omitted; the clause would be inserted here.
    LeftOut(Span),
}

impl BlockSize {
    /// Adds the fix that sets the block size to `threads`.
    pub(crate) fn fix(self, diagnostic: Diagnostic, threads: i64) -> Diagnostic {
        let title = format!("make it a block of {threads} threads");
        match self {
            Self::Written(place) => diagnostic.fix(title, place, threads.to_string()),
            Self::LeftOut(place) => diagnostic.fix(title, place, format!(" block({threads})")),
        }
    }
}

/// The launch lacks a unit, which the error names.
pub(crate) fn no_such_unit(span: Span, error: &ThreadsError, blocks: &Blocks) -> Diagnostic {
    let mut diagnostic = PAGE.at(span, error.to_string()).label("not in this launch");
    if !blocks.sizes.is_empty() {
        let sizes: Vec<String> = blocks.sizes.iter().map(i64::to_string).collect();
        diagnostic = diagnostic.help(format!("a block of {} threads has such a unit", sizes.join(" or ")));
    }
    for size in &blocks.sizes {
        if let Some(place) = blocks.place {
            diagnostic = place.fix(diagnostic, *size);
        }
    }
    diagnostic
}
