//! Values of generic parameters that are not checked while the file is written.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `unchecked-candidates`.
pub static PAGE: Page = Page {
    code: "unchecked-candidates",
    severity: Severity::Hint,
    title: "a kernel has more candidates than are checked while it is written",
    explanation: "Each combination of the values that `tune` and lists of types name is checked like a kernel of its own. That takes as long as the
kernel itself, each time. Of a long kernel with many of them, or one that is hard to prove, only the first ones are checked while the
file is written. Any other one is checked when it is used: a run refuses what is wrong, and `shapewright tune` leaves it out.

To have more of them checked here, list fewer values in `tune`, exclude combinations by a fact after the kernel's `where`, such as
`A * B <= 256`. Where proofs take long, `shapewright check --deep` gets further.",
    wrong: "kernel k[A = 1, B = 1, C = 1, D = 1, E = 1](y: mut i64[64])
    tune(A: [1, 2, 3, 4], B: [1, 2, 3, 4], C: [1, 2, 3, 4], D: [1, 2, 3, 4], E: [1, 2, 3, 4]) {
    let first : i64[64] = [
        3, 10, 17, 24, 31, 38, 45, 52, 59, 2, 9, 16, 23, 30, 37, 44,
        51, 58, 1, 8, 15, 22, 29, 36, 43, 50, 57, 0, 7, 14, 21, 28,
        35, 42, 49, 56, 63, 6, 13, 20, 27, 34, 41, 48, 55, 62, 5, 12,
        19, 26, 33, 40, 47, 54, 61, 4, 11, 18, 25, 32, 39, 46, 53, 60
    ];
    let second : i64[64] = [
        3, 10, 17, 24, 31, 38, 45, 52, 59, 2, 9, 16, 23, 30, 37, 44,
        51, 58, 1, 8, 15, 22, 29, 36, 43, 50, 57, 0, 7, 14, 21, 28,
        35, 42, 49, 56, 63, 6, 13, 20, 27, 34, 41, 48, 55, 62, 5, 12,
        19, 26, 33, 40, 47, 54, 61, 4, 11, 18, 25, 32, 39, 46, 53, 60
    ];
    for i in grid(64) { y[i] = (first[i] + second[63 - i]) * A * B * C * D * E; }
}
",
    right: "kernel k[A = 1, B = 1, C = 1, D = 1, E = 1](y: mut i64[64])
    tune(A: [1, 2], B: [1, 2], C: [1, 2], D: [1, 2], E: [1, 2]) {
    let first : i64[64] = [
        3, 10, 17, 24, 31, 38, 45, 52, 59, 2, 9, 16, 23, 30, 37, 44,
        51, 58, 1, 8, 15, 22, 29, 36, 43, 50, 57, 0, 7, 14, 21, 28,
        35, 42, 49, 56, 63, 6, 13, 20, 27, 34, 41, 48, 55, 62, 5, 12,
        19, 26, 33, 40, 47, 54, 61, 4, 11, 18, 25, 32, 39, 46, 53, 60
    ];
    let second : i64[64] = [
        3, 10, 17, 24, 31, 38, 45, 52, 59, 2, 9, 16, 23, 30, 37, 44,
        51, 58, 1, 8, 15, 22, 29, 36, 43, 50, 57, 0, 7, 14, 21, 28,
        35, 42, 49, 56, 63, 6, 13, 20, 27, 34, 41, 48, 55, 62, 5, 12,
        19, 26, 33, 40, 47, 54, 61, 4, 11, 18, 25, 32, 39, 46, 53, 60
    ];
    for i in grid(64) { y[i] = (first[i] + second[63 - i]) * A * B * C * D * E; }
}
",
};

/// Of `all` candidates, the first `most` were checked.
pub(crate) fn unchecked_candidates(span: Span, most: usize, all: usize) -> Diagnostic {
    let message = format!(
        "only the first {most} of {all} combinations of its generic parameters are checked here, as each takes as long as the \
         kernel itself"
    );
    PAGE.at(span, message)
        .label("too many to check all of them")
        .help("the others are checked when they are used: a run refuses what is wrong, and `shapewright tune` leaves it out")
        .help(
            "to have more of them checked here, list fewer values in `tune`, or exclude combinations by a fact after the \
             kernel's `where`; where proofs take long, `shapewright check --deep` gets further",
        )
}
