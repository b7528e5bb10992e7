//! The values that an integer expression can have: symbolic and numeric bounds.
//!
//! The bounds decide whether an expression fits 32 bits, and whether an operator can overflow and has to be written as
//! one that wraps.

use dims::{Facts, Interval, Sym};

/// The values of an integer expression. Every bound holds for all sizes that satisfy the facts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Range {
    /// The numeric bounds.
    pub numbers: Interval,
    /// A symbolic lower bound, inclusive.
    pub lower: Option<Sym>,
    /// A symbolic upper bound, inclusive.
    pub upper: Option<Sym>,
    /// Whether it consists of sizes, ids, iterators and constants only. If such an expression is an index, it is proven
    /// to fit 64 bits.
    pub index: bool,
}

impl Range {
    /// The integers between two numbers, inclusive.
    pub fn between(low: i128, high: i128) -> Range {
        Range { numbers: Interval::between(low, high), ..Range::default() }
    }

    /// One integer.
    pub fn constant(value: i64) -> Range {
        Range {
            numbers: Interval::point(value.into()),
            lower: Some(Sym::constant(value)),
            upper: Some(Sym::constant(value)),
            index: true,
        }
    }

    /// The value of a symbolic integer.
    pub fn size(size: &Sym, facts: &Facts) -> Range {
        Range { numbers: facts.range(size), lower: Some(size.clone()), upper: Some(size.clone()), index: true }
    }

    /// The integers from 0 up to, but not including, a size that is at most `most`.
    pub fn below(size: &Sym, most: i128, facts: &Facts) -> Range {
        let upper = size.checked_sub(&Sym::one()).ok();
        let known = upper.as_ref().and_then(|upper| facts.range(upper).hi);
        Range {
            numbers: Interval::between(0, known.map_or(most - 1, |known| known.min(most - 1))),
            lower: Some(Sym::zero()),
            upper,
            index: true,
        }
    }

    /// The values of an iterator over `low..high`.
    pub fn iterator(low: &Range, high: &Range) -> Range {
        let upper = high.upper.as_ref();
        Range {
            numbers: Interval { lo: low.numbers.lo, hi: high.numbers.minus(Interval::point(1)).hi },
            lower: low.lower.clone(),
            upper: upper.and_then(|upper| upper.checked_sub(&Sym::one()).ok()),
            index: low.index && high.index,
        }
    }

    /// The value, if there is only one.
    pub fn point(&self) -> Option<i128> {
        self.numbers.lo.filter(|low| self.numbers.hi == Some(*low))
    }

    /// Whether all values lie between two numbers, inclusive.
    pub fn within(&self, low: i128, high: i128) -> bool {
        self.numbers.lies_in(Interval::between(low, high))
    }

    /// Whether all values are at least the bound.
    pub fn at_least(&self, bound: i128) -> bool {
        self.numbers.lo.is_some_and(|low| low >= bound)
    }

    /// Tightens the numeric bounds by the symbolic ones, unless the numeric bounds suffice for all decisions.
    fn tightened(mut self, facts: &Facts) -> Range {
        if self.within(i128::from(i32::MIN), i128::from(i32::MAX)) && self.at_least(0) {
            return self;
        }
        let lo = self.lower.as_ref().and_then(|lower| facts.range(lower).lo);
        let hi = self.upper.as_ref().and_then(|upper| facts.range(upper).hi);
        self.numbers = self.numbers.intersect(Interval { lo, hi });
        self
    }

    /// The range of the sum.
    pub fn add(&self, other: &Range, facts: &Facts) -> Range {
        let sum = |left: &Option<Sym>, right: &Option<Sym>| left.as_ref()?.checked_add(right.as_ref()?).ok();
        Range {
            numbers: self.numbers.plus(other.numbers),
            lower: sum(&self.lower, &other.lower),
            upper: sum(&self.upper, &other.upper),
            index: self.index && other.index,
        }
        .tightened(facts)
    }

    /// The range of the negative.
    pub fn negate(&self) -> Range {
        let negative = |bound: &Option<Sym>| Sym::zero().checked_sub(bound.as_ref()?).ok();
        Range {
            numbers: self.numbers.negate(),
            lower: negative(&self.upper),
            upper: negative(&self.lower),
            index: self.index,
        }
    }

    /// The range of the difference.
    pub fn subtract(&self, other: &Range, facts: &Facts) -> Range {
        self.add(&other.negate(), facts)
    }

    /// The range of the product.
    pub fn multiply(&self, other: &Range, facts: &Facts) -> Range {
        if self.point().is_some() && other.point().is_none() {
            return other.multiply(self, facts);
        }
        // A factor that is never positive, such as the stride of a reversed dimension, is negated before and after.
        let is_negative = |range: &Range| range.numbers.hi.is_some_and(|high| high <= 0) && !range.at_least(0);
        if is_negative(other) {
            return self.multiply(&other.negate(), facts).negate();
        }
        if is_negative(self) {
            return self.negate().multiply(other, facts).negate();
        }
        let product = |left: &Option<Sym>, right: &Option<Sym>| left.as_ref()?.checked_mul(right.as_ref()?).ok();
        let (numbers, index) = (self.numbers.multiply(other.numbers), self.index && other.index);
        if !(self.at_least(0) && other.at_least(0) || other.point().is_some()) {
            return Range { numbers, index, ..Range::default() };
        }
        // The product of two negative bounds would be positive.
        let safe = |bound: &Option<Sym>| {
            let least = bound.as_ref().and_then(|bound| facts.range(bound).lo);
            least.is_some_and(|least| least >= 0)
        };
        let monotone = other.point().is_some() || safe(&self.lower) && safe(&other.lower);
        let lower = product(&self.lower, &other.lower).filter(|_| monotone);
        Range { numbers, lower, upper: product(&self.upper, &other.upper), index }.tightened(facts)
    }

