//! Ranges of affine forms over the box of the upper coordinates.

use super::arithmetic::{self, Sign};
use super::{Affine, MapError};
use dims::{Facts, Sym};

/// The greatest weight of an end that is the least or the greatest of two others. Where many branches or conditions follow each
/// other, such an end would hold those of all before it, and every question about it would go through all of them.
const MOST_OF_END: u32 = 64;

/// Inclusive bounds of a value as sizes. `None`: no bound is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// The value is never below this.
    pub low: Option<Sym>,
    /// The value is never above this.
    pub high: Option<Sym>,
}

impl Range {
    /// The range of a known value.
    pub fn exactly(value: Sym) -> Range {
        Range { low: Some(value.clone()), high: Some(value) }
    }

    /// `0..extent`, unbounded above without an extent.
    pub fn below(extent: Option<&Sym>) -> Result<Range, MapError> {
        let high = extent.map(|extent| extent.checked_sub(&Sym::one())).transpose()?;
        Ok(Range { low: Some(Sym::zero()), high })
    }

    /// The range of the sum. Like below, an overflow only loses the bound.
    #[must_use]
    pub fn plus(&self, other: &Range) -> Range {
        let sum = |left: &Sym, right: &Sym| left.checked_add(right).ok();
        Range { low: both(&self.low, &other.low, sum), high: both(&self.high, &other.high, sum) }
    }

    /// The range of the negative.
    #[must_use]
    pub fn negate(&self) -> Range {
        let negative = |bound: &Option<Sym>| bound.as_ref()?.checked_neg().ok();
        Range { low: negative(&self.high), high: negative(&self.low) }
    }

    /// The range of either of two values.
    #[must_use]
    pub fn union(&self, other: &Range, facts: &Facts) -> Range {
        Range {
            low: both(&self.low, &other.low, |left, right| lesser(left, right, facts)),
            high: both(&self.high, &other.high, |left, right| greater(left, right, facts)),
        }
    }

    /// The range of the lesser of two values.
    #[must_use]
    pub fn least(&self, other: &Range, facts: &Facts) -> Range {
        let high = known(&self.high, &other.high, |left, right| lesser(left, right, facts));
        Range { high, ..self.union(other, facts) }
    }

    /// The range of the greater of two values.
    #[must_use]
    pub fn greatest(&self, other: &Range, facts: &Facts) -> Range {
        let low = known(&self.low, &other.low, |left, right| greater(left, right, facts));
        Range { low, ..self.union(other, facts) }
    }

    /// The values in both ranges.
    #[must_use]
    pub fn intersect(&self, other: &Range, facts: &Facts) -> Range {
        let low = known(&self.low, &other.low, |left, right| greater(left, right, facts));
        let high = known(&self.high, &other.high, |left, right| lesser(left, right, facts));
        Range { low: low.or_else(|| self.low.clone()), high: high.or_else(|| self.high.clone()) }
    }

    /// Whether every value is known to lie in `0..extent`.
    pub(crate) fn inside(&self, extent: &Sym, facts: &Facts) -> bool {
        self.not_negative(facts) && self.high.as_ref().is_some_and(|high| arithmetic::less(high, extent, facts))
    }

    /// Whether no value is below zero.
    pub fn not_negative(&self, facts: &Facts) -> bool {
        self.low.as_ref().is_some_and(|low| facts.never_negative(low))
    }

    /// The range of the quotients by a positive divisor, rounded down. An overflow only loses the bound.
    pub fn floor_div(&self, divisor: &Sym, facts: &Facts) -> Range {
        let low = self.low.as_ref().and_then(|low| low.checked_floor_div(divisor, facts).ok());
        let high = self.high.as_ref().and_then(|high| {
            // `(n·d − 1) / d` is `n − 1`: computed this way the symbolic quotient is exact.
            let next = high.checked_add(&Sym::one()).ok()?;
            match arithmetic::divide_exactly(&next, divisor, facts) {
                Some(quotient) => quotient.checked_sub(&Sym::one()).ok(),
                None => high.checked_floor_div(divisor, facts).ok(),
            }
        });
        Range { low, high }
    }

