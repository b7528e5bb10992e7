//! Evaluates conditions: comparisons with a tolerance, and everything else element by element.

use elements::ElementType;
use kernel::run::{Condition, TensorExpr, TensorExprKind};
use kernel::typed::BinaryOp;
use maps::row_major::coordinates;
use rayon::prelude::*;

use super::error::ExpectError;
use super::evaluate::{Elements, PIECE, column};
use super::node::Node;
use super::number::{Column, Kind, Number};
use super::outcome::Outcome;
use super::prepare::Preparer;
use super::visit::visit;
use crate::execute::Control;
use crate::tensors::{Scalar, Wide};

/// Evaluates the conditions and the conjuncts of each in order; the first one that fails is the outcome.
pub fn conditions(
    preparer: &Preparer<'_>,
    conditions: &[Condition],
    control: &Control<'_>,
) -> Result<Outcome, ExpectError> {
    let mut parts = Vec::new();
    for condition in conditions {
        conjuncts(&condition.holds, condition.tolerance, &mut parts);
    }
    let mut largest = 0.0f64;
    for (part, tolerance) in parts {
        let outcome = match &part.kind {
            TensorExprKind::Binary(BinaryOp::Equal, left, right) => {
                let element = coarsest_float(preparer, part);
                let tolerance = tolerance.unwrap_or_else(|| default_tolerance(element));
                told(element, equal(preparer, left, right, tolerance, control)?)
            }
            _ => holds(&preparer.node(part)?, control)?,
        };
        match outcome {
            Outcome::Passed { max_error } => largest = largest.max(max_error),
            Outcome::Failed { .. } => return Ok(outcome),
        }
    }
    Ok(Outcome::Passed { max_error: largest })
}

/// The parts of a condition, each with its tolerance.
fn conjuncts<'e>(condition: &'e TensorExpr, tolerance: Option<f64>, parts: &mut Vec<(&'e TensorExpr, Option<f64>)>) {
    match &condition.kind {
        TensorExprKind::Binary(BinaryOp::And, left, right) => {
            conjuncts(left, tolerance, parts);
            conjuncts(right, tolerance, parts);
        }
        _ => parts.push((condition, tolerance)),
    }
}

/// The coarsest float type in an expression, `f64` if there is none.
fn coarsest_float(preparer: &Preparer<'_>, expr: &TensorExpr) -> ElementType {
    let mut coarsest = ElementType::F64;
    visit(expr, &mut |inner| {
        let element = match &inner.kind {
            TensorExprKind::Final(id) | TensorExprKind::Initial(id) => preparer.element(*id),
            TensorExprKind::Cast(element, _) => Some(*element),
            _ => None,
        };
        let floats = element.into_iter().filter(|element| element.is_float());
        coarsest = floats.fold(
            coarsest,
            |known, new| {
                if default_tolerance(new) > default_tolerance(known) { new } else { known }
            },
        );
    });
    coarsest
}

/// The default tolerance for the coarsest float type of a comparison.
fn default_tolerance(element: ElementType) -> f64 {
    // Without a float among the types the comparison is of numbers computed in f64.
    let computed = if element.is_float() { element } else { ElementType::F64 };
    computed.definition().tolerance
}

/// The outcome with its numbers as their type prints them; with all digits if both would print the same.
fn told(element: ElementType, outcome: Outcome) -> Outcome {
    // What is expected of a type of so few digits is rarely one of its numbers.
    let element = if element.computes() { element } else { ElementType::F32 };
    let short = |number: Number| match number {
        Number::Float(value) if value.is_finite() => {
            Number::Float(Scalar::narrow(element, Wide::Float(value)).to_decimal())
        }
        other => other,
    };
    match outcome {
        Outcome::Failed { index, expected, actual, max_error, mismatches } if short(expected) != short(actual) => {
            let (expected, actual) = (short(expected), short(actual));
            Outcome::Failed { index, expected, actual, max_error, mismatches }
        }
        other => other,
    }
}

