//! The meaning of conditions as comparisons of forms.

use super::node::{LoopId, Node, ValueId};
use super::sides::MOST_CONDITIONS;
use super::values::Values;
use crate::typed::Constant;
use crate::typed::{BinaryOp, UnaryOp};
use dims::{CompareOp, Sym};
use maps::{Affine, Term};
use rustc_hash::FxHashSet;

/// The meaning of a `bool`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Truth {
    Unknown,
    Constant(bool),
    /// `form op 0`
    Compare(Affine, CompareOp),
    Not(ValueId),
    And(ValueId, ValueId),
    Or(ValueId, ValueId),
}

/// The meaning of a new `bool`.
pub(super) fn truth_of(node: &Node, values: &Values<'_>) -> Truth {
    match node {
        Node::Constant(Constant::Bool(value)) => Truth::Constant(*value),
        Node::Unary(UnaryOp::Not, operand) => Truth::Not(*operand),
        Node::Binary(BinaryOp::And, left, right) => Truth::And(*left, *right),
        Node::Binary(BinaryOp::Or, left, right) => Truth::Or(*left, *right),
        Node::Binary(op, left, right) => {
            let Some(op) = op.comparison() else { return Truth::Unknown };
            let (left, right) = (values.form(*left), values.form(*right));
            let difference = left.zip(right).and_then(|(left, right)| left.checked_sub(&right).ok());
            difference.map_or(Truth::Unknown, |form| Truth::Compare(form, op))
        }
        Node::Cast(inner) => values.form(*inner).map_or(Truth::Unknown, |form| Truth::Compare(form, CompareOp::Ne)),
        _ => Truth::Unknown,
    }
}

impl Values<'_> {
    /// The conjuncts of `&&`, from left to right, each once.
    pub fn conjuncts(&self, condition: ValueId) -> Vec<ValueId> {
        let (mut found, mut open) = (Vec::new(), vec![condition]);
        let mut seen: FxHashSet<ValueId> = FxHashSet::default();
        while let Some(condition) = open.pop() {
            if !seen.insert(condition) {
                continue;
            }
            match self.node(condition) {
                Some(Node::Binary(BinaryOp::And, left, right)) => open.extend([*right, *left]),
                _ => found.push(condition),
            }
        }
        found
    }

    /// Whether a comparison says that another one holds: both bound the same sum, as `i > 0` and `i - 1 >= 0` do.
    pub(super) fn implies(&self, known: ValueId, other: ValueId) -> bool {
        let [known, other] = [known, other].map(|id| self.not_negative(id));
        let Some((known, other)) = known.zip(other).filter(|(known, other)| known.terms == other.terms) else {
            return false;
        };
        let apart = other.constant.checked_sub(&known.constant).ok().and_then(|apart| apart.as_constant());
        apart.is_some_and(|apart| apart >= 0)
    }

    /// The form that is not negative where a comparison of integers holds.
    fn not_negative(&self, condition: ValueId) -> Option<Affine> {
        let Truth::Compare(form, op) = &self.get(condition)?.truth else { return None };
        let (factor, distance) = match op {
            CompareOp::Ge => (1, 0),
            CompareOp::Gt => (1, -1),
            CompareOp::Le => (-1, 0),
            CompareOp::Lt => (-1, -1),
            CompareOp::Eq | CompareOp::Ne => return None,
        };
        form.checked_scale(&Sym::constant(factor)).ok()?.checked_offset(&Sym::constant(distance)).ok()
    }

    /// The increment of a form from one iteration of a loop to the next; `None` if it is not a known number.
    pub(super) fn slope(&self, form: &Affine, within: LoopId) -> Option<i64> {
        let mut slope = 0;
        for (term, factor) in &form.terms {
            let parts = self.terms.parts(*term);
            let moves = |id: &ValueId| self.get(*id).is_none_or(|value| value.loops.contains(&within));
            match parts {
                [own]
                    if self.node(*own) == Some(&Node::Iterator(within))
                        && matches!(self.terms.term(*term), Some(Term::Coordinate(_))) =>
                {
                    slope = factor.as_constant()?;
                }
                parts if parts.iter().any(moves) => return None,
                _ => {}
            }
        }
        Some(slope)
    }

    /// What conditions with their truth say, the last one first. A condition that occurs again says nothing more.
    fn stated(&self, mut open: Vec<(ValueId, bool)>) -> impl Iterator<Item = Stated<'_>> {
        let mut seen: FxHashSet<(ValueId, bool)> = FxHashSet::default();
        std::iter::from_fn(move || {
            while let Some((condition, holds)) = open.pop() {
                if !seen.insert((condition, holds)) {
                    continue;
                }
                match self.get(condition).map(|value| &value.truth) {
                    Some(Truth::Not(inner)) => open.push((*inner, !holds)),
                    Some(Truth::And(left, right)) if holds => open.extend([(*left, true), (*right, true)]),
                    Some(Truth::Or(left, right)) if !holds => open.extend([(*left, false), (*right, false)]),
                    Some(Truth::Compare(form, op)) => {
                        return Some(Stated::Comparison(form, if holds { *op } else { op.negated() }));
                    }
                    Some(Truth::Constant(value)) if *value == holds => {}
                    Some(Truth::Constant(_)) => return Some(Stated::Never),
                    _ => return Some(Stated::Unknown),
                }
            }
            None
        })
    }

    /// Forms that differ from 0 where conditions with this truth hold, by `!=`: those of the last conditions, and at most this many.
    pub(crate) fn unequal(&self, conditions: &[(ValueId, bool)], most: usize) -> Vec<Affine> {
        let unequal = |stated| match stated {
            Stated::Comparison(form, CompareOp::Ne) => Some(form.clone()),
            _ => None,
        };
        self.stated(conditions.to_vec()).take(MOST_CONDITIONS).filter_map(unequal).take(most).collect()
    }

    /// Adds the comparisons of a condition. Returns whether they are equivalent to it.
    pub(super) fn state(&self, condition: ValueId, holds: bool, to: &mut Vec<(Affine, CompareOp)>) -> bool {
        let mut exact = true;
        for stated in self.stated(vec![(condition, holds)]) {
            match stated {
                Stated::Comparison(form, op) => {
                    exact &= op != CompareOp::Ne && to.len() < MOST_CONDITIONS;
                    if to.len() < MOST_CONDITIONS {
                        to.push((form.clone(), op));
                    }
                }
                Stated::Never => to.push((Affine::constant(Sym::one()), CompareOp::Lt)),
                Stated::Unknown => exact = false,
            }
        }
        exact
    }
}

/// A part of what a condition says.
enum Stated<'v> {
    /// `form op 0`
    Comparison(&'v Affine, CompareOp),
    /// It never holds.
    Never,
    /// It is no comparison of forms.
    Unknown,
}
