//! Quotients and remainders whose divisor is no size: `q / min(M - first, 8)`, as of tiles that are taken in groups of which the
//! last one is smaller.
//!
//! Such a value has no form, so what is known of it is stated beside it: the remainder is less than the divisor, and a quotient
//! is less than `n` where the dividend is less than `n` times each value that the divisor may have.

use super::axes::Axes;
use super::condition::Condition;
use super::raiser::Raiser;
use super::value::{Kind, ValueId, is_index_like};
use crate::typed::{BinaryOp, MathFunction};
use dims::{CompareOp, Sym};
use maps::{Affine, MapBuilder, Range, Term};

/// The most values among which a divisor is chosen.
const MOST_ALTERNATIVES: usize = 8;

impl Raiser {
    /// That a remainder by a positive divisor that is no size is less than the divisor, and than all that the divisor is at
    /// most. A divisor that has no form itself is left out.
    pub(super) fn below_divisor(&mut self, id: ValueId, steps: &mut u32) -> Vec<Condition> {
        let Kind::Binary(BinaryOp::Remainder | BinaryOp::FloorRemainder, _, divisor) = *self.kind(self.bare(id)) else {
            return Vec::new();
        };
        if self.as_size(divisor).is_some() || !self.is_positive(divisor, steps) {
            return Vec::new();
        }
        let (mut found, mut taken) = (vec![Condition { left: id, op: CompareOp::Lt, right: divisor }], 0);
        while taken < found.len() && found.len() <= MOST_ALTERNATIVES {
            found.extend(self.between_extremes(found[taken]));
            taken += 1;
        }
        found.retain(|condition| !matches!(self.kind(self.bare(condition.right)), Kind::Math(..) | Kind::Select(..)));
        found
    }

    /// The size that a divisor is converted from, to a narrower type. A number that loses bits is no further from zero than it
    /// was, and by zero the remainder is 0, so a remainder by it has the bounds of one by the size.
    pub(super) fn converted_size(&self, divisor: ValueId) -> Option<Sym> {
        match *self.kind(self.plainly(divisor)) {
            Kind::Cast(inner) if is_index_like(self.element(divisor)) => self.as_size(inner),
            _ => None,
        }
    }

    /// What is divided in a remainder that is made natural: in `(x % n + n) % n` that is `x`, and the remainder the one that is
    /// rounded down, whatever the sign of `x`.
    pub(super) fn made_natural(&mut self, id: ValueId, steps: &mut u32) -> Option<[ValueId; 2]> {
        let [sum, divisor] = self.remainder(id)?;
        let size = self.as_size(divisor)?;
        let Kind::Binary(BinaryOp::Add, left, right) = *self.kind(self.bare(sum)) else { return None };
        let (inner, _) = [(left, right), (right, left)]
            .into_iter()
            .find(|(inner, more)| self.as_size(*more).as_ref() == Some(&size) && self.remainder(*inner).is_some())?;
        let [dividend, by] = self.remainder(inner)?;
        let is_natural = self.as_size(by).as_ref() == Some(&size)
            && self.facts.proves(&size, CompareOp::Ge, &Sym::one())
            && self.is_sum_by_sizes(sum, steps);
        is_natural.then_some([dividend, divisor])
    }

    /// The operands of a remainder of numbers that are indices, rounded in whichever way.
    fn remainder(&self, id: ValueId) -> Option<[ValueId; 2]> {
        match *self.kind(self.bare(id)) {
            Kind::Binary(BinaryOp::Remainder | BinaryOp::FloorRemainder, dividend, divisor)
                if is_index_like(self.element(dividend)) =>
            {
                Some([dividend, divisor])
            }
            _ => None,
        }
    }

    /// The bounds of a remainder by a positive divisor that is no size.
    pub(super) fn remainder_by_value(&mut self, dividend: ValueId, divisor: ValueId, steps: &mut u32) -> Option<Range> {
        if !self.is_never_negative(dividend) || !self.is_positive(divisor, steps) {
            return None;
        }
        let most = self.bounds_of_operand(divisor, steps).high;
        Some(Range { low: Some(Sym::zero()), high: most.and_then(|most| most.checked_sub(&Sym::one()).ok()) })
    }

