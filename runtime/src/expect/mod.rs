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
mod number;
mod prepare;
mod product;
mod reduce;

use std::collections::{BTreeMap, BTreeSet};

use dims::Symbol;
use kernel::run::{Expectation, TensorExpr, TensorExprKind};
use kernel::typed::{Kernel, ParamId, ParamKind};

pub use error::ExpectError;
pub use number::Number;

use crate::execute::{Argument, Control};
use crate::tensors::Tensor;

/// The outcome of an expectation.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It holds.
    Passed {
        /// The largest difference between numbers that were compared with a tolerance.
        max_error: f64,
    },
    /// It does not hold.
    Failed {
        /// The first wrong element in row-major order, one number per dimension; empty for a scalar.
        index: Vec<u64>,
        /// The expected value. Floats are the shortest decimals of the compared type that distinguish the two.
        expected: Number,
        /// The actual value.
        actual: Number,
        /// The largest difference between compared numbers; infinite if NaN or an infinity is compared with something
        /// else.
        max_error: f64,
        /// How many elements are wrong.
        mismatches: u64,
    },
}

/// The tensors of a run.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    /// The kernel's parameters after the run.
    pub finals: &'a [Argument],
    /// The parameters before the run that [`initials_needed`] names.
    pub initials: &'a BTreeMap<ParamId, Argument>,
    /// The files that [`files_needed`] names.
    pub files: &'a BTreeMap<String, Tensor>,
}

/// The parameters to copy before the run: those whose initial value the expectation uses and that the kernel may
/// write.
pub fn initials_needed(kernel: &Kernel, expectation: &Expectation) -> BTreeSet<ParamId> {
    let mut needed = BTreeSet::new();
    visit(&expectation.condition, &mut |expr| {
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
    visit(&expectation.condition, &mut |expr| {
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
    compare::conditions(&preparer, &expectation.condition, expectation.tolerance, control)
}

fn is_written(kernel: &Kernel, id: ParamId) -> bool {
    let param = kernel.params.get(id);
    param.is_some_and(|param| matches!(param.kind, ParamKind::Tensor { mutable: true, .. }))
}

/// Visits an expression and everything in it.
fn visit<'e>(expr: &'e TensorExpr, visitor: &mut dyn FnMut(&'e TensorExpr)) {
    visitor(expr);
    operands(expr).for_each(|operand| visit(operand, visitor));
}

/// The operands of an expression.
fn operands(expr: &TensorExpr) -> impl Iterator<Item = &TensorExpr> {
    let (fixed, list): ([Option<&TensorExpr>; 3], &[TensorExpr]) = match &expr.kind {
        TensorExprKind::Constant(_)
        | TensorExprKind::File(_)
        | TensorExprKind::Size(_)
        | TensorExprKind::Final(_)
        | TensorExprKind::Initial(_) => ([None; 3], &[]),
        TensorExprKind::Unary(_, operand)
        | TensorExprKind::Cast(_, operand)
        | TensorExprKind::Permute(operand, _)
        | TensorExprKind::Reshape(operand)
        | TensorExprKind::Extend(operand)
        | TensorExprKind::Reverse(operand, _)
        | TensorExprKind::Slice(operand, ..)
        | TensorExprKind::Index(operand, _)
        | TensorExprKind::Sum(operand, _)
        | TensorExprKind::Maximum(operand, _)
        | TensorExprKind::Minimum(operand, _) => ([Some(operand), None, None], &[]),
        TensorExprKind::Binary(_, left, right) | TensorExprKind::Product(left, right) => {
            ([Some(left), Some(right), None], &[])
        }
        TensorExprKind::Select(condition, first, second) => ([Some(condition), Some(first), Some(second)], &[]),
        TensorExprKind::Math(_, operands) | TensorExprKind::List(operands) => ([None; 3], operands),
    };
    fixed.into_iter().flatten().chain(list)
}

#[cfg(test)]
mod tests;
