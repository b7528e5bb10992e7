//! Comparisons. With symbolic sizes their results carry evidence.

use std::ops::Range;
use std::sync::Arc;

use super::evaluator::{Evaluator, Outcome};
use crate::diagnostics;
use crate::values::{Claim, Truth, Value};
use dims::{CompareOp, Fact, Proof, Sym};
use maps::threads::ThreadSet;
use proofs::{Counterexample, CounterexampleKind, Reason, Rule, Verdict};
use syntax::span::Span;
use syntax::tree::BinaryOp;

impl Evaluator<'_> {
    /// Evaluates a comparison.
    pub(crate) fn compare(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Outcome {
        let Some(comparison) = comparison(op) else {
            return self.report(diagnostics::operands(span, op.text(), &left, &right));
        };
        if let (Value::Int(left), Value::Int(right)) = (&left, &right) {
            return Some(self.compare_ints(comparison, left, right));
        }
        match op {
            BinaryOp::Equal => self.equal(&left, &right, span),
            BinaryOp::NotEqual => match self.equal(&left, &right, span)? {
                Value::Bool(equal) => Some(Value::Bool(!equal)),
                Value::Truth(truth) => {
                    Some(Value::Truth(Arc::new(Truth { negated: !truth.negated, ..(*truth).clone() })))
                }
                other => Some(other),
            },
            _ => match (left.as_float(), right.as_float()) {
                (Some(left), Some(right)) => Some(Value::Bool(match op {
                    BinaryOp::Less => left < right,
                    BinaryOp::LessEqual => left <= right,
                    BinaryOp::Greater => left > right,
                    _ => left >= right,
                })),
                _ => self.report(diagnostics::operands(span, op.text(), &left, &right)),
            },
        }
    }

    pub(super) fn compare_ints(&mut self, op: CompareOp, left: &Sym, right: &Sym) -> Value {
        if let (Some(left), Some(right)) = (left.as_constant(), right.as_constant()) {
            return Value::Bool(op.holds(left.into(), right.into()));
        }
        let premises = self.premises();
        let verdict = match premises.prove(left, op, right) {
            Proof::Proven => Verdict::Proven { rule: Rule::FollowsFromFacts },
            Proof::Refuted { assignment } => Verdict::Refuted {
                counterexample: Counterexample { sizes: assignment, kind: CounterexampleKind::Sizes },
                obligation: premises.settling_comparison(left, op, right),
            },
            Proof::Open => Verdict::Open {
                obligation: premises.settling_comparison(left, op, right),
                reason: Reason::FactsDoNotDecide,
                deeper: false,
            },
        };
        let comparison = Fact::compare(left.clone(), op, right.clone());
        let (comparisons, claim) = (Some(vec![comparison.clone()]), Claim::Comparison(comparison));
        Value::Truth(Arc::new(Truth { comparisons, ..Truth::new(verdict, claim) }))
    }

    fn equal(&mut self, left: &Value, right: &Value, span: Span) -> Outcome {
        if matches!(left, Value::Threads(_)) || matches!(right, Value::Threads(_)) {
            return match (threads(left), threads(right)) {
                (Some(left), Some(right)) => Some(Value::Bool(left == right)),
                _ => self.report(diagnostics::operands(span, "==", left, right)),
            };
        }
        if let (Some(left), Some(right)) = (elements(left), elements(right)) {
            if left.len() != right.len() {
                return Some(Value::Bool(false));
            }
            let mut all = Value::Bool(true);
            for (left, right) in left.iter().zip(&right) {
                let one = self.compare(BinaryOp::Equal, left.clone(), right.clone(), span)?;
                all = self.connective(BinaryOp::And, all, one, span)?;
            }
            return Some(all);
        }
        Some(match (left, right) {
            (Value::Nothing, Value::Nothing) => Value::Bool(true),
            (Value::Nothing, _) | (_, Value::Nothing) => Value::Bool(false),
            (Value::Bool(left), Value::Bool(right)) => Value::Bool(left == right),
            (Value::Truth(truth), Value::Bool(expected)) | (Value::Bool(expected), Value::Truth(truth)) => {
                Value::Truth(Arc::new(Truth { negated: truth.negated == *expected, ..(**truth).clone() }))
            }
            (Value::Text(left), Value::Text(right)) => Value::Bool(left == right),
            (Value::Unit(left), Value::Unit(right)) => Value::Bool(left.is_same(right)),
            // Maps of different ranks differ for all sizes.
            (Value::Map(left), Value::Map(right))
                if left.upper_rank() != right.upper_rank() || left.lower_rank() != right.lower_rank() =>
            {
                Value::Bool(false)
            }
            (Value::Map(left), Value::Map(right)) => Value::Truth(Arc::new(Truth::new(
                proofs::equal(left, right, &self.premises(), &self.budget()),
                Claim::SameMap,
            ))),
            _ => match (left.as_float(), right.as_float()) {
                (Some(left), Some(right)) => Value::Bool(left == right),
                _ => return self.report(diagnostics::operands(span, "==", left, right)),
            },
        })
    }
}

/// The elements of a shape, tuple, list or range of integers, for elementwise comparison.
fn elements(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::Shape(shape) => Some(shape.dims.iter().cloned().map(Value::Int).collect()),
        Value::Tuple(values) | Value::List(values) => Some(values.clone()),
        Value::Range(low, high) => Some(vec![Value::Int(low.clone()), Value::Int(high.clone())]),
        _ => None,
    }
}

/// The threads of a set, a thread, a range or a list of those.
fn threads(value: &Value) -> Option<ThreadSet> {
    fn runs(value: &Value, found: &mut Vec<Range<i64>>) -> Option<()> {
        match value {
            Value::Threads(threads) => found.extend(threads.runs().iter().cloned()),
            Value::Range(low, high) => found.push(low.as_constant()?..high.as_constant()?),
            Value::Int(thread) => found.push(thread.as_constant()?..thread.as_constant()?.checked_add(1)?),
            Value::List(values) => return values.iter().try_for_each(|value| runs(value, found)),
            Value::Shape(shape) => {
                return shape.dims.iter().try_for_each(|dim| runs(&Value::Int(dim.clone()), found));
            }
            _ => return None,
        }
        Some(())
    }
    let mut found = Vec::new();
    runs(value, &mut found)?;
    Some(ThreadSet::new(found))
}

/// The comparison of integers for an operator.
pub(crate) fn comparison(op: BinaryOp) -> Option<CompareOp> {
    Some(match op {
        BinaryOp::Equal => CompareOp::Eq,
        BinaryOp::NotEqual => CompareOp::Ne,
        BinaryOp::Less => CompareOp::Lt,
        BinaryOp::LessEqual => CompareOp::Le,
        BinaryOp::Greater => CompareOp::Gt,
        BinaryOp::GreaterEqual => CompareOp::Ge,
        _ => return None,
    })
}
