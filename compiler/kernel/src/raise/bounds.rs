//! Lower and upper bounds of unknown values, as sizes.

use super::axes::Axes;
use super::condition::Condition;
use super::raiser::{MOST_BOUNDED, Raiser};
use super::value::{Cached, Kind, ValueId, is_index_like};
use crate::intervals::of_type;
use crate::quasi_affine::FAR;
use crate::typed::{BinaryOp, MathFunction, UnaryOp};
use dims::{CompareOp, Sym};
use elements::ElementType;
use maps::{MapBuilder, Range};

/// The most sums within each other of which the innermost may be compared.
const MOST_SHIFTS: usize = 4;

/// The most choices within each other whose conditions are known together.
const MOST_CHOICES: usize = 3;

/// The tighter bounds of both if they are constants; otherwise the first ones, completed by the second ones. Unlike
/// [`Range::intersect`] it compares no sizes: the minimum of the bounds of many conditions is dear.
pub(super) fn completed(first: Range, second: Range) -> Range {
    let nearer = |one: Option<Sym>, other: Option<Sym>, choose: fn(i64, i64) -> i64| match (one, other) {
        (Some(one), Some(other)) => match (one.as_constant(), other.as_constant()) {
            (Some(first), Some(second)) => Some(Sym::constant(choose(first, second))),
            _ => Some(one),
        },
        (one, other) => one.or(other),
    };
    Range { low: nearer(first.low, second.low, i64::max), high: nearer(first.high, second.high, i64::min) }
}

impl Raiser {
    /// The bounds of a value, derived from its operands.
    pub(super) fn bounds(&mut self, id: ValueId, steps: &mut u32) -> Range {
        let id = self.plainly(id);
        let value = self.at(id);
        let generation = self.conditions.concern_any(value.leaves).then(|| self.conditions.generation());
        if let Some(kept) = value.bounds.as_ref().filter(|kept| kept.generation == generation) {
            return kept.value.clone();
        }
        let mut bounds = match self.at(id).is_closed {
            true => Range::default(),
            false => self.bounds_of_kind(id, steps),
        };
        if let Some(known) = self.known_range(id).cloned() {
            bounds = self.nearest(&known, &bounds);
        }
        if *steps > 0 {
            self.at_mut(id).bounds = Some(Cached { generation, value: bounds.clone() });
        }
        bounds
    }

