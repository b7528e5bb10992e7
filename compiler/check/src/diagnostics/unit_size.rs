//! An invalid size of a unit.

use super::diagnostic::{Diagnostic, Page, Severity};
use maps::threads::{Size, ThreadsError};
use syntax::span::Span;
use syntax::tree::BinaryOp;

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

/// The reason why a size of a unit is invalid.
pub(crate) enum NoSize {
    /// There is no such unit.
    Unit(ThreadsError),
    /// `_` in the domain of a unit.
    Underscore,
    /// An operator other than `*` and `/` on a size that is relative to the launch.
    Operator(BinaryOp),
    /// A number below 1.
    NotPositive(i64),
    /// An invalid product or quotient of sizes.
    Result { left: Size, op: BinaryOp, right: Size },
}

/// The expression at `span` is no size of a unit.
pub(crate) fn unit_size(span: Span, what: &NoSize) -> Diagnostic {
    let message = match what {
        NoSize::Unit(error) => error.to_string(),
        NoSize::Underscore => "`_` stands in the box of a unit; every dimension of its domain has a size".to_owned(),
        NoSize::Operator(op) => {
            format!("`{}` has no meaning for a size that is relative to the launch", op.text())
        }
        NoSize::NotPositive(value) => format!("a size of a unit is positive, found {value}"),
        NoSize::Result { left, op, right } => format!(
            "`{left} {} {right}` is no size: it leaves 64 bits, or divides by more parameters of the launch than it has",
            op.text()
        ),
    };
    PAGE.at(span, message)
        .label("no size of a unit")
        .help("a size of a unit is a product of positive numbers, `blockDim` and `clusterDim`, such as `blockDim / 32`")
}

/// `blockDim` or `clusterDim` outside a unit.
pub(crate) fn parameter_outside(span: Span, name: &str) -> Diagnostic {
    PAGE.at(span, format!("`{name}` is only known in the sizes of a unit, as in `({name}; 2)`"))
        .label("not in a unit")
        .help("in a unit it may be multiplied and divided, nothing else")
}
