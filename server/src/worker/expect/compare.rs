//! Whether a condition holds everywhere, and where it first does not.

use shapewright_compiler::kernels::element::ElementType;
use shapewright_compiler::kernels::run::{TensorExpr, TensorExprKind};
use shapewright_compiler::kernels::typed::BinaryOp;
use shapewright_runtime::execute::Argument;

use super::number::Number;
use super::plan::{Plan, unravel};
use super::{Tensors, parallel};
use crate::worker::failure::Failure;

/// What an evaluation found.
#[derive(Debug, Default)]
pub(in crate::worker) struct Found {
    /// The first element, in row-major order, that is not as expected.
    pub(in crate::worker) first: Option<Wrong>,
    /// How many are not.
    pub(in crate::worker) wrong: u64,
    /// The largest difference between floats, those within the tolerance included.
    pub(in crate::worker) max_error: Option<f64>,
}

/// An element that is not as expected.
#[derive(Debug)]
pub(in crate::worker) struct Wrong {
    pub(in crate::worker) index: Vec<u64>,
    pub(in crate::worker) expected: Number,
    pub(in crate::worker) actual: Number,
}

/// Evaluates a condition: `&&` of conditions one after the other, `==` with the tolerance, anything else as a truth for
/// each element.
pub(super) fn condition(expr: &TensorExpr, tolerance: Option<f64>, tensors: &Tensors<'_>) -> Result<Found, Failure> {
    match &expr.kind {
        TensorExprKind::Binary(BinaryOp::And, left, right) => {
            let left = condition(left, tolerance, tensors)?;
            Ok(left.then(condition(right, tolerance, tensors)?))
        }
        TensorExprKind::Binary(BinaryOp::Equal, left, right) => {
            let tolerance =
                tolerance.unwrap_or_else(|| default_tolerance(left, tensors).max(default_tolerance(right, tensors)));
            // `expect y == reference`, but also `expect reference == y`: what was computed is what the kernel wrote.
            let (actual, expected) = if writes(right) && !writes(left) { (right, left) } else { (left, right) };
            let (actual, expected) = (Plan::new(actual, tensors)?, Plan::new(expected, tensors)?);
            // A scalar spreads over any shape.
            let shape = if actual.shape.is_empty() { expected.shape.clone() } else { actual.shape.clone() };
            Ok(everywhere(&shape, &|index| judge(actual.at(index), expected.at(index), tolerance)))
        }
        _ => {
            let plan = Plan::new(expr, tensors)?;
            let shape = plan.shape.clone();
            Ok(everywhere(&shape, &|index| {
                let actual = plan.at(index);
                let right = actual.is_true();
                Judgement { right, error: None, expected: Number::Bool(true), actual: Number::Bool(right) }
            }))
        }
    }
}

impl Found {
    /// Both together; `self` was asked first.
    fn then(self, next: Found) -> Found {
        let max_error = match (self.max_error, next.max_error) {
            (Some(left), Some(right)) => Some(left.max(right)),
            (left, right) => left.or(right),
        };
        Found { first: self.first.or(next.first), wrong: self.wrong + next.wrong, max_error }
    }
}

struct Judgement {
    right: bool,
    error: Option<f64>,
    expected: Number,
    actual: Number,
}

/// Integers must be equal. Floats agree when `|a - e| <= tolerance · max(1, |e|)`, NaN with NaN, an infinity with itself.
fn judge(actual: Number, expected: Number, tolerance: f64) -> Judgement {
    if let (Some(a), Some(e)) = (actual.to_integer(), expected.to_integer()) {
        return Judgement { right: a == e, error: None, expected, actual };
    }
    let (a, e) = (actual.to_f64(), expected.to_f64());
    let same = a == e || (a.is_nan() && e.is_nan());
    let difference = if same { 0.0 } else { (a - e).abs() };
    let difference = if difference.is_nan() { f64::INFINITY } else { difference };
    let right = same || (e.is_finite() && difference <= tolerance * e.abs().max(1.0));
    Judgement { right, error: Some(difference), expected, actual }
}

