//! The consequences of a comparison: for operands of `min` and `max`, for dividends, and by transitivity.

use super::super::bounds::Shift;
use super::super::condition::Condition;
use super::super::raiser::Raiser;
use super::super::value::{Kind, ValueId, is_index_like};
use super::MOST_IN_A_ROW;
use crate::intervals::of_type;
use crate::typed::{BinaryOp, MathFunction};
use dims::{CompareOp, Sym};

/// `low < high`, or `low <= high`.
#[derive(Clone, Copy)]
struct Order {
    low: ValueId,
    high: ValueId,
    strict: bool,
}

impl Raiser {
    /// Consequences for operands: anything less than `min(a, b)` is less than both, anything greater than `max(a, b)`
    /// is greater than both, and anything less than a truncated nonnegative number is less than that number.
    pub(in super::super) fn between_extremes(&self, condition: Condition) -> Vec<Condition> {
        let mut found = Vec::new();
        for Order { low, high, strict } in orders(condition) {
            found.extend(self.extremes(high, MathFunction::Min).iter().map(|high| ordered(low, *high, strict)));
            found.extend(self.cut_off(high).map(|high| ordered(low, high, strict)));
            found.extend(self.extremes(low, MathFunction::Max).iter().map(|low| ordered(*low, high, strict)));
        }
        found
    }

    pub(in super::super) fn extremes(&self, id: ValueId, function: MathFunction) -> &[ValueId] {
        match self.kind(self.bare(id)) {
            Kind::Math(called, operands) if *called == function => operands,
            _ => &[],
        }
    }

    /// The operand of a cast to a narrower type, if it is never negative. Truncation never makes such a number larger.
    fn cut_off(&self, id: ValueId) -> Option<ValueId> {
        match *self.kind(self.bare(id)) {
            Kind::Cast(inner) if is_index_like(self.element(id)) && self.at(inner).plain.is_natural() => Some(inner),
            _ => None,
        }
    }

    /// What is below a number of the signed type, as an unsigned number, is not negative, and below it as a signed one:
    /// `u32(i) < 64` says that `0 <= i` and `i < 64`.
    pub(super) fn of_unsigned(&mut self, condition: Condition) -> Vec<Condition> {
        let mut found = Vec::new();
        for Order { low, high, strict } in orders(condition) {
            let cast = self.bare(low);
            let Kind::Cast(inner) = *self.kind(cast) else { continue };
            let (from, to) = (self.element(inner), self.element(cast));
            let is_signed_before = from.is_signed() && from.is_integer() && !to.is_signed() && to.is_integer();
            if !is_signed_before || from.size_bytes() > to.size_bytes() {
                continue;
            }
            let most = 1i128 << (8 * to.size_bytes() - 1);
            if self.numbers(high).hi.is_some_and(|high| high < most) {
                let zero = self.size(&Sym::zero());
                found.extend([ordered(zero, inner, false), ordered(inner, high, strict)]);
            }
        }
        found
    }

    /// That a side which may wrap lies in its type. Where the comparison holds, it may show that the side is the exact result, and then
    /// this excludes what is exact without being a number of the type: `u32(i) - 1 < 64` does not hold of `i = 0`.
    pub(super) fn within_type(&mut self, Condition { left, right, .. }: Condition) -> Vec<Condition> {
        let mut found = Vec::new();
        for side in [left, right].map(|side| self.bare(side)) {
            let element = self.element(side);
            let is_computed = matches!(self.kind(side), Kind::Unary(..) | Kind::Binary(..) | Kind::Cast(_));
            // The ends of 64 bits are no sizes that anything could be computed with.
            if !is_computed || !element.is_integer() || element.bits() >= 64 || self.stays_in_its_type(side) {
                continue;
            }
            let all = of_type(element);
            let [low, high] = [all.lo, all.hi].map(|end| {
                let end = i64::try_from(end?).ok()?;
                Some(self.size(&Sym::constant(end)))
            });
            found.extend(low.map(|low| ordered(low, side, false)));
            found.extend(high.map(|high| ordered(side, high, false)));
        }
        found
    }

