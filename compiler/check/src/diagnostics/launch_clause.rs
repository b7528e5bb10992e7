//! An invalid `cluster`, `grid` or `block` clause.

use super::diagnostic::{Diagnostic, Page, Severity};
use dims::Sym;
use syntax::span::Span;

/// The documentation of `launch-clause`.
pub static PAGE: Page = Page {
    code: "launch-clause",
    severity: Severity::Error,
    title: "a clause of the launch has no meaning as it stands",
    explanation: "`cluster(c)`, `grid(n…)` and `block(b)` each stand once after a kernel's parameters, and their arguments are positive
numbers or expressions over sizes: `grid(cdiv(N, 256)) block(256)`.

Left out, the compiler chooses `block`, and a `grid` that covers the threads of the kernel's views. It is what stands
between `<<<` and `>>>` in CUDA, but it belongs to the kernel, so a kernel cannot be launched with other numbers.",
    wrong: "kernel read(x: f32[4]) grid() block(4) {
    let element = x[0];
}
",
    right: "kernel read(x: f32[4]) grid(1) block(4) {
    let element = x[0];
}
",
};

/// An error in a launch clause.
pub(crate) enum WrongLaunch<'a> {
    /// A clause without a number.
    Empty,
    /// The grid has another number of blocks than the loop over the grid needs, with `cluster` blocks for each
    /// iteration.
    GridLoop { blocks: &'a Sym, cluster: i64, needed: &'a Sym },
    /// No grid, and no view that determines the number of blocks.
    NoGrid,
    /// The number of blocks is no multiple of the cluster: `rest` blocks are left.
    PartOfCluster { blocks: &'a Sym, cluster: i64, rest: i64 },
}

/// The launch at `span` is wrong.
pub(crate) fn launch_clause(span: Span, why: &WrongLaunch<'_>) -> Diagnostic {
    let message = match why {
        WrongLaunch::Empty => "a launch clause needs at least one number".to_owned(),
        WrongLaunch::GridLoop { blocks, cluster: 1, needed } => {
            format!("the launch has {blocks} blocks, but the `for … in grid(…)` has {needed} iterations")
        }
        WrongLaunch::GridLoop { blocks, cluster, needed } => format!(
            "the launch has {blocks} blocks, but the clusters of {cluster} that execute the `for … in grid(…)` are \
             {needed} blocks"
        ),
        WrongLaunch::NoGrid => {
            "a view shares its tensor among all threads, so the launch must say how many there are: add \
                                `grid(…)`"
                .to_owned()
        }
        WrongLaunch::PartOfCluster { blocks, cluster, rest } => format!(
            "{blocks} blocks are no whole number of clusters of {cluster}: {rest} would be left; launch a multiple of \
             {cluster}"
        ),
    };
    PAGE.at(span, message).help("write for example `grid(cdiv(N, 256)) block(256)`")
}
