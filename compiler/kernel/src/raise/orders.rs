//! Orders of values that follow from how they are computed: the mean of two values lies between them.

use super::raiser::Raiser;
use super::value::{Kind, ValueId};
use crate::typed::{BinaryOp, MathFunction};
use dims::{CompareOp, Sym};

/// The most values that are looked at for one question.
const MOST_ORDERED: u32 = 32;

impl Raiser {
    /// Notes that a value lies between those of which it is the mean, where their order is known: of `lo < hi` that
    /// `lo <= (lo + hi) / 2` and `(lo + hi) / 2 < hi`.
    pub(super) fn order_mean(&mut self, mean: ValueId) {
        let Some([first, second]) = self.mean(mean) else { return };
        let of_both = self.comparisons_of(first).filter(|(_, other)| self.bare(*other) == self.bare(second));
        // What says most of both comes first.
        let is_strict = |op: &CompareOp| matches!(op, CompareOp::Lt | CompareOp::Gt);
        let orders = of_both.map(|(op, _)| op).filter(|op| !matches!(op, CompareOp::Eq | CompareOp::Ne));
        let Some(op) = orders.max_by_key(is_strict) else { return };
        let (low, high) = match op {
            CompareOp::Lt | CompareOp::Le => (first, second),
            _ => (second, first),
        };
        self.assume_comparison(low, CompareOp::Le, mean);
        self.assume_comparison(mean, if is_strict(&op) { CompareOp::Lt } else { CompareOp::Le }, high);
    }

    /// The values of which another one is the mean, rounded down: `(a + b) / 2` and `a + (b - a) / 2`, if nothing in it wraps.
    fn mean(&mut self, id: ValueId) -> Option<[ValueId; 2]> {
        if let Some(sum) = self.half(id) {
            let Kind::Binary(BinaryOp::Add, first, second) = *self.kind(self.bare(sum)) else { return None };
            return self.is_sum(sum).then_some([first, second]);
        }
        let Kind::Binary(BinaryOp::Add, one, other) = *self.kind(self.bare(id)) else { return None };
        let (first, difference) = match self.half(other) {
            Some(difference) => (one, difference),
            None => (other, self.half(one)?),
        };
        let Kind::Binary(BinaryOp::Subtract, second, taken) = *self.kind(self.bare(difference)) else { return None };
        let is_of_both = self.bare(taken) == self.bare(first) && self.is_sum(difference);
        // With half of a distance that is not negative a number reaches at most the other one.
        let is_exact = is_of_both && (self.is_never_negative(difference) || self.is_sum(id));
        is_exact.then_some([first, second])
    }

    /// Two values of which one is greater than the other by 1, the smaller one first.
    pub(super) fn in_order(&mut self, left: ValueId, right: ValueId) -> Option<[ValueId; 2]> {
        match self.distance(left, right)?.as_constant()? {
            1 => Some([left, right]),
            -1 => Some([right, left]),
            _ => None,
        }
    }

    /// What a value is half of, rounded down.
    pub(super) fn half(&mut self, id: ValueId) -> Option<ValueId> {
        let Kind::Binary(op, whole, two) = *self.kind(self.bare(id)) else { return None };
        let is_rounded_down = match op {
            BinaryOp::FloorDivide => true,
            // Rounding towards zero is rounding down if the dividend is not negative.
            BinaryOp::Divide => self.is_never_negative(whole),
            _ => false,
        };
        (is_rounded_down && self.as_size(two)? == Sym::constant(2)).then_some(whole)
    }

    /// Whether a value is at most another one, by what they are made of and by what holds here.
    pub(super) fn is_never_above(&mut self, low: ValueId, high: ValueId) -> bool {
        self.is_ordered(low, high, false, &mut MOST_ORDERED.clone())
    }

    /// The same, also by the bounds that values have as sizes.
    pub(super) fn is_never_above_by_sizes(&mut self, low: ValueId, high: ValueId) -> bool {
        self.is_ordered(low, high, true, &mut MOST_ORDERED.clone())
    }

