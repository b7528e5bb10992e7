//! Conditions of which one holds, nobody knows which: `i < N || j < M`.
//!
//! Once all but one of them cannot hold, the last one does; and what follows from each of them holds anyway.

use rustc_hash::FxHashSet;

use super::super::condition::{Alternative, Condition, Either, Literal};
use super::super::raiser::Raiser;
use super::super::value::{Kind, ValueId};
use crate::typed::{BinaryOp, UnaryOp};
use dims::CompareOp;

/// The most alternatives of one condition, and the most comparisons of one of them.
const MOST_ALTERNATIVES: usize = 8;
/// The most such conditions that are kept.
const MOST_EITHER: usize = 16;

impl Raiser {
    /// Assumes that one of two conditions holds. Returns what follows from either of them, or the only one that can hold.
    pub(super) fn assume_either(&mut self, either: [Literal; 2]) -> Vec<Literal> {
        let Some(either) = self.either_of(either) else { return Vec::new() };
        let possible: Vec<&Alternative> =
            either.iter().filter(|alternative| !self.cannot_hold(alternative, &[])).collect();
        if let [only] = possible.as_slice() {
            return vec![only.condition];
        }
        let followed: Vec<Vec<Condition>> = possible.iter().map(|alternative| self.followed(alternative)).collect();
        let mut common = Vec::new();
        if let Some((first, others)) = followed.split_first() {
            let is_everywhere =
                |found: &&Condition| others.iter().all(|known| known.iter().any(|known| self.implies(*known, **found)));
            common.extend(first.iter().filter(is_everywhere).copied());
        }
        if self.conditions.either.len() < MOST_EITHER {
            self.conditions.either.push(Either(either));
        }
        let mut decided = Vec::new();
        for condition in common {
            decided.extend(self.assume_condition(condition));
            decided.extend(self.left_by(condition));
        }
        decided
    }

    /// The latest conditions of which one holds, if several can.
    pub(in super::super) fn either_here(&self) -> Option<Vec<Literal>> {
        let Either(alternatives) = self.conditions.either.last()?;
        let possible = alternatives.iter().filter(|alternative| !self.cannot_hold(alternative, &[]));
        let possible: Vec<Literal> = possible.map(|alternative| alternative.condition).collect();
        (possible.len() > 1).then_some(possible)
    }

    /// Assumes one of the latest conditions of which one holds: then that is stated, and they say nothing more. Returns what was known
    /// before.
    pub(in super::super) fn state_either(&mut self, condition: Literal) -> Vec<Either> {
        let before = self.conditions.either.clone();
        self.conditions.either.pop();
        self.conditions.unstated = self.conditions.unstated.saturating_sub(1);
        self.assume_values(vec![condition]);
        before
    }

    /// Forgets that one of some conditions was assumed.
    pub(in super::super) fn forget_either(&mut self, before: Vec<Either>) {
        self.conditions.either = before;
    }

    /// The alternatives that are left alone, now that a comparison holds.
    pub(super) fn left_by(&self, condition: Condition) -> Vec<Literal> {
        let mut found = Vec::new();
        for Either(alternatives) in &self.conditions.either {
            let is_excluded =
                |alternative: &Alternative| alternative.comparisons.iter().any(|own| self.excludes(condition, *own));
            if alternatives.iter().any(is_excluded) {
                let mut possible = alternatives.iter().filter(|alternative| !self.cannot_hold(alternative, &[]));
                if let (Some(only), None) = (possible.next(), possible.next()) {
                    found.push(only.condition);
                }
            }
        }
        found
    }

    /// The comparisons that hold where an alternative does, with those that are left by it.
    fn followed(&self, alternative: &Alternative) -> Vec<Condition> {
        let mut found = alternative.comparisons.clone();
        for Either(others) in &self.conditions.either {
            let mut possible = others.iter().filter(|other| !self.cannot_hold(other, &found));
            if let (Some(only), None) = (possible.next(), possible.next()) {
                found.extend(only.comparisons.iter().copied());
            }
        }
        found
    }

