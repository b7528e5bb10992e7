//! An index beyond 64 bits.

use std::fmt::Display;

use super::diagnostic::{Diagnostic, Page, Severity};
use crate::syntax::span::Span;

/// The documentation of `index-width`.
pub static PAGE: Page = Page {
    code: "index-width",
    severity: Severity::Error,
    title: "an index does not fit in 64 bits",
    explanation: "The largest index that this access can reach does not fit in 64 bits, so no machine can compute it. It never wraps
around to another element, as 32-bit index arithmetic in CUDA does for tensors of more than 2^31 elements.

State bounds for the symbolic sizes, `where M <= 65536`, or make the offset smaller.",
    wrong: "kernel fill(y: mut f32[4]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0], offset: 9223372036854775806);
    ys[0] = 1.0;
}
",
    right: "kernel fill(y: mut f32[8]) grid(1) block(4) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0], offset: 4);
    ys[0] = 1.0;
}
",
};

/// `index` is the largest index, as a number or an expression.
pub(crate) fn index_width(span: Span, index: impl Display) -> Diagnostic {
    PAGE.at(span, format!("the index `{index}` of this access does not fit in 64 bits"))
        .label("too large")
        .help("bound the sizes with facts, for example `where M <= 65536`")
}