    fn is_ordered(&mut self, low: ValueId, high: ValueId, by_sizes: bool, steps: &mut u32) -> bool {
        let (low, high) = (self.bare(low), self.bare(high));
        if low == high {
            return true;
        }
        let Some(left) = steps.checked_sub(1) else { return false };
        *steps = left;
        if by_sizes && self.are_ordered_by_sizes(low, high) || self.is_next_of_lower(low, high) {
            return true;
        }
        // Of two choices by one condition, both take the same alternative.
        if let (Kind::Select(one, ..), Kind::Select(other, ..)) = (self.kind(low), self.kind(high))
            && self.plainly(*one) == self.plainly(*other)
        {
            let (Kind::Select(_, then, otherwise), Kind::Select(_, above, below)) =
                (self.kind(low).clone(), self.kind(high).clone())
            else {
                return false;
            };
            return [(then, above), (otherwise, below)]
                .into_iter()
                .all(|(low, high)| self.is_ordered(low, high, by_sizes, steps));
        }
        let is_below = |(op, other): (CompareOp, ValueId)| {
            matches!(op, CompareOp::Lt | CompareOp::Le | CompareOp::Eq) && self.bare(other) == high
        };
        if self.comparisons_of(low).any(is_below) {
            return true;
        }
        match self.parts_below(low) {
            Some(Parts::All(parts)) => {
                return parts.into_iter().all(|part| self.is_ordered(part, high, by_sizes, steps));
            }
            Some(Parts::Any(parts)) if parts.iter().any(|part| self.is_ordered(*part, high, by_sizes, steps)) => {
                return true;
            }
            _ => {}
        }
        match self.parts_above(high) {
            Some(Parts::All(parts)) => parts.into_iter().all(|part| self.is_ordered(low, part, by_sizes, steps)),
            Some(Parts::Any(parts)) => parts.into_iter().any(|part| self.is_ordered(low, part, by_sizes, steps)),
            None => false,
        }
    }

    /// Whether one of two values is a size that the bounds of the other one keep to.
    fn are_ordered_by_sizes(&mut self, low: ValueId, high: ValueId) -> bool {
        let ends = match (self.as_size(low), self.as_size(high)) {
            (Some(low), _) => Some(low).zip(self.range_here(high).low),
            (None, Some(high)) => self.range_here(low).high.zip(Some(high)),
            (None, None) => None,
        };
        ends.is_some_and(|(low, high)| self.facts.proves(&low, CompareOp::Le, &high))
    }

    /// Whether a value is the next number of one that is below another one: of `x < y` that `x + 1 <= y`.
    fn is_next_of_lower(&mut self, low: ValueId, high: ValueId) -> bool {
        let Some(shift) = self.shift(low).filter(|shift| !shift.is_opposite && shift.by == Sym::one()) else {
            return false;
        };
        self.comparisons_of(shift.of).any(|(op, other)| op == CompareOp::Lt && self.bare(other) == high)
    }

    /// Values of which all, or any, have to be at most a number, so that this one is.
    fn parts_below(&mut self, id: ValueId) -> Option<Parts> {
        match self.kind(id) {
            Kind::Math(MathFunction::Min, args) => return Some(Parts::Any(args.clone())),
            Kind::Math(MathFunction::Max, args) => return Some(Parts::All(args.clone())),
            _ => {}
        }
        self.parts(id, CompareOp::Le)
    }

    /// Values of which all, or any, have to be at least a number, so that this one is.
    fn parts_above(&mut self, id: ValueId) -> Option<Parts> {
        match self.kind(id) {
            Kind::Math(MathFunction::Min, args) => return Some(Parts::All(args.clone())),
            Kind::Math(MathFunction::Max, args) => return Some(Parts::Any(args.clone())),
            _ => {}
        }
        self.parts(id, CompareOp::Ge)
    }

    /// What a value is chosen from, or the mean of, or further away from than a size in this direction from zero.
    fn parts(&mut self, id: ValueId, away: CompareOp) -> Option<Parts> {
        if let Kind::Select(_, then, otherwise) = *self.kind(id) {
            return Some(Parts::All(vec![then, otherwise]));
        }
        if let Some(parts) = self.mean(id) {
            return Some(Parts::All(parts.into()));
        }
        let shift = self.shift(id).filter(|shift| !shift.is_opposite)?;
        self.facts.proves(&shift.by, away, &Sym::zero()).then(|| Parts::Any(vec![shift.of]))
    }
}

/// The parts of a value that tell whether it is beyond a number.
enum Parts {
    All(Vec<ValueId>),
    Any(Vec<ValueId>),
}
