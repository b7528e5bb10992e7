//! Choices of which the conditions exclude an alternative: `if at < T { at } else { -1 }` that is not negative.

use super::bounds::completed;
use super::condition::Condition;
use super::raiser::Raiser;
use super::value::{Kind, ValueId};
use crate::typed::MathFunction;
use dims::CompareOp;
use maps::Range;

/// The most values that are looked through for a choice.
const MOST_LOOKED_THROUGH: usize = 16;

impl Raiser {
    /// A choice by a comparison that a value is made of, by operations of integers: the choice, its condition and its alternatives.
    pub(super) fn choice_in(&self, id: ValueId) -> Option<(ValueId, ValueId, [ValueId; 2])> {
        let mut open = vec![id];
        for _ in 0..MOST_LOOKED_THROUGH {
            let id = self.bare(open.pop()?);
            match *self.kind(id) {
                Kind::Select(condition, then, otherwise) if self.compared(condition).is_some() => {
                    return Some((id, condition, [then, otherwise]));
                }
                Kind::Unary(_, inner) => open.push(inner),
                Kind::Binary(_, left, right) => open.extend([left, right]),
                _ => {}
            }
        }
        None
    }

    /// The one of two alternatives that the conditions on a choice leave, if they exclude the other one.
    pub(super) fn only_choice(&self, id: ValueId, alternatives: [ValueId; 2]) -> Option<ValueId> {
        let comparisons: Vec<(CompareOp, ValueId)> = self.comparisons_of(id).collect();
        let is_excluded = |alternative: ValueId| {
            comparisons
                .iter()
                .any(|(op, other)| self.never_holds(&Condition { left: alternative, op: *op, right: *other }))
        };
        match alternatives.map(is_excluded) {
            [false, true] => Some(alternatives[0]),
            [true, false] => Some(alternatives[1]),
            _ => None,
        }
    }

    /// The operand that a minimum or a maximum of integers is under the conditions here: `max(t - 3, 0)` where `t >= 3`.
    pub(super) fn only_extreme(&mut self, function: MathFunction, operands: &[ValueId]) -> Option<ValueId> {
        let [one, other] = *operands else { return None };
        let sides = match function {
            MathFunction::Min => [[one, other, one], [other, one, other]],
            MathFunction::Max => [[other, one, one], [one, other, other]],
            _ => return None,
        };
        sides.into_iter().find_map(|[low, high, found]| self.is_at_most_by_bounds(low, high).then_some(found))
    }

    /// Whether a value is at most another one by their intervals, or by what the conditions here say of the one where the other one
    /// is a size.
    fn is_at_most_by_bounds(&mut self, low: ValueId, high: ValueId) -> bool {
        let [below, above] = [low, high].map(|id| self.numbers(id));
        if below.hi.zip(above.lo).is_some_and(|(below, above)| below <= above) {
            return true;
        }
        let ends = match (self.as_size(low), self.as_size(high)) {
            (_, Some(most)) => self.bounds_by_conditions(low).high.zip(Some(most)),
            (Some(least), None) => Some(least).zip(self.bounds_by_conditions(high).low),
            (None, None) => None,
        };
        ends.is_some_and(|(below, above)| self.facts.proves(&below, CompareOp::Le, &above))
    }

    fn bounds_by_conditions(&mut self, id: ValueId) -> Range {
        completed(self.bounds_by_condition(id), self.bounds_by_shifted_condition(id))
    }

    /// What a comparison of a choice, of which it excludes an alternative, says of the other one.
    pub(super) fn of_choices(&self, condition: Condition) -> Vec<Condition> {
        let choices = self.choices_in(condition);
        choices.map(|(Condition { op, right, .. }, [_, rest], _)| Condition { left: rest, op, right }).collect()
    }

    /// The conditions of choices of which a comparison excludes an alternative, each with whether it does not hold then. They
    /// have to be assumed with the comparison: a form has the other alternative in the choice's place, and does not say when.
    pub(super) fn decided_by(&self, condition: Condition) -> Vec<(ValueId, bool)> {
        let choices = self.choices_in(condition);
        choices.map(|(_, [decides, _], negated)| (decides, negated)).collect()
    }

    /// The sides of a comparison that are choices of which it excludes an alternative: the comparison from that side, the
    /// choice's condition with the alternative that is left, and whether the condition is negated then.
    fn choices_in(&self, condition: Condition) -> impl Iterator<Item = (Condition, [ValueId; 2], bool)> + '_ {
        let turned = Condition { left: condition.right, op: condition.op.turned(), right: condition.left };
        [condition, turned].into_iter().filter_map(|condition| {
            let Kind::Select(decides, then, otherwise) = *self.kind(self.bare(condition.left)) else { return None };
            let is_excluded = |left| self.never_holds(&Condition { left, ..condition });
            match [then, otherwise].map(is_excluded) {
                [false, true] => Some((condition, [decides, then], false)),
                [true, false] => Some((condition, [decides, otherwise], true)),
                _ => None,
            }
        })
    }

    /// Whether a comparison is false, whatever the values are.
    pub(super) fn never_holds(&self, condition: &Condition) -> bool {
        let Condition { left, op, right } = *condition;
        let [one, other] = [left, right].map(|side| self.at(self.bare(side)).plain);
        let is_below = |low: dims::Interval, high: dims::Interval, strictly: bool| match (low.hi, high.lo) {
            (Some(hi), Some(lo)) => hi < lo || !strictly && hi == lo,
            _ => false,
        };
        let is_apart = match op {
            CompareOp::Lt => is_below(other, one, false),
            CompareOp::Le => is_below(other, one, true),
            CompareOp::Gt => is_below(one, other, false),
            CompareOp::Ge => is_below(one, other, true),
            CompareOp::Eq => is_below(one, other, true) || is_below(other, one, true),
            CompareOp::Ne => false,
        };
        let by_sizes = || {
            let (left, right) = self.as_size(left).zip(self.as_size(right))?;
            Some(self.facts.proves(&left, op.negated(), &right))
        };
        is_apart || by_sizes().unwrap_or(false)
    }
}