    /// Consequences of bounds: anything less than a value is less than its upper bound, and anything greater is greater
    /// than its lower bound.
    pub(super) fn by_bounds(&mut self, condition: Condition) -> Vec<Condition> {
        let mut found = Vec::new();
        for Order { low, high, strict } in orders(condition) {
            if let Some(end) = self.bounds_of_unknown_variable(high).high {
                let end = self.size(&end);
                found.push(ordered(low, end, strict));
            }
            if let Some(end) = self.bounds_of_unknown_variable(low).low {
                let end = self.size(&end);
                found.push(ordered(end, high, strict));
            }
        }
        found
    }

    /// Consequences for the parts of a sum or a difference that does not wrap, where they are variables of which nothing but bounds
    /// is known: `hi - lo > 1` says of `hi <= N` that `lo < N - 1`, of `lo >= 0` that `hi > 1`, and that `lo < hi`.
    pub(super) fn of_sums(&mut self, condition: Condition) -> Vec<Condition> {
        let mut found = Vec::new();
        for order in orders(condition) {
            found.extend(self.of_difference(order));
            found.extend(self.of_shifted(order));
        }
        found
    }

    /// Of `size < a - b` that `b < most - size` and `least + size < a`, by the bounds of the other part; of `a - b < size` that
    /// `a < most + size` and `least - size < b`. If the size says so, `b < a` or `a < b`, too.
    fn of_difference(&mut self, Order { low, high, strict }: Order) -> Vec<Condition> {
        let sides = match (self.as_size(low), self.as_size(high)) {
            (Some(size), None) => self.difference(high).map(|[whole, taken]| (taken, whole, size)),
            (None, Some(size)) => {
                self.difference(low).and_then(|[whole, taken]| Some((whole, taken, size.checked_neg().ok()?)))
            }
            _ => None,
        };
        // Now `least + by < most`, or `<=`.
        let Some((least, most, by)) = sides else { return Vec::new() };
        let mut found = Vec::new();
        if let Some(end) = self.bounds_of_unknown_variable(most).high.and_then(|end| end.checked_sub(&by).ok()) {
            let end = self.size(&end);
            found.push(ordered(least, end, strict));
        }
        if let Some(end) = self.bounds_of_unknown_variable(least).low.and_then(|end| end.checked_add(&by).ok()) {
            let end = self.size(&end);
            found.push(ordered(end, most, strict));
        }
        if self.facts.proves(&by, CompareOp::Ge, &Sym::zero()) {
            found.push(ordered(least, most, strict || self.facts.proves(&by, CompareOp::Gt, &Sym::zero())));
        }
        found
    }

    /// The parts of a difference of two variables that does not wrap.
    fn difference(&mut self, id: ValueId) -> Option<[ValueId; 2]> {
        let Kind::Binary(BinaryOp::Subtract, whole, taken) = *self.kind(self.bare(id)) else { return None };
        let is_of_variables = [whole, taken].into_iter().all(|part| self.is_unknown_variable(part));
        (is_of_variables && self.is_sum(id)).then_some([whole, taken])
    }

    /// Of `a + size < b` that `a < most - size` and `least + size < b`, by the bounds of the other side, and the same of
    /// `a < b + size`.
    fn of_shifted(&mut self, Order { low, high, strict }: Order) -> Vec<Condition> {
        let mut found = Vec::new();
        if let Some((part, by)) = self.shifted_variable(low) {
            let most = self.as_size(high).or_else(|| self.bounds_of_unknown_variable(high).high);
            if let Some(end) = most.and_then(|most| most.checked_sub(&by).ok()) {
                let end = self.size(&end);
                found.push(ordered(part, end, strict));
            }
            let least = self.bounds_of_unknown_variable(part).low.filter(|_| self.is_unknown_variable(high));
            if let Some(end) = least.and_then(|least| least.checked_add(&by).ok()) {
                let end = self.size(&end);
                found.push(ordered(end, high, strict));
            }
            found.extend(self.apart(part, high, &by, strict));
        }
        if let Some((part, by)) = self.shifted_variable(high) {
            let least = self.as_size(low).or_else(|| self.bounds_of_unknown_variable(low).low);
            if let Some(end) = least.and_then(|least| least.checked_sub(&by).ok()) {
                let end = self.size(&end);
                found.push(ordered(end, part, strict));
            }
            let most = self.bounds_of_unknown_variable(part).high.filter(|_| self.is_unknown_variable(low));
            if let Some(end) = most.and_then(|most| most.checked_add(&by).ok()) {
                let end = self.size(&end);
                found.push(ordered(low, end, strict));
            }
            found.extend(by.checked_neg().ok().and_then(|by| self.apart(low, part, &by, strict)));
        }
        found
    }