    fn bounds_of_kind(&mut self, id: ValueId, steps: &mut u32) -> Range {
        let (kind, element) = (self.kind(id).clone(), self.element(id));
        if element == ElementType::U64 {
            // A `u64` beyond `i64::MAX` becomes negative as an index.
            return Range::default();
        }
        let Some(left) = steps.checked_sub(1) else { return self.bounds_from_interval(id) };
        *steps = left;
        match kind {
            Kind::Math(function @ (MathFunction::Min | MathFunction::Max), args) => {
                let [left, right] = args.as_slice() else { return Range::default() };
                let (left, right) = (self.bounds_of_operand(*left, steps), self.bounds_of_operand(*right, steps));
                match function {
                    MathFunction::Min => left.least(&right, &self.facts),
                    _ => left.greatest(&right, &self.facts),
                }
            }
            Kind::Math(MathFunction::Abs, args) if element.is_integer() => {
                let [inner] = args.as_slice() else { return Range::default() };
                let Range { low: Some(low), high } = self.bounds_of_operand(*inner, steps) else {
                    return Range::default();
                };
                let opposite = low.checked_neg().ok();
                let high = opposite.zip(high).and_then(|(one, other)| one.checked_max(&other, &self.facts).ok());
                // The least number of the type has no opposite: it stays negative. No count of 64 bits is that number.
                let has_opposite = match low.as_constant() {
                    Some(low) => of_type(element).lo < Some(i128::from(low)),
                    None => element == ElementType::I64 && !self.at(*inner).traits.data,
                };
                Range { low: Some(if has_opposite { Sym::zero() } else { low }), high }
            }
            Kind::Select(condition, then, otherwise) => {
                let bounds = self.bounds_of_choice((condition, then, otherwise), &[], steps);
                bounds.unwrap_or_else(|| self.bounds_from_interval(id))
            }
            Kind::Load { contents: Some(contents), mask, .. } => {
                let range = self.contents(contents).range.clone();
                // A load that is masked off gives zero.
                let range = match mask {
                    Some(_) => range.union(&Range::exactly(Sym::zero()), &self.facts),
                    None => range,
                };
                completed(range, self.bounds_from_interval(id))
            }
            Kind::Cast(inner) if self.element(inner) == ElementType::U64 && element == ElementType::I64 => {
                let numbers = self.bounds_from_interval(id);
                self.unsigned_remainder(inner).map_or(numbers.clone(), |bounds| completed(bounds, numbers))
            }
            Kind::Cast(inner) if self.keeps_value(id, inner) => self.bounds(inner, steps),
            // A natural number that loses bits becomes no greater one.
            Kind::Cast(inner) if is_index_like(element) && self.is_natural_by_sizes(inner, steps) => {
                let Range { high, .. } = self.bounds_of_operand(inner, steps);
                completed(self.bounds_from_interval(id), Range { low: None, high })
            }
            Kind::Binary(BinaryOp::BitAnd, left, right) => {
                let mask = [left, right].into_iter().filter_map(|side| self.as_size(side)?.as_constant());
                match mask.into_iter().find(|mask| *mask >= 0) {
                    Some(mask) => Range { low: Some(Sym::zero()), high: Some(Sym::constant(mask)) },
                    None => self.bounds_from_interval(id),
                }
            }
            Kind::Binary(BinaryOp::Divide | BinaryOp::FloorDivide, left, right) => {
                let numbers = self.bounds_from_interval(id);
                let bounds = match self.as_size(right) {
                    Some(divisor) => self.quotient_bounds(left, &divisor, steps),
                    None => self.quotient_by_value(left, right, steps),
                };
                bounds.map_or(numbers.clone(), |bounds| completed(bounds, numbers))
            }
            Kind::Binary(BinaryOp::Multiply, left, right) if !self.may_wrap(id) => {
                completed(self.product_bounds(left, right, steps), self.bounds_from_interval(id))
            }
            // A division by a power of two, unless the amount wraps around.
            Kind::Binary(BinaryOp::ShiftRight, left, right) => {
                let numbers = self.bounds_from_interval(id);
                let amount = self.as_size(right).and_then(|amount| amount.as_constant());
                let division = amount.and_then(|amount| BinaryOp::ShiftRight.in_arithmetic(amount, element));
                let bounds =
                    division.and_then(|(_, divisor)| self.quotient_bounds(left, &Sym::constant(divisor), steps));
                bounds.map_or(numbers.clone(), |bounds| completed(bounds, numbers))
            }
            Kind::Binary(BinaryOp::Remainder | BinaryOp::FloorRemainder, left, right) => {
                let numbers = self.bounds_from_interval(id);
                let bounds = match self.as_size(right).or_else(|| self.converted_size(right)) {
                    Some(divisor) => self.remainder_bounds(left, divisor, steps),
                    None => self.remainder_by_value(left, right, steps),
                };
                bounds.map_or(numbers.clone(), |bounds| completed(bounds, numbers))
            }
            _ => self.bounds_from_interval(id),
        }
    }

    /// The bounds of a choice where some comparisons hold: those of either side, where the condition holds or not. `None` where the
    /// kernel has had too many choices.
    fn bounds_of_choice(
        &mut self,
        (condition, then, otherwise): (ValueId, ValueId, ValueId),
        around: &[Condition],
        steps: &mut u32,
    ) -> Option<Range> {
        self.choices = self.choices.checked_sub(1)?;
        let taken = self.compared(condition);
        let known = |own: Option<Condition>| -> Vec<Condition> { around.iter().copied().chain(own).collect() };
        let then = self.bounds_of_alternative(then, &known(taken), steps);
        let otherwise = self.bounds_of_alternative(otherwise, &known(taken.map(Condition::negated)), steps);
        Some(self.of_either(then, otherwise))
    }

    /// The bounds of a side of a choice, where these comparisons hold. A side that is a choice itself, as that of an
    /// `else if`, has them for each of its own.
    fn bounds_of_alternative(&mut self, side: ValueId, known: &[Condition], steps: &mut u32) -> Range {
        let mut bounds = self.bounds_of_operand(side, steps);
        for condition in known {
            let condition = self.on_one_side(*condition, steps);
            let by_condition = self.bounds_by_comparison(side, condition);
            bounds = bounds.intersect(&by_condition, &self.facts);
        }
        if let (Kind::Select(condition, then, otherwise), 1..=MOST_CHOICES) = (self.kind(side).clone(), known.len())
            && !self.at(side).is_closed
            && let Some(left) = steps.checked_sub(1)
        {
            *steps = left;
            if let Some(of_sides) = self.bounds_of_choice((condition, then, otherwise), known, steps) {
                bounds = bounds.intersect(&of_sides, &self.facts);
            }
        }
        bounds
    }