    /// The range of `left ^ right`, of two values that are never negative.
    ///
    /// An xor with a value below `2ᵇ` changes the lowest `b` bits only, so it maps `[0, L)` to itself where `2ᵇ`
    /// divides `L` (T4). Where that is not known, `left ^ right` is still no more than `left + right`.
    pub fn xor(left: &Range, right: &Range, facts: &Facts) -> Range {
        if !left.not_negative(facts) || !right.not_negative(facts) {
            return Range { low: None, high: None };
        }
        let high = left.high.as_ref().zip(right.high.as_ref()).and_then(|(left, right)| {
            match (left.as_constant(), right.as_constant()) {
                (Some(left), Some(right)) => Some(Sym::constant(greatest_xor(left, right))),
                (Some(known), None) => greatest_xor_with(right, known, facts),
                (None, Some(known)) => greatest_xor_with(left, known, facts),
                (None, None) => left.checked_add(right).ok(),
            }
        });
        Range { low: Some(Sym::zero()), high }
    }
}

/// The lesser of two ends, if it is not too long.
fn lesser(left: &Sym, right: &Sym, facts: &Facts) -> Option<Sym> {
    left.checked_min(right, facts).ok().filter(|end| is_short(end, [left, right]))
}

/// The greater of two ends, if it is not too long.
fn greater(left: &Sym, right: &Sym, facts: &Facts) -> Option<Sym> {
    left.checked_max(right, facts).ok().filter(|end| is_short(end, [left, right]))
}

/// Whether an end that is made of others is no longer than it may be. One of them stands already, however long it is.
fn is_short(end: &Sym, of: [&Sym; 2]) -> bool {
    end.weight() <= MOST_OF_END || of.contains(&end)
}

fn both(left: &Option<Sym>, right: &Option<Sym>, of: impl Fn(&Sym, &Sym) -> Option<Sym>) -> Option<Sym> {
    of(left.as_ref()?, right.as_ref()?)
}

/// What is made of both bounds, or the one that is known.
fn known(left: &Option<Sym>, right: &Option<Sym>, of: impl Fn(&Sym, &Sym) -> Option<Sym>) -> Option<Sym> {
    match (left, right) {
        (Some(left), Some(right)) => of(left, right),
        (one, other) => one.as_ref().or(other.as_ref()).cloned(),
    }
}

/// The greatest `x ^ y` of `0 ≤ x ≤ left` and `0 ≤ y ≤ right`.
///
/// From the highest bit down, `left | right` can be had until both have a one: with that bit cleared in one of the two,
/// all of its lower bits are free, and every lower bit of the result can be one.
pub(crate) fn greatest_xor(left: i64, right: i64) -> i64 {
    let (left, right) = (left.max(0), right.max(0));
    let both = left & right;
    // The highest set bit of a non-negative 64-bit integer is below 63, so the shift is in range.
    let free = if both == 0 { 0 } else { i64::MAX >> (both.leading_zeros() - 1) };
    left | right | free
}

/// The same where only one of the two bounds is a constant.
fn greatest_xor_with(symbolic: &Sym, known: i64, facts: &Facts) -> Option<Sym> {
    let changed = xor_unit(known)?;
    let next = symbolic.checked_add(&Sym::one()).ok()?;
    match arithmetic::divide_exactly(&next, &changed, facts) {
        Some(_) => Some(symbolic.clone()),
        None => symbolic.checked_add(&Sym::constant(known)).ok(),
    }
}

/// The power of two above the bits that an xor with a value of at most `greatest` can change: the `2ᵇ` of T4.
pub fn xor_unit(greatest: i64) -> Option<Sym> {
    let bits = 64 - greatest.max(0).leading_zeros();
    (bits < 63).then(|| Sym::constant(1i64 << bits))
}

/// The range of an affine form, given the ranges of its terms.
pub fn of_affine<'a>(form: &Affine, of_term: impl Fn(super::TermId) -> Option<&'a Range>, facts: &Facts) -> Range {
    let (mut low, mut high) = (Some(form.constant.clone()), Some(form.constant.clone()));
    for (term, coefficient) in &form.terms {
        let (Some(range), Some(sign)) = (of_term(*term), arithmetic::sign(coefficient, facts)) else {
            return Range { low: None, high: None };
        };
        let (smallest, largest) = match sign {
            Sign::Positive => (&range.low, &range.high),
            Sign::Negative => (&range.high, &range.low),
        };
        low = add_product(low, coefficient, smallest.as_ref());
        high = add_product(high, coefficient, largest.as_ref());
        if low.is_none() && high.is_none() {
            break;
        }
    }
    Range { low, high }
}

fn add_product(sum: Option<Sym>, coefficient: &Sym, value: Option<&Sym>) -> Option<Sym> {
    sum?.checked_add(&coefficient.checked_mul(value?).ok()?).ok()
}
