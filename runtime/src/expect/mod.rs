//! Evaluation of the `expect` of a run.
//!
//! A condition is an expression over whole tensors. It is evaluated in small pieces, without temporary tensors, on
//! all cores, and with a result that does not depend on the number of cores: sums are compensated and added in a
//! fixed order. Numbers are computed in `f64` if an operand is a float, otherwise in exact integers.
//!
//! `a == b` at the top of the condition, or of a side of its `&&`, compares numbers with a tolerance: they agree where
//! `|a - b| <= tolerance * max(1, |b|)`, with `b` the expected value. NaN agrees with NaN. Integers and `bool` are
//! compared exactly. Where the run gives no tolerance, it is that of the coarsest float type on either side:
//! 1e-12 for f64, 1e-5 for f32, 2e-3 for f16, 2e-2 for bf16, 0.125 for e4m3, 0.25 for e5m2.

mod compare;
mod error;
mod evaluate;
mod node;
mod number;
mod outcome;
mod prepare;
mod product;
mod reduce;
mod values;
mod visit;

use std::collections::{BTreeMap, BTreeSet};

use dims::Symbol;
use kernel::run::{Expectation, TensorExprKind};
use kernel::typed::{Kernel, ParamId};

pub use error::ExpectError;
pub use number::Number;
pub use outcome::Outcome;
pub use values::Values;

use crate::execute::Control;
use values::is_written;
use visit::visit_all;

/// The parameters to copy before the run: those whose initial value the expectation uses and that the kernel may
/// write.
pub fn initials_needed(kernel: &Kernel, expectation: &Expectation) -> BTreeSet<ParamId> {
    let mut needed = BTreeSet::new();
    visit_all(expectation, &mut |expr| {
        if let TensorExprKind::Initial(id) = expr.kind
            && is_written(kernel, id)
        {
            needed.insert(id);
        }
    });
    needed
}

/// The paths of the files that an expectation compares with, as the source says them.
pub fn files_needed(expectation: &Expectation) -> BTreeSet<String> {
    let mut needed = BTreeSet::new();
    visit_all(expectation, &mut |expr| {
        if let TensorExprKind::File(path) = &expr.kind {
            needed.insert(path.to_string());
        }
    });
    needed
}

/// Evaluates an expectation.
///
/// # Errors
/// A size or tensor that is missing, integers that overflow 128 bits, a malformed expression, cancellation.
pub fn evaluate(
    kernel: &Kernel,
    expectation: &Expectation,
    sizes: &BTreeMap<Symbol, i64>,
    values: Values<'_>,
    control: &Control<'_>,
) -> Result<Outcome, ExpectError> {
    let preparer = prepare::Preparer::new(kernel, sizes, values, control);
    compare::conditions(&preparer, &expectation.conditions, control)
}

#[cfg(test)]
mod tests;