    /// The bounds of a quotient by a size of at least 1. Whether it is rounded down or towards zero matters below zero only.
    pub(super) fn quotient_bounds(&mut self, dividend: ValueId, divisor: &Sym, steps: &mut u32) -> Option<Range> {
        self.facts.proves(divisor, CompareOp::Ge, &Sym::one()).then_some(())?;
        let Range { low, high } = self.bounds_of_operand(dividend, steps);
        let divided = |end: Option<Sym>| {
            let end = end.filter(|end| self.facts.proves(end, CompareOp::Ge, &Sym::zero()))?;
            end.checked_floor_div(divisor, &self.facts).ok()
        };
        Some(Range { low: divided(low), high: divided(high) })
    }

    /// The bounds of a product of numbers that are not negative, or of neighbours: `i * (i - 1)` is not negative for 0 either.
    fn product_bounds(&mut self, left: ValueId, right: ValueId, steps: &mut u32) -> Range {
        let [one, other] = [left, right].map(|factor| self.bounds_of_operand(factor, steps));
        let is_at_least = |range: &Range, least: i64| {
            range.low.as_ref().is_some_and(|low| self.facts.proves(low, CompareOp::Ge, &Sym::constant(least)))
        };
        let are_natural = is_at_least(&one, 0) && is_at_least(&other, 0);
        let are_nearly = is_at_least(&one, -1) && is_at_least(&other, -1);
        if !(are_natural || are_nearly && self.in_order(left, right).is_some()) {
            return Range::default();
        }
        let product =
            |one: Option<Sym>, other: Option<Sym>| one.zip(other).and_then(|(one, other)| one.checked_mul(&other).ok());
        let low = if are_natural { product(one.low, other.low) } else { Some(Sym::zero()) };
        Range { low, high: product(one.high, other.high) }
    }

    /// The bounds of a remainder, which has the sign of its dividend, if the divisor is a size of at least 1.
    fn remainder_bounds(&mut self, dividend: ValueId, divisor: Sym, steps: &mut u32) -> Option<Range> {
        self.facts.proves(&divisor, CompareOp::Ge, &Sym::one()).then_some(())?;
        let high = divisor.checked_sub(&Sym::one()).ok()?;
        let is_natural = self.is_never_negative(dividend) || self.is_natural_by_sizes(dividend, steps);
        let low = if is_natural { Sym::zero() } else { high.checked_neg().ok()? };
        Some(Range { low: Some(low), high: Some(high) })
    }

    /// The bounds from the interval of a value, unless they are merely those of a wide signed type. A very large bound
    /// is useless for an index, and arithmetic with it would overflow 64 bits.
    pub(super) fn bounds_from_interval(&mut self, id: ValueId) -> Range {
        let (numbers, element) = (self.numbers(id), self.element(id));
        let all = of_type(element);
        let is_wide = element.is_signed() && element.size_bytes() >= 4;
        let end = |value: Option<i128>, of_type: Option<i128>| {
            let value = value.filter(|value| (Some(*value) != of_type || !is_wide) && value.abs() < FAR)?;
            i64::try_from(value).ok().map(Sym::constant)
        };
        Range { low: end(numbers.lo, all.lo), high: end(numbers.hi, all.hi) }
    }

    /// The bounds of an operand by its form and by conditions, which say more than its kind if it is an iterator, an id
    /// or a sum of them.
    pub(super) fn bounds_of_operand(&mut self, id: ValueId, steps: &mut u32) -> Range {
        let range = self.range_within(id, steps);
        let conditions = completed(self.bounds_by_condition(id), self.bounds_by_shifted_condition(id));
        range.intersect(&conditions, &self.facts)
    }

    /// The bounds of a value's form.
    pub fn range(&mut self, id: ValueId) -> Range {
        self.range_within(id, &mut MOST_BOUNDED.clone())
    }

    pub(super) fn range_within(&mut self, id: ValueId, steps: &mut u32) -> Range {
        let mut axes = Axes::within(self, &[], *steps);
        let form = axes.form(self, id);
        *steps = axes.steps;
        let facts = self.facts.clone();
        let mut builder = MapBuilder::new(axes.upper(), &facts);
        let range = axes.build(self, &form, &mut builder).map(|value| builder.range(&value));
        range.unwrap_or_default()
    }

    /// The bounds by sizes that the conditions here give a value.
    pub(super) fn bounds_by_condition(&self, id: ValueId) -> Range {
        let mut bounds = Range::default();
        for (op, other) in self.comparisons_of(id) {
            if let Some(other) = self.as_size(other) {
                bounds = completed(compared_with(op, other), bounds);
            }
        }
        bounds
    }