    /// Of `low + by < high` that `by < high - low`, if that difference of variables does not wrap.
    fn apart(&mut self, low: ValueId, high: ValueId, by: &Sym, strict: bool) -> Option<Condition> {
        if self.element(low) != self.element(high)
            || ![low, high].into_iter().all(|side| self.is_unknown_variable(side))
        {
            return None;
        }
        let difference = self.intern(Kind::Binary(BinaryOp::Subtract, high, low), self.element(low));
        self.is_sum(difference).then(|| ordered(self.size(by), difference, strict))
    }

    /// A variable and the size that is added to it, in a sum that does not wrap.
    fn shifted_variable(&mut self, id: ValueId) -> Option<(ValueId, Sym)> {
        let Shift { of, by, is_opposite: false } = self.shift(id)? else { return None };
        self.is_unknown_variable(of).then_some((of, by))
    }

    /// The comparison of a dividend with a multiple of its divisor: `a / n < c` is equivalent to `a < c * n`.
    pub(super) fn of_quotients(&mut self, condition: Condition) -> Vec<Condition> {
        self.of_operands(condition, Self::quotient, Self::multiple)
    }

    /// What a comparison with a size says of the first operand of one side. `parts` takes a value apart into that operand and a
    /// size, and `end` makes of the compared size, or of the next one, and of the size of the parts the end of the operand.
    fn of_operands(
        &mut self,
        condition: Condition,
        parts: fn(&mut Self, ValueId) -> Option<(ValueId, Sym)>,
        end: fn(&mut Self, Sym, bool, &Sym) -> Option<ValueId>,
    ) -> Vec<Condition> {
        let mut found = Vec::new();
        for Order { low, high, strict } in orders(condition) {
            if let (Some((operand, by)), Some(bound)) = (parts(self, low), self.as_size(high)) {
                found.extend(end(self, bound, !strict, &by).map(|end| ordered(operand, end, true)));
            }
            if let (Some((operand, by)), Some(bound)) = (parts(self, high), self.as_size(low)) {
                found.extend(end(self, bound, strict, &by).map(|end| ordered(end, operand, false)));
            }
        }
        found
    }

    /// A floor division by a size that is at least 1.
    pub(super) fn quotient(&mut self, id: ValueId) -> Option<(ValueId, Sym)> {
        let Kind::Binary(BinaryOp::FloorDivide, dividend, divisor) = *self.kind(self.bare(id)) else { return None };
        let divisor = self.as_size(divisor)?;
        self.facts.proves(&divisor, CompareOp::Ge, &Sym::one()).then_some((dividend, divisor))
    }

    /// `bound * divisor`, or `(bound + 1) * divisor`.
    fn multiple(&mut self, bound: Sym, one_more: bool, divisor: &Sym) -> Option<ValueId> {
        let bound = if one_more { bound.checked_add(&Sym::one()).ok()? } else { bound };
        let product = bound.checked_mul(divisor).ok()?;
        Some(self.size(&product))
    }

    /// The comparison of a factor with a quotient: `a * n < c` is equivalent to `a < cdiv(c, n)`, and `c <= a * n` to
    /// `cdiv(c, n) <= a`.
    pub(super) fn of_multiples(&mut self, condition: Condition) -> Vec<Condition> {
        self.of_operands(condition, Self::scaled, Self::part)
    }

