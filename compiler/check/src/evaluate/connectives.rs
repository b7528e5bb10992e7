//! `&&` and `||` of claims.
//!
//! `a || b` claims that for every size one of the sides holds. Therefore the right side only has to hold for sizes for
//! which the left one fails, and only sizes for which both fail refute the claim.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::evaluator::{Evaluator, Outcome};
use crate::diagnostics;
use crate::values::{Claim, Truth, Value};
use dims::{Fact, Facts, Symbol};
use proofs::{Counterexample, Reason, Verdict};
use syntax::span::Span;
use syntax::tree::{BinaryOp, Expr};

impl Evaluator<'_> {
    /// Evaluates the right side of `||` under the assumption that the left side fails.
    pub(super) fn alternative(&mut self, left: Option<&Value>, right: &Expr) -> Outcome {
        let outer = self.otherwise.len();
        if let Some(Value::Truth(truth)) = left
            && !truth.negated
        {
            let comparisons = truth.comparisons.iter().flatten();
            self.otherwise.extend(comparisons.map(|fact| Fact { op: fact.op.negated(), ..fact.clone() }));
        }
        let value = self.expr(right);
        self.otherwise.truncate(outer);
        value
    }

    /// The facts under which claims are proven here.
    pub(super) fn premises(&self) -> Facts {
        let mut premises = self.facts.clone();
        for fact in &self.otherwise {
            // If a side to the left always holds, the right side does not matter, and nothing is assumed.
            if premises.assume(fact.clone()).is_err() {
                return self.facts.clone();
            }
        }
        premises
    }

    /// Evaluates `&&` and `||`. The side that decides the result gives its evidence; a side that is the same for every
    /// size takes precedence.
    pub(crate) fn connective(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Outcome {
        if [&left, &right].iter().any(|side| !matches!(side, Value::Bool(_) | Value::Truth(_))) {
            return self.report(diagnostics::operands(span, op.text(), &left, &right));
        }
        let (a, b) = (decided(&left), decided(&right));
        if let (BinaryOp::Or, Value::Truth(left), Value::Truth(right)) = (op, &left, &right)
            && !is_certain(left)
            && !is_certain(right)
            && (a, b) == (Some(false), Some(false))
        {
            return Some(Value::Truth(Arc::new(either(left, right))));
        }
        let certain = |value: &Value| !matches!(value, Value::Truth(truth) if !is_certain(truth));
        let decisive = Some(op == BinaryOp::Or);
        let decided_by_left = match (a == decisive, b == decisive) {
            (true, true) => certain(&left) || !certain(&right),
            (false, false) if a.is_none() || b.is_none() => a.is_none(),
            // Neither side decides alone: the result has the evidence of the less certain side.
            (false, false) => !certain(&left) && certain(&right),
            (by_left, _) => by_left,
        };
        Some(match (op, if decided_by_left { left } else { right }) {
            // The result is no longer a comparison alone.
            (BinaryOp::And, Value::Truth(truth)) => {
                Value::Truth(Arc::new(Truth { comparisons: None, ..(*truth).clone() }))
            }
            (_, value) => value,
        })
    }
}

/// The disjunction of two claims that each fail for some sizes.
fn either(left: &Truth, right: &Truth) -> Truth {
    let claim = Claim::Either(Box::new(left.claim.clone()), Box::new(right.claim.clone()));
    let comparisons = match (&left.comparisons, &right.comparisons) {
        (Some(left), Some(right)) => Some(left.iter().chain(right).cloned().collect()),
        _ => None,
    };
    let verdict = failing_together(left, right).unwrap_or_else(|| Verdict::Open {
        obligation: right.verdict.obligation().cloned(),
        reason: Reason::EachSideFails,
        deeper: false,
    });
    Truth { comparisons, ..Truth::new(verdict, claim) }
}

/// The refutation by sizes for which both claims fail, if such sizes are known.
fn failing_together(left: &Truth, right: &Truth) -> Option<Verdict> {
    let (a, b) = (refutation(left)?, refutation(right)?);
    if a.sizes == b.sizes || fails_at(left, &b.sizes) {
        return Some(right.verdict.clone());
    }
    if fails_at(right, &a.sizes) {
        return Some(left.verdict.clone());
    }
    // The sizes of a comparison include all symbols that facts relate to them, so they can be combined with sizes of
    // unrelated symbols.
    let mut sizes = a.sizes.clone();
    sizes.extend(b.sizes.iter().map(|(symbol, size)| (symbol.clone(), *size)));
    let apart = sizes.len() == a.sizes.len() + b.sizes.len();
    (apart && (fails_at(left, &sizes) || fails_at(right, &sizes))).then(|| Verdict::Refuted {
        counterexample: Counterexample { sizes, ..b.clone() },
        obligation: right.verdict.obligation().cloned(),
    })
}

fn refutation(truth: &Truth) -> Option<&Counterexample> {
    match &truth.verdict {
        Verdict::Refuted { counterexample, .. } => Some(counterexample),
        _ => None,
    }
}

/// Whether a disjunction of comparisons is known to fail for the sizes.
fn fails_at(truth: &Truth, sizes: &BTreeMap<Symbol, i64>) -> bool {
    truth.comparisons.as_ref().is_some_and(|facts| facts.iter().all(|fact| fact.holds(sizes) == Some(false)))
}

/// Whether a Boolean is the same for every size.
fn is_certain(truth: &Truth) -> bool {
    truth.for_every_size().is_some()
}

/// Whether a claim holds, if that is decided.
fn decided(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        Value::Truth(truth) => truth.decided(),
        _ => None,
    }
}