    /// The divisors, where a divisor less than 1 counts as 1.
    fn divisors(&self) -> Interval {
        self.numbers.greatest(Interval::point(1))
    }

    /// The range of the quotient, rounded down; a divisor less than 1 counts as 1.
    pub fn floor_divide(&self, divisor: &Range, facts: &Facts) -> Range {
        let index = self.index && divisor.index;
        let exact = if divisor.lower == divisor.upper && divisor.at_least(1) { divisor.lower.as_ref() } else { None };
        let bound = |bound: &Option<Sym>| bound.as_ref()?.checked_floor_div(exact?, facts).ok();
        Range {
            numbers: self.numbers.divide(divisor.divisors()),
            lower: bound(&self.lower),
            upper: bound(&self.upper),
            index,
        }
        .tightened(facts)
    }

    /// The range of the remainder of [`Range::floor_divide`], which is never negative.
    pub fn floor_remainder(&self, divisor: &Range) -> Range {
        let index = self.index && divisor.index;
        let one_less = |bound: &Sym| bound.checked_sub(&Sym::one()).ok();
        // The dividend also bounds the remainder, more tightly if it is less than the divisor.
        let dividend = self.numbers.hi.filter(|_| self.at_least(0));
        let is_below = dividend.zip(divisor.numbers.lo).is_some_and(|(dividend, divisor)| dividend < divisor);
        let by_divisor = divisor.upper.as_ref().filter(|_| divisor.at_least(1) && !is_below);
        let by_dividend = self.upper.clone().filter(|_| self.at_least(0));
        Range {
            numbers: self.numbers.remainder(divisor.divisors()),
            lower: Some(Sym::zero()),
            upper: by_divisor.and_then(one_less).or(by_dividend),
            index,
        }
    }

    /// The union of both ranges, for a choice.
    pub fn union(&self, other: &Range, facts: &Facts) -> Range {
        let bound = |choose: fn(&Sym, &Sym, &Facts) -> Option<Sym>, left: &Option<Sym>, right: &Option<Sym>| {
            choose(left.as_ref()?, right.as_ref()?, facts)
        };
        Range {
            numbers: self.numbers.union(other.numbers),
            lower: bound(least, &self.lower, &other.lower),
            upper: bound(greatest, &self.upper, &other.upper),
            index: self.index && other.index,
        }
    }

    /// The range of the minimum.
    pub fn minimum(&self, other: &Range, facts: &Facts) -> Range {
        let both = self.union(other, facts);
        let upper = match (&self.upper, &other.upper) {
            (Some(left), Some(right)) => least(left, right, facts),
            (one, None) | (None, one) => one.clone(),
        };
        Range { numbers: self.numbers.least(other.numbers), upper, ..both }
    }

    /// The range of the maximum.
    pub fn maximum(&self, other: &Range, facts: &Facts) -> Range {
        let both = self.union(other, facts);
        let lower = match (&self.lower, &other.lower) {
            (Some(left), Some(right)) => greatest(left, right, facts),
            (one, None) | (None, one) => one.clone(),
        };
        Range { numbers: self.numbers.greatest(other.numbers), lower, ..both }
    }

    /// The range of `^` and `|` of two nonnegative values.
    pub fn bits(&self, other: &Range, facts: &Facts) -> Range {
        let index = self.index && other.index;
        if !self.at_least(0) || !other.at_least(0) {
            return Range { index, ..Range::default() };
        }
        Range {
            numbers: Interval { lo: Some(0), hi: self.numbers.greatest(other.numbers).hi.map(all_ones) },
            // The result of `^` and `|` is at most the sum.
            upper: self.add(other, facts).upper,
            lower: Some(Sym::zero()),
            index,
        }
    }
}

/// The greatest integer with as many bits as this one. The range of a loop without iterations ends at −1.
fn all_ones(high: i128) -> i128 {
    i128::MAX.checked_shr(high.max(0).leading_zeros() - 1).unwrap_or(0)
}

fn least(left: &Sym, right: &Sym, facts: &Facts) -> Option<Sym> {
    left.checked_min(right, facts).ok()
}

fn greatest(left: &Sym, right: &Sym, facts: &Facts) -> Option<Sym> {
    left.checked_max(right, facts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_numbers_and_of_nothing() {
        let facts = Facts::empty();
        let (five, eight) = (Range::between(0, 5), Range::between(0, 8));
        assert_eq!(five.bits(&eight, &facts).numbers.hi, Some(15));
        let nothing = Range::iterator(&Range::constant(0), &Range::constant(0));
        assert_eq!(nothing.bits(&nothing, &facts).numbers.hi, Some(0));
    }
}