    /// A product with a constant of at least 2, which does not wrap.
    fn scaled(&mut self, id: ValueId) -> Option<(ValueId, Sym)> {
        let Kind::Binary(BinaryOp::Multiply, left, right) = *self.kind(self.bare(id)) else { return None };
        let constant = |id| self.as_size(id).filter(|size| size.as_constant().is_some_and(|constant| constant >= 2));
        let (factor, by) = match (constant(left), constant(right)) {
            (None, Some(by)) => (left, by),
            (Some(by), None) => (right, by),
            _ => return None,
        };
        self.is_sum(id).then_some((factor, by))
    }

    /// `cdiv(bound, divisor)`, or `cdiv(bound + 1, divisor)`.
    fn part(&mut self, bound: Sym, one_more: bool, divisor: &Sym) -> Option<ValueId> {
        let more = if one_more { divisor.clone() } else { divisor.checked_sub(&Sym::one()).ok()? };
        let quotient = bound.checked_add(&more).ok()?.checked_floor_div(divisor, &self.facts).ok()?;
        Some(self.size(&quotient))
    }

    /// The consequences of a comparison and the earlier ones by transitivity: `a < b` and `b <= c` imply `a < c`.
    pub(super) fn in_a_row(&self, condition: Condition) -> Vec<Condition> {
        let mut found = Vec::new();
        for side in [condition.left, condition.right] {
            let side = self.bare(side);
            let known = self.conditions.of.get(&side).map(Vec::as_slice).unwrap_or_default();
            for place in known.iter().rev().take(MOST_IN_A_ROW) {
                found.extend(self.between(condition, self.conditions.held[*place]));
            }
        }
        found
    }

    /// `a <= b` and `a != b` imply `a < b`.
    fn strictly(&self, one: Condition, other: Condition) -> Option<Condition> {
        let (unequal, order) = match (one.op, other.op) {
            (CompareOp::Ne, _) => (one, other),
            (_, CompareOp::Ne) => (other, one),
            _ => return None,
        };
        let is_same = |one: ValueId, other: ValueId| {
            self.bare(one) == self.bare(other) || self.as_size(one).is_some_and(|one| self.as_size(other) == Some(one))
        };
        let is_of_both = |Order { low, high, .. }: &Order| {
            is_same(*low, unequal.left) && is_same(*high, unequal.right)
                || is_same(*low, unequal.right) && is_same(*high, unequal.left)
        };
        let found = orders(order).find(|order| !order.strict && is_of_both(order));
        found.map(|Order { low, high, .. }| ordered(low, high, true))
    }

    /// `a < b` and `b <= c` imply `a < c`. Skipped if `b` is a size: the prover draws that conclusion itself.
    pub(super) fn between(&self, one: Condition, other: Condition) -> Vec<Condition> {
        let mut found = Vec::from_iter(self.strictly(one, other));
        for one in orders(one) {
            for other in orders(other) {
                for (before, after) in [(&one, &other), (&other, &one)] {
                    let meet = self.bare(before.high) == self.bare(after.low);
                    if meet && self.as_size(after.low).is_none() && self.bare(before.low) != self.bare(after.high) {
                        found.push(ordered(before.low, after.high, before.strict || after.strict));
                    }
                }
            }
        }
        found
    }
}

/// The orders that a comparison implies.
fn orders(Condition { left, op, right }: Condition) -> impl Iterator<Item = Order> {
    let order = |low, high, strict| Some(Order { low, high, strict });
    let found = match op {
        CompareOp::Lt | CompareOp::Le => [order(left, right, op == CompareOp::Lt), None],
        CompareOp::Gt | CompareOp::Ge => [order(right, left, op == CompareOp::Gt), None],
        CompareOp::Eq => [order(left, right, false), order(right, left, false)],
        CompareOp::Ne => [None, None],
    };
    found.into_iter().flatten()
}

fn ordered(low: ValueId, high: ValueId, strict: bool) -> Condition {
    let op = if strict { CompareOp::Lt } else { CompareOp::Le };
    Condition { left: low, op, right: high }
}