    /// Whether an alternative contradicts what holds, or these further comparisons.
    fn cannot_hold(&self, alternative: &Alternative, further: &[Condition]) -> bool {
        alternative.comparisons.iter().any(|own| {
            let (left, right) = (self.bare(own.left), self.bare(own.right));
            let is_held = |(op, other): (CompareOp, ValueId)| self.bare(other) == right && outcomes(op, own.op) == 0;
            self.comparisons_of(left).any(is_held) || further.iter().any(|known| self.excludes(*known, *own))
        })
    }

    /// Whether two comparisons of the same values cannot both hold.
    fn excludes(&self, one: Condition, other: Condition) -> bool {
        self.turned_like(one, other).is_some_and(|op| outcomes(op, other.op) == 0)
    }

    /// Whether the first of two comparisons of the same values implies the second one.
    fn implies(&self, one: Condition, other: Condition) -> bool {
        self.turned_like(one, other).is_some_and(|op| outcomes(op, other.op.negated()) == 0)
    }

    /// The operator of a comparison of the same values as another one, in their order.
    fn turned_like(&self, one: Condition, other: Condition) -> Option<CompareOp> {
        let [first, second] =
            [one, other].map(|Condition { left, right, .. }| [left, right].map(|side| self.bare(side)));
        if first == second {
            return Some(one.op);
        }
        (first == [second[1], second[0]]).then(|| one.op.turned())
    }

    /// The alternatives of a condition, if there are not too many.
    fn either_of(&self, either: [Literal; 2]) -> Option<Vec<Alternative>> {
        let mut open = Vec::from(either);
        let mut seen: FxHashSet<Literal> = FxHashSet::default();
        let mut found = Vec::new();
        while let Some((id, negated)) = open.pop() {
            let id = self.plainly(id);
            if !seen.insert((id, negated)) {
                continue;
            }
            match *self.kind(id) {
                Kind::Binary(BinaryOp::Or, left, right) if !negated => open.extend([(left, false), (right, false)]),
                Kind::Binary(BinaryOp::And, left, right) if negated => open.extend([(left, true), (right, true)]),
                Kind::Unary(UnaryOp::Not, inner) => open.push((inner, !negated)),
                _ => {
                    let condition = (id, negated);
                    found.push(Alternative { condition, comparisons: self.comparisons_in(condition) });
                }
            }
            if found.len() + open.len() > MOST_ALTERNATIVES {
                return None;
            }
        }
        Some(found)
    }

    /// Comparisons that hold where a condition does.
    fn comparisons_in(&self, condition: Literal) -> Vec<Condition> {
        let mut open = vec![condition];
        let mut found = Vec::new();
        // A conjunction has as many parts as operators, and one.
        for _ in 0..2 * MOST_ALTERNATIVES {
            let Some((id, negated)) = open.pop() else { break };
            let id = self.plainly(id);
            match *self.kind(id) {
                Kind::Binary(BinaryOp::And, left, right) if !negated => open.extend([(left, false), (right, false)]),
                Kind::Binary(BinaryOp::Or, left, right) if negated => open.extend([(left, true), (right, true)]),
                Kind::Unary(UnaryOp::Not, inner) => open.push((inner, !negated)),
                _ => found.extend(self.compared(id).map(|own| if negated { own.negated() } else { own })),
            }
        }
        found.retain(|own| [own.left, own.right].into_iter().all(|side| self.at(side).traits.stable));
        found
    }
}

/// Which of less, equal and greater two comparisons of the same values have in common, as bits.
fn outcomes(one: CompareOp, other: CompareOp) -> u8 {
    let bits = |op| match op {
        CompareOp::Lt => 0b001,
        CompareOp::Le => 0b011,
        CompareOp::Eq => 0b010,
        CompareOp::Ge => 0b110,
        CompareOp::Gt => 0b100,
        CompareOp::Ne => 0b101,
    };
    bits(one) & bits(other)
}