fn everywhere(shape: &[usize], judge: &(dyn Fn(&[usize]) -> Judgement + Sync)) -> Found {
    let count: usize = shape.iter().product();
    let found = parallel::pieces(count, |piece| {
        let mut found = Found::default();
        let mut index = unravel(piece.start, shape);
        for _ in piece {
            let judgement = judge(&index);
            if let Some(error) = judgement.error {
                found.max_error = Some(found.max_error.map_or(error, |largest| largest.max(error)));
            }
            if !judgement.right {
                found.wrong += 1;
                let (expected, actual) = (judgement.expected, judgement.actual);
                found.first.get_or_insert_with(|| Wrong {
                    index: index.iter().map(|index| *index as u64).collect(),
                    expected,
                    actual,
                });
            }
            advance(&mut index, shape);
        }
        found
    });
    found.into_iter().reduce(Found::then).unwrap_or_default()
}

/// The next index in row-major order.
fn advance(index: &mut [usize], shape: &[usize]) {
    for (index, extent) in index.iter_mut().zip(shape).rev() {
        *index += 1;
        if *index < *extent {
            return;
        }
        *index = 0;
    }
}

/// Whether an expression asks for what the kernel left behind, directly: `y`, `y.permute(…)`, `y[0]`.
fn writes(expr: &TensorExpr) -> bool {
    match &expr.kind {
        TensorExprKind::Final(_) => true,
        TensorExprKind::Permute(operand, _)
        | TensorExprKind::Reshape(operand)
        | TensorExprKind::Reverse(operand, _)
        | TensorExprKind::Slice(operand, ..)
        | TensorExprKind::Index(operand, _) => writes(operand),
        _ => false,
    }
}

/// What rounding may cost in the coarsest float type that an expression reads.
fn default_tolerance(expr: &TensorExpr, tensors: &Tensors<'_>) -> f64 {
    match &expr.kind {
        TensorExprKind::Final(param) | TensorExprKind::Initial(param) => match tensors.after.get(param.0 as usize) {
            Some(Argument::Tensor(tensor)) => tolerance_of(tensor.element().name()),
            Some(Argument::Scalar(scalar)) => tolerance_of(scalar.element().name()),
            None => 0.0,
        },
        TensorExprKind::Cast(element, operand) => tolerance_of(element.name()).max(default_tolerance(operand, tensors)),
        TensorExprKind::Constant(_) | TensorExprKind::Size(_) => 0.0,
        TensorExprKind::Unary(_, operand)
        | TensorExprKind::Permute(operand, _)
        | TensorExprKind::Reshape(operand)
        | TensorExprKind::Reverse(operand, _)
        | TensorExprKind::Slice(operand, ..)
        | TensorExprKind::Index(operand, _)
        | TensorExprKind::Sum(operand, _)
        | TensorExprKind::Maximum(operand, _)
        | TensorExprKind::Minimum(operand, _) => default_tolerance(operand, tensors),
        TensorExprKind::Binary(_, left, right) => {
            default_tolerance(left, tensors).max(default_tolerance(right, tensors))
        }
        TensorExprKind::Math(_, operands) => {
            operands.iter().map(|operand| default_tolerance(operand, tensors)).fold(0.0, f64::max)
        }
        TensorExprKind::Select(condition, then, otherwise) => {
            let sides = default_tolerance(then, tensors).max(default_tolerance(otherwise, tensors));
            sides.max(default_tolerance(condition, tensors))
        }
    }
}

fn tolerance_of(element: &str) -> f64 {
    match ElementType::from_name(element) {
        Some(ElementType::Bf16) => 1e-2,
        Some(ElementType::F16) => 1e-3,
        Some(ElementType::F32) => 1e-5,
        Some(ElementType::F64) => 1e-12,
        _ => 0.0,
    }
}
