//! Ranges of values that their operands do not show: where branches join, and at the start of an iteration.
//!
//! Such a range is stated of a value that nothing else is, so it holds wherever the value is computed, whatever conditions
//! are dropped later.

use super::intervals::{Sizes, narrower};
use super::raiser::{MOST_BOUNDED, Raiser};
use super::value::{Kind, ValueId, is_index_like};
use crate::typed::{Local, MathFunction};
use dims::{CompareOp, Interval, Sym};
use elements::ElementType;
use maps::Range;

/// The most choices within each other that are asked for the range of what they choose.
const MOST_CHOICES: u32 = 8;

impl Raiser {
    /// States the range of a value that is new, before anything is asked of it.
    pub(super) fn know_range(&mut self, id: ValueId, range: Range) {
        let known = self.interval_of(&range, Sizes::Known);
        let small = self.interval_of(&range, Sizes::Small);
        let value = self.at_mut(id);
        value.plain = narrower(value.plain, known);
        value.small = narrower(value.small, small);
        self.ranges.insert(id, range);
    }

    /// The range that was stated of a value.
    pub(super) fn known_range(&self, id: ValueId) -> Option<&Range> {
        self.ranges.get(&id)
    }

    pub(super) fn interval_of(&self, range: &Range, sizes: Sizes) -> Interval {
        let end = |end: &Option<Sym>| end.as_ref().map(|end| self.of_size(end, sizes));
        let (low, high) = (end(&range.low), end(&range.high));
        Interval { lo: low.and_then(|low| low.lo), hi: high.and_then(|high| high.hi) }
    }

    /// A value that is unknown but for its range.
    pub(super) fn unknown_within(&mut self, element: ElementType, range: Range) -> ValueId {
        let id = self.unknown(element);
        self.know_range(id, range);
        id
    }

    /// The distance between two values that do not wrap, if it is a size.
    pub fn distance(&mut self, from: ValueId, to: ValueId) -> Option<Sym> {
        let (first, second) = (self.form(from), self.form(to));
        let difference = second.sum.checked_sub(&first.sum).ok()?;
        difference.as_constant().cloned()
    }

    /// Whether a minimum has an operand at a known distance from a number: `min(b * P + P, N)` is at most `P` beyond `b * P`.
    pub fn is_at_most_a_size_beyond(&mut self, from: ValueId, minimum: ValueId) -> bool {
        let operands = self.extremes(minimum, MathFunction::Min).to_vec();
        operands.into_iter().any(|operand| self.distance(from, operand).is_some())
    }

    /// The least and the greatest value that a variable may have here, if both are known as sizes.
    pub fn ends_of(&mut self, local: Local) -> Option<(Sym, Sym)> {
        let value = self.current(local)?;
        let Range { low, high } = self.range_here(value);
        low.zip(high)
    }

    /// The range of a value here, by its form, by its interval and by the conditions.
    pub(super) fn range_here(&mut self, id: ValueId) -> Range {
        if !is_index_like(self.element(id)) {
            return Range::default();
        }
        let by_form = self.bounds_of_operand(id, &mut MOST_BOUNDED.clone());
        let by_numbers = self.bounds_from_interval(id);
        self.nearest(&by_form, &by_numbers)
    }

    /// The tighter end of two ranges on each side, as far as the facts tell, without a minimum or a maximum of sizes.
    pub(super) fn nearest(&self, one: &Range, other: &Range) -> Range {
        let end = |one: &Option<Sym>, other: &Option<Sym>, op: CompareOp| match (one, other) {
            (Some(one), Some(other)) if self.facts.proves(other, op, one) => Some(other.clone()),
            (Some(one), _) => Some(one.clone()),
            (None, other) => other.clone(),
        };
        Range { low: end(&one.low, &other.low, CompareOp::Gt), high: end(&one.high, &other.high, CompareOp::Lt) }
    }

    /// Whether everything in a range is proven to be in another one.
    pub(super) fn is_within(&self, range: &Range, outer: &Range) -> [bool; 2] {
        let holds = |own: &Option<Sym>, op: CompareOp, end: &Option<Sym>| match (own, end) {
            (_, None) => true,
            (Some(own), Some(end)) => own == end || self.facts.proves(own, op, end),
            (None, Some(_)) => false,
        };
        [holds(&range.low, CompareOp::Ge, &outer.low), holds(&range.high, CompareOp::Le, &outer.high)]
    }

    /// The union of two ranges. One that is empty is that of a branch which nothing takes.
    pub(super) fn of_either(&self, one: Range, other: Range) -> Range {
        let is_empty = |range: &Range| match (&range.low, &range.high) {
            (Some(low), Some(high)) => self.facts.proves(low, CompareOp::Gt, high),
            _ => false,
        };
        match [is_empty(&one), is_empty(&other)] {
            [true, false] => other,
            [false, true] => one,
            _ => one.union(&other, &self.facts),
        }
    }

    /// What a variable holds where two branches join: one of two values, which is in the union of the ranges that they have
    /// at the ends of their branches.
    pub(super) fn joined(&mut self, condition: ValueId, [first, second]: [ValueId; 2], ends: [Range; 2]) -> ValueId {
        let element = self.element(first);
        let plain = self.intern(Kind::Select(condition, first, second), element);
        if first == second {
            return plain;
        }
        let [one, other] = ends;
        let union = self.of_either(one, other);
        if union.low.is_none() && union.high.is_none() {
            return plain;
        }
        // Each join would ask all joins before it.
        let is_deep = self.at(plain).choices > MOST_CHOICES;
        let own = if is_deep { Range::default() } else { self.range_here(plain) };
        if !is_deep && self.is_within(&own, &union) == [true, true] {
            return plain;
        }
        // The condition is a value of its own, and so is the choice: the range holds of no other one.
        self.fresh += 1;
        let condition = self.plainly(condition);
        let own_condition = self.intern(Kind::Again(condition, self.fresh), ElementType::Bool);
        let chosen = self.intern(Kind::Select(own_condition, first, second), element);
        let range = self.nearest(&union, &own);
        self.know_range(chosen, range);
        if is_deep {
            let value = self.at_mut(chosen);
            (value.choices, value.is_closed) = (0, true);
        }
        chosen
    }
}
