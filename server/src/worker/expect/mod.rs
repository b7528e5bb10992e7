//! Expectations: conditions over whole tensors, evaluated element by element after a run.

mod compare;
mod number;
mod operations;
mod parallel;
mod plan;

use shapewright_compiler::kernels::run::Expectation;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::Tensor;

use super::failure::Failure;
use super::sizes::Sizes;

use compare::Found;

/// What an expectation is about.
pub(super) struct Tensors<'a> {
    /// The sizes of the run.
    pub(super) sizes: &'a Sizes,
    /// The parameters before the run; those that the expectation asks for.
    pub(super) before: &'a [Option<Tensor>],
    /// The parameters after it.
    pub(super) after: &'a [Argument],
}

/// Evaluates an expectation.
pub(super) fn check(expectation: &Expectation, tensors: &Tensors<'_>) -> Result<Found, Failure> {
    compare::condition(&expectation.condition, expectation.tolerance, tensors)
}