/// `left == right` with a tolerance. The actual value is the side that is a parameter after the run, or else the left
/// one.
fn equal(
    preparer: &Preparer<'_>,
    left: &TensorExpr,
    right: &TensorExpr,
    tolerance: f64,
    control: &Control<'_>,
) -> Result<Outcome, ExpectError> {
    let is_result = |expr: &TensorExpr| matches!(expr.kind, TensorExprKind::Final(_));
    let swapped = is_result(right) && !is_result(left);
    let (actual, expected) = if swapped { (right, left) } else { (left, right) };
    let (actual, expected) = (preparer.node(actual)?, preparer.node(expected)?);
    let shape = if actual.shape.is_empty() { &expected.shape } else { &actual.shape };
    let fits = |node: &Node<'_>| node.shape.is_empty() || node.shape == *shape;
    if !fits(&actual) || !fits(&expected) {
        return Err(ExpectError::Shapes(format!("{:?} and {:?}", actual.shape, expected.shape)));
    }
    let is_float = actual.kind == Kind::Float || expected.kind == Kind::Float;
    let findings = over_elements(shape.iter().product(), control, |elements, findings| {
        let actual = column(&actual, elements, control)?;
        let expected = column(&expected, elements, control)?;
        if is_float {
            findings.floats(actual.into_floats(), expected.into_floats(), tolerance);
        } else {
            findings.exact(actual, expected);
        }
        Ok(())
    })?;
    findings.outcome(shape, |element| {
        let element = Elements::Run { first: element, count: 1 };
        Ok((column(&actual, element, control)?.get(0), column(&expected, element, control)?.get(0)))
    })
}

/// A condition that must be true everywhere.
fn holds(node: &Node<'_>, control: &Control<'_>) -> Result<Outcome, ExpectError> {
    let findings = over_elements(node.len(), control, |elements, findings| {
        for truth in column(node, elements, control)?.into_bools() {
            findings.take(if truth { 0.0 } else { 1.0 }, truth);
        }
        Ok(())
    })?;
    let outcome = findings.outcome(&node.shape, |_| Ok((Some(Number::Bool(false)), Some(Number::Bool(true)))))?;
    Ok(match outcome {
        // A `bool` has no numeric error.
        Outcome::Passed { .. } => Outcome::Passed { max_error: 0.0 },
        failed => failed,
    })
}

/// The findings of a run of elements.
#[derive(Clone, Copy, Debug, Default)]
struct Findings {
    /// The first element compared.
    start: usize,
    /// How many were.
    seen: usize,
    /// The first wrong one.
    first: Option<usize>,
    mismatches: u64,
    max_error: f64,
}

impl Findings {
    fn take(&mut self, error: f64, agrees: bool) {
        self.max_error = self.max_error.max(error);
        if !agrees {
            self.first = self.first.or(Some(self.start + self.seen));
            self.mismatches += 1;
        }
        self.seen += 1;
    }

    fn floats(&mut self, actual: Vec<f64>, expected: Vec<f64>, tolerance: f64) {
        for (actual, expected) in actual.into_iter().zip(expected) {
            if actual == expected || (actual.is_nan() && expected.is_nan()) {
                self.take(0.0, true);
                continue;
            }
            let difference = (actual - expected).abs();
            let error = if difference.is_nan() { f64::INFINITY } else { difference };
            // Around an infinity no finite difference is small.
            let agrees = expected.is_finite() && error <= tolerance * expected.abs().max(1.0);
            self.take(error, agrees);
        }
    }

    fn exact(&mut self, actual: Column, expected: Column) {
        for (actual, expected) in actual.into_integers().into_iter().zip(expected.into_integers()) {
            self.take(actual.abs_diff(expected) as f64, actual == expected);
        }
    }

    /// The findings of this run and of the one that follows it.
    fn then(self, next: Findings) -> Findings {
        Findings {
            start: self.start,
            seen: self.seen + next.seen,
            first: self.first.or(next.first),
            mismatches: self.mismatches + next.mismatches,
            max_error: self.max_error.max(next.max_error),
        }
    }

    fn outcome(
        self,
        shape: &[usize],
        values: impl Fn(usize) -> Result<(Option<Number>, Option<Number>), ExpectError>,
    ) -> Result<Outcome, ExpectError> {
        let Some(first) = self.first else { return Ok(Outcome::Passed { max_error: self.max_error }) };
        let (Some(actual), Some(expected)) = values(first)? else {
            return Err(ExpectError::Malformed("an element without a value".to_owned()));
        };
        let index = coordinates(first, shape).into_iter().map(|digit| digit as u64).collect();
        let (max_error, mismatches) = (self.max_error, self.mismatches);
        Ok(Outcome::Failed { index, expected, actual, max_error, mismatches })
    }
}

/// Compares all elements, piece by piece on all cores, and combines the findings in order.
fn over_elements(
    len: usize,
    control: &Control<'_>,
    look: impl Fn(Elements<'_>, &mut Findings) -> Result<(), ExpectError> + Sync,
) -> Result<Findings, ExpectError> {
    let piece = |number: usize| {
        if control.is_cancelled() {
            return Err(ExpectError::Cancelled);
        }
        let first = number * PIECE;
        let count = PIECE.min(len - first);
        let mut findings = Findings { start: first, ..Findings::default() };
        look(Elements::Run { first, count }, &mut findings)?;
        Ok(findings)
    };
    (0..len.div_ceil(PIECE))
        .into_par_iter()
        .map(piece)
        .try_reduce(Findings::default, |left, right| Ok(left.then(right)))
}
