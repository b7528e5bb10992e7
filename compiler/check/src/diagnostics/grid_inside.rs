//! A loop over the grid that is not alone and outermost.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `grid-inside`.
pub static PAGE: Page = Page {
    code: "grid-inside",
    severity: Severity::Error,
    title: "a loop over the grid is not the outermost one",
    explanation: "`for … in grid(…)` spreads its iterations over the blocks of the launch, and a launch has one grid. So there is at most
one such loop in a kernel, and no loop, `if` or collective stands around it.

Put several dimensions into one loop, `for (i, j) in grid(n, m)`, or make the inner loop sequential: `for k in 0..n`.",
    wrong: "kernel read(x: f32[4]) {
    for i in 0..2 {
        for j in grid(2) { let element = x[i * 2 + j]; }
    }
}
",
    right: "kernel read(x: f32[4]) {
    for (i, j) in grid(2, 2) { let element = x[i * 2 + j]; }
}
",
};

/// The loop at `span` is inside something, or the second one.
pub(crate) fn grid_inside(span: Span) -> Diagnostic {
    PAGE.at(span, "a kernel has at most one `for … in grid(…)`, and it is the outermost loop")
        .label("inside, or the second one")
        .help("put all dimensions into one loop, `for (i, j) in grid(n, m)`, or use a sequential `for k in 0..n`")
}
