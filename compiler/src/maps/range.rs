//! Ranges of affine forms over the box of the upper coordinates.

use super::arithmetic::{self, Sign};
use super::{Affine, MapError};
use crate::dims::{Facts, Sym};

/// Bounds of a value at every point inside the extents; both ends are included. `None`: no bound is known.
#[derive(Clone, Debug, PartialEq, Eq)]
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

    /// `0..extent`, without an upper end where there is no extent.
    pub(crate) fn below(extent: Option<&Sym>) -> Result<Range, MapError> {
        let high = extent.map(|extent| extent.checked_sub(&Sym::one())).transpose()?;
        Ok(Range { low: Some(Sym::zero()), high })
    }

    /// Whether every value is known to lie in `0..extent`.
    pub(crate) fn inside(&self, extent: &Sym, facts: &Facts) -> bool {
        self.not_negative(facts) && self.high.as_ref().is_some_and(|high| arithmetic::less(high, extent, facts))
    }

    /// Whether no value is below zero.
    pub(crate) fn not_negative(&self, facts: &Facts) -> bool {
        self.low.as_ref().is_some_and(|low| facts.never_negative(low))
    }

    /// The range of the quotients by a positive divisor, rounded down. An overflow only loses the bound.
    pub(crate) fn floor_div(&self, divisor: &Sym, facts: &Facts) -> Range {
        let low = self.low.as_ref().and_then(|low| low.checked_floor_div(divisor, facts).ok());
        let high = self.high.as_ref().and_then(|high| {
            // `(n·d − 1) / d` is `n − 1`; said this way the symbolic quotient is exact.
            let next = high.checked_add(&Sym::one()).ok()?;
            match arithmetic::divide_exactly(&next, divisor, facts) {
                Some(quotient) => quotient.checked_sub(&Sym::one()).ok(),
                None => high.checked_floor_div(divisor, facts).ok(),
            }
        });
        Range { low, high }
    }

    /// The range of `left ^ right`: no longer in bits than the longer of the two.
    pub(crate) fn xor(left: &Range, right: &Range, facts: &Facts) -> Range {
        if !left.not_negative(facts) || !right.not_negative(facts) {
            return Range { low: None, high: None };
        }
        let constant = |range: &Range| range.high.as_ref().and_then(Sym::as_constant);
        let high = match (constant(left), constant(right)) {
            (Some(left), Some(right)) => {
                let longest = left.max(right).max(0);
                // The highest set bit of a non-negative 64-bit integer is below 63, so the shift is in range.
                let bits = 64 - longest.leading_zeros();
                (bits < 63).then(|| Sym::constant((1i64 << bits) - 1))
            }
            _ => None,
        };
        Range { low: Some(Sym::zero()), high }
    }
}

/// The range of an affine form, given the ranges of its terms.
pub(crate) fn of_affine<'a>(
    form: &Affine,
    of_term: impl Fn(super::TermId) -> Option<&'a Range>,
    facts: &Facts,
) -> Range {
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