    /// The bounds of a remainder of `u64` by a size: it is below the size, and so a small number as an index, too.
    pub(super) fn unsigned_remainder(&mut self, id: ValueId) -> Option<Range> {
        let Kind::Binary(BinaryOp::Remainder | BinaryOp::FloorRemainder, _, divisor) = *self.kind(self.plainly(id))
        else {
            return None;
        };
        let size = match *self.kind(self.plainly(divisor)) {
            Kind::Cast(inner) => self.as_size(inner)?,
            _ => self.as_size(divisor)?,
        };
        self.facts.proves(&size, CompareOp::Ge, &Sym::one()).then_some(())?;
        Some(Range { low: Some(Sym::zero()), high: Some(size.checked_sub(&Sym::one()).ok()?) })
    }

    /// The bounds of a quotient by a positive divisor that is no size.
    pub(super) fn quotient_by_value(&mut self, dividend: ValueId, divisor: ValueId, steps: &mut u32) -> Option<Range> {
        if !self.is_never_negative(dividend) || !self.is_positive(divisor, steps) {
            return None;
        }
        let most = self.bounds_of_operand(dividend, steps).high;
        let high = most.and_then(|most| self.most_of_quotient(dividend, &most, divisor, steps).or(Some(most)));
        Some(Range { low: Some(Sym::zero()), high })
    }

    /// The upper bound that one alternative of a divisor gives a quotient, if the others give it no greater one.
    fn most_of_quotient(&mut self, dividend: ValueId, most: &Sym, divisor: ValueId, steps: &mut u32) -> Option<Sym> {
        let alternatives = self.alternatives(divisor);
        for known in &alternatives {
            let Some(size) = self.as_size(*known) else { continue };
            if !self.facts.proves(&size, CompareOp::Ge, &Sym::one()) {
                continue;
            }
            let Ok(high) = most.checked_floor_div(&size, &self.facts) else { continue };
            let Ok(end) = high.checked_add(&Sym::one()) else { continue };
            let mut others = alternatives.iter().filter(|other| *other != known);
            if others.all(|other| self.is_below_product(dividend, *other, &end, steps)) {
                return Some(high);
            }
        }
        None
    }

    /// The values among which a value is chosen.
    fn alternatives(&self, id: ValueId) -> Vec<ValueId> {
        let (mut open, mut found) = (vec![id], Vec::new());
        while let Some(id) = open.pop() {
            let is_choice = open.len() + found.len() < MOST_ALTERNATIVES;
            match self.kind(self.bare(id)) {
                Kind::Math(MathFunction::Min | MathFunction::Max, args) if is_choice => open.extend(args),
                Kind::Select(_, then, otherwise) if is_choice => open.extend([then, otherwise]),
                _ => found.push(id),
            }
        }
        found
    }

    /// Whether the bounds of a value show that it is at least 1.
    pub(super) fn is_positive(&mut self, id: ValueId, steps: &mut u32) -> bool {
        let low = self.bounds_of_operand(id, steps).low;
        low.is_some_and(|low| self.facts.proves(&low, CompareOp::Ge, &Sym::one()))
    }

    /// Whether a value is less than the product of another one and a size.
    fn is_below_product(&mut self, id: ValueId, factor: ValueId, size: &Sym, steps: &mut u32) -> bool {
        let mut axes = Axes::within(self, &[], *steps);
        let (own, factor) = (axes.form(self, id), axes.form(self, factor));
        *steps = axes.steps;
        let difference = factor.sum.checked_scale(size).and_then(|product| product.checked_sub(&own.sum));
        let Some(difference) = difference.ok().and_then(|difference| self.without_remainders(&difference)) else {
            return false;
        };
        let facts = self.facts.clone();
        let mut builder = MapBuilder::new(axes.upper(), &facts);
        let Ok(difference) = axes.build(self, &own.with(difference), &mut builder) else { return false };
        let low = builder.range(&difference).low;
        low.is_some_and(|low| self.facts.proves(&low, CompareOp::Ge, &Sym::one()))
    }

    /// A form with its remainders written by quotients, so that quotients of the same value cancel.
    fn without_remainders(&mut self, form: &Affine) -> Option<Affine> {
        let mut sum = Affine::constant(form.constant.clone());
        for (id, factor) in &form.terms {
            let Some(Term::Digit { of, divisor, modulus: Some(modulus) }) = self.terms.term(*id).cloned() else {
                sum = sum.checked_add(&Affine::term(*id).checked_scale(factor).ok()?).ok()?;
                continue;
            };
            let low = self.terms.digit(&of, &divisor, None)?;
            let high = self.terms.digit(&of, &divisor.checked_mul(&modulus).ok()?, None)?;
            let digit = low.checked_sub(&high.checked_scale(&modulus).ok()?).ok()?;
            sum = sum.checked_add(&digit.checked_scale(factor).ok()?).ok()?;
        }
        Some(sum)
    }
}
