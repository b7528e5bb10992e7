//! More groups of warps need a barrier of their own than a block has.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `too-many-barriers`.
pub static PAGE: Page = Page {
    code: "too-many-barriers",
    severity: Severity::Error,
    title: "more groups of warps need a barrier of their own than a block has",
    explanation: "A block has 16 barriers. One is for all of its threads, so 15 groups of several warps can have one of their own. (Groups
within one warp need none of them.)

Use larger groups, or narrow them to single warps.",
    wrong: "kernel ring(x: f32[1024], y: mut f32[1024]) grid(1) block(1024) {
    shared s : f32[1024];
    for g in threads(16, 2 * cuda_warp) {
        for t in threads(64, cuda_thread) { s[64 * g + t] = x[64 * g + t]; }
        for t in threads(64, cuda_thread) { y[64 * g + t] = s[64 * g + 63 - t]; }
    }
}
",
    right: "kernel ring(x: f32[1024], y: mut f32[1024]) grid(1) block(1024) {
    shared s : f32[1024];
    for g in threads(32, cuda_warp) {
        for t in threads(32, cuda_thread) { s[32 * g + t] = x[32 * g + t]; }
        for t in threads(32, cuda_thread) { y[32 * g + t] = s[32 * g + 31 - t]; }
    }
}
",
};

/// `groups` groups would need a barrier of their own.
pub(crate) fn too_many_barriers(span: Span, groups: i64) -> Diagnostic {
    PAGE.at(span, format!("{groups} groups of warps need a barrier of their own, but a block has only 15 for them"))
        .label("one barrier too many")
        .help("use larger groups, or narrow them to single warps, which need no barrier of the block")
}
