//! A size of a unit that is none.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `unit-size`.
pub static PAGE: Page = Page {
    code: "unit-size",
    severity: Severity::Error,
    title: "a size of a unit is no product of positive numbers",
    explanation: "The domain and the box of a unit are relative to the launch: each size is a product of positive numbers, `blockDim` (the
threads of a block) and `clusterDim` (the blocks of a cluster), and may be divided by a number: `blockDim / 32`. A division
is exact, so `3 / 2 * blockDim` is one and a half blocks. In the box, `_` stands for any number.

Sums are not possible, nor are symbols, for a unit must have a meaning for every launch. Outside of units `blockDim` and
`clusterDim` mean nothing: a tiling says how large its launch is.",
    wrong: "unit pair = (blockDim + 2; 2);
",
    right: "unit pair = (blockDim; 2);
",
};

/// `reason` says what is wrong with the size.
pub(crate) fn unit_size(span: Span, reason: &str) -> Diagnostic {
    PAGE.at(span, reason)
        .label("no size of a unit")
        .help("a size of a unit is a product of positive numbers, `blockDim` and `clusterDim`, such as `blockDim / 32`")
}

/// `blockDim` or `clusterDim` outside of a unit.
pub(crate) fn parameter_outside(span: Span, name: &str) -> Diagnostic {
    PAGE.at(span, format!("`{name}` is only known in the sizes of a unit, as in `({name}; 2)`"))
        .label("not in a unit")
        .help("in a unit it may be multiplied and divided, nothing else")
}