    /// The bounds of `x + size` or `x - size` by conditions on `x`, if the operation does not wrap; `x` may be such a sum, too.
    pub(super) fn bounds_by_shifted_condition(&mut self, id: ValueId) -> Range {
        let mut shifts: Vec<Shift> = Vec::new();
        let mut bounds = Range::default();
        let mut inner = id;
        while shifts.len() < MOST_SHIFTS
            && let Some(shift) = self.shift(inner)
        {
            inner = shift.of;
            shifts.push(shift);
            let own = self.bounds_by_condition(inner);
            bounds = completed(bounds, shifts.iter().rev().fold(own, |own, shift| shift.moved(&own)));
        }
        bounds
    }

    /// The bounds that one comparison gives a value, or `x + size` for a value `x` in it.
    fn bounds_by_comparison(&mut self, id: ValueId, condition: Condition) -> Range {
        let mut shifts: Vec<Shift> = Vec::new();
        let mut bounds = self.bounds_of_side(id, condition);
        let mut inner = id;
        while shifts.len() < MOST_SHIFTS
            && let Some(shift) = self.shift(inner)
        {
            inner = shift.of;
            shifts.push(shift);
            let own = self.bounds_of_side(inner, condition);
            bounds = completed(bounds, shifts.iter().rev().fold(own, |own, shift| shift.moved(&own)));
        }
        bounds
    }

    fn bounds_of_side(&self, id: ValueId, Condition { left, op, right }: Condition) -> Range {
        let id = self.bare(id);
        let compared = match (self.bare(left) == id, self.bare(right) == id) {
            (true, _) => self.as_size(right).map(|right| compared_with(op, right)),
            (_, true) => self.as_size(left).map(|left| compared_with(op.turned(), left)),
            _ => None,
        };
        compared.unwrap_or_default()
    }

    /// A value as the sum or the difference of another one and a size, or as its opposite, if the operation does not wrap.
    pub(super) fn shift(&mut self, id: ValueId) -> Option<Shift> {
        let found = match *self.kind(self.bare(id)) {
            Kind::Unary(UnaryOp::Negate, of) => Shift { of, by: Sym::zero(), is_opposite: true },
            Kind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
                match (self.as_size(left), op, self.as_size(right)) {
                    (_, BinaryOp::Add, Some(by)) => Shift { of: left, by, is_opposite: false },
                    (_, _, Some(by)) => Shift { of: left, by: by.checked_neg().ok()?, is_opposite: false },
                    (Some(by), _, None) => Shift { of: right, by, is_opposite: op == BinaryOp::Subtract },
                    (None, _, None) => return None,
                }
            }
            _ => return None,
        };
        self.is_sum(id).then_some(found)
    }

    /// All known bounds of an unknown value.
    pub(super) fn bounds_of_unknown(&mut self, id: ValueId, steps: &mut u32) -> Range {
        let bounds = self.bounds(id, steps);
        let by_condition = self.bounds_by_condition(id);
        match self.known_range(self.plainly(id)).is_some() {
            // Of what begins in a range that is known, conditions narrow that.
            true => self.nearest(&bounds, &by_condition),
            // Of a scalar, what they say in sizes is nearer than its interval, which has numbers alone.
            false if matches!(self.kind(self.bare(id)), Kind::Scalar(_)) => self.nearest(&by_condition, &bounds),
            false => completed(bounds, by_condition),
        }
    }

    /// The bounds of a variable whose value is an unknown.
    pub(super) fn bounds_of_unknown_variable(&mut self, id: ValueId) -> Range {
        if !self.is_unknown_variable(id) {
            return Range::default();
        }
        self.bounds(id, &mut MOST_BOUNDED.clone())
    }

    /// Whether a value is that of a variable, and an unknown.
    pub(super) fn is_unknown_variable(&mut self, id: ValueId) -> bool {
        matches!(self.kind(id), Kind::Named(_) | Kind::Held(_)) && !self.is_transparent(id)
    }
}

/// `by + of`, or `by - of`.
pub(super) struct Shift {
    pub(super) of: ValueId,
    pub(super) by: Sym,
    pub(super) is_opposite: bool,
}

impl Shift {
    /// The bounds of the sum from those of the value in it.
    fn moved(&self, of: &Range) -> Range {
        let of = if self.is_opposite { of.negate() } else { of.clone() };
        of.plus(&Range::exactly(self.by.clone()))
    }
}

/// The bounds of a value that satisfies `value op size`.
fn compared_with(op: CompareOp, size: Sym) -> Range {
    let (low, high) = match op {
        CompareOp::Lt => (None, size.checked_sub(&Sym::one()).ok()),
        CompareOp::Le => (None, Some(size)),
        CompareOp::Gt => (size.checked_add(&Sym::one()).ok(), None),
        CompareOp::Ge => (Some(size), None),
        CompareOp::Eq => (Some(size.clone()), Some(size)),
        CompareOp::Ne => (None, None),
    };
    Range { low, high }
}
