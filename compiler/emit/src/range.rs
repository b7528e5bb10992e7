//! What values an integer expression can take: bounds over the symbols, and as numbers.
//!
//! The bounds decide two things: whether an expression fits 32 bits, and whether an operator can overflow, so that it
//! must be written in the way that wraps.

use dims::{Facts, Sym};

/// The integers an expression can be. Every bound holds for all sizes that satisfy the facts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Range {
    /// The least value as a number; `None`: unknown.
    pub low: Option<i128>,
    /// The greatest value as a number.
    pub high: Option<i128>,
    /// A value over the symbols that is never above the expression.
    pub lower: Option<Sym>,
    /// A value over the symbols that is never below it.
    pub upper: Option<Sym>,
    /// Whether it is made of nothing but sizes, ids, iterators and constants. Where such an expression is an index,
    /// the compiler has proven that it fits 64 bits.
    pub index: bool,
}

impl Range {
    /// The integers of a type.
    pub fn between(low: i128, high: i128) -> Range {
        Range { low: Some(low), high: Some(high), ..Range::default() }
    }

    /// One integer.
    pub fn constant(value: i64) -> Range {
        Range {
            low: Some(i128::from(value)),
            high: Some(i128::from(value)),
            lower: Some(Sym::constant(value)),
            upper: Some(Sym::constant(value)),
            index: true,
        }
    }

    /// The value of a symbolic integer.
    pub fn size(size: &Sym, facts: &Facts) -> Range {
        let interval = facts.range(size);
        Range { low: interval.lo, high: interval.hi, lower: Some(size.clone()), upper: Some(size.clone()), index: true }
    }

    /// The integers from 0 up to, but not including, a size that is at most `most`.
    pub fn below(size: &Sym, most: i128, facts: &Facts) -> Range {
        let upper = size.checked_sub(&Sym::one()).ok();
        let known = upper.as_ref().and_then(|upper| facts.range(upper).hi);
        Range {
            low: Some(0),
            high: Some(known.map_or(most - 1, |known| known.min(most - 1))),
            lower: Some(Sym::zero()),
            upper,
            index: true,
        }
    }

    /// The values of an iterator over `low..high`.
    pub fn iterator(low: &Range, high: &Range) -> Range {
        let upper = high.upper.as_ref();
        Range {
            low: low.low,
            high: high.high.and_then(|high| high.checked_sub(1)),
            lower: low.lower.clone(),
            upper: upper.and_then(|upper| upper.checked_sub(&Sym::one()).ok()),
            index: low.index && high.index,
        }
    }

    /// The value, if there is only one.
    pub fn point(&self) -> Option<i128> {
        self.low.filter(|low| self.high == Some(*low))
    }

    /// Whether no value lies outside.
    pub fn within(&self, low: i128, high: i128) -> bool {
        self.low.is_some_and(|least| least >= low) && self.high.is_some_and(|most| most <= high)
    }

    /// Whether no value is below the bound.
    pub fn at_least(&self, bound: i128) -> bool {
        self.low.is_some_and(|low| low >= bound)
    }

    /// Lets the bounds over the symbols tighten the numbers, unless those settle all that is ever asked.
    fn tightened(mut self, facts: &Facts) -> Range {
        if self.within(i128::from(i32::MIN), i128::from(i32::MAX)) && self.at_least(0) {
            return self;
        }
        let low = self.lower.as_ref().and_then(|lower| facts.range(lower).lo);
        let high = self.upper.as_ref().and_then(|upper| facts.range(upper).hi);
        self.low = pair(self.low, low, i128::max).or(self.low).or(low);
        self.high = pair(self.high, high, i128::min).or(self.high).or(high);
        self
    }

    /// The sum.
    pub fn add(&self, other: &Range, facts: &Facts) -> Range {
        let sum = |left: &Option<Sym>, right: &Option<Sym>| left.as_ref()?.checked_add(right.as_ref()?).ok();
        Range {
            low: checked(self.low, other.low, i128::checked_add),
            high: checked(self.high, other.high, i128::checked_add),
            lower: sum(&self.lower, &other.lower),
            upper: sum(&self.upper, &other.upper),
            index: self.index && other.index,
        }
        .tightened(facts)
    }

    /// The negative.
    pub fn negate(&self) -> Range {
        let negative = |bound: &Option<Sym>| Sym::zero().checked_sub(bound.as_ref()?).ok();
        Range {
            low: self.high.and_then(i128::checked_neg),
            high: self.low.and_then(i128::checked_neg),
            lower: negative(&self.upper),
            upper: negative(&self.lower),
            index: self.index,
        }
    }

    /// The difference.
    pub fn subtract(&self, other: &Range, facts: &Facts) -> Range {
        self.add(&other.negate(), facts)
    }

    /// The product.
    pub fn multiply(&self, other: &Range, facts: &Facts) -> Range {
        if self.point().is_some() && other.point().is_none() {
            return other.multiply(self, facts);
        }
        // A factor that is never positive, as a reversed dimension's stride is, changes places with its negative.
        let is_negative = |range: &Range| range.high.is_some_and(|high| high <= 0) && !range.at_least(0);
        if is_negative(other) {
            return self.multiply(&other.negate(), facts).negate();
        }
        if is_negative(self) {
            return self.negate().multiply(other, facts).negate();
        }
        let product = |left: &Option<Sym>, right: &Option<Sym>| left.as_ref()?.checked_mul(right.as_ref()?).ok();
        let index = self.index && other.index;
        if self.at_least(0) && other.at_least(0) || other.point().is_some() {
            // Two bounds below zero would have a product above it.
            let safe = |bound: &Option<Sym>| {
                let least = bound.as_ref().and_then(|bound| facts.range(bound).lo);
                least.is_some_and(|least| least >= 0)
            };
            let monotone = other.point().is_some() || safe(&self.lower) && safe(&other.lower);
            let lower = product(&self.lower, &other.lower).filter(|_| monotone);
            return Range {
                low: checked(self.low, other.low, i128::checked_mul),
                high: checked(self.high, other.high, i128::checked_mul),
                lower,
                upper: product(&self.upper, &other.upper),
                index,
            }
            .tightened(facts);
        }
        let ends = [(self.low, other.low), (self.low, other.high)]
            .into_iter()
            .chain([(self.high, other.low), (self.high, other.high)]);
        let products: Option<Vec<i128>> = ends.map(|(left, right)| checked(left, right, i128::checked_mul)).collect();
        let products = products.unwrap_or_default();
        Range { low: products.iter().min().copied(), high: products.iter().max().copied(), index, ..Range::default() }
    }

    /// The quotient rounded down by a divisor that counts as 1 where it is less.
    pub fn floor_divide(&self, divisor: &Range, facts: &Facts) -> Range {
        let index = self.index && divisor.index;
        let least = divisor.low.unwrap_or(1).max(1);
        let exact = if divisor.lower == divisor.upper && divisor.at_least(1) { divisor.lower.as_ref() } else { None };
        let bound = |bound: &Option<Sym>| bound.as_ref()?.checked_floor_div(exact?, facts).ok();
        Range {
            // Dividing by more moves every value towards zero, or towards −1 from below.
            low: self.low.map(|low| match divisor.high {
                _ if low < 0 => low.div_euclid(least),
                Some(most) => low.div_euclid(most.max(1)),
                None => 0,
            }),
            high: self.high.map(|high| if high >= 0 { high.div_euclid(least) } else { -1 }),
            lower: bound(&self.lower),
            upper: bound(&self.upper),
            index,
        }
        .tightened(facts)
    }

    /// The remainder that goes with [`Range::floor_divide`]: never negative.
    pub fn floor_remainder(&self, divisor: &Range) -> Range {
        let index = self.index && divisor.index;
        let below_divisor = divisor.high.map(|high| high.max(1) - 1);
        let below_dividend = self.high.filter(|_| self.at_least(0));
        let one_less = |bound: &Sym| bound.checked_sub(&Sym::one()).ok();
        // The dividend is a bound too, and the better one where it is below the divisor anyway.
        let is_below = match (below_dividend, divisor.low) {
            (Some(dividend), Some(divisor)) => dividend < divisor,
            _ => false,
        };
        let by_divisor = divisor.upper.as_ref().filter(|_| divisor.at_least(1) && !is_below);
        let by_dividend = self.upper.clone().filter(|_| self.at_least(0));
        Range {
            low: Some(0),
            high: pair(below_divisor, below_dividend, i128::min).or(below_divisor).or(below_dividend),
            lower: Some(Sym::zero()),
            upper: by_divisor.and_then(one_less).or(by_dividend),
            index,
        }
    }

    /// Any of the values of both: a choice.
    pub fn union(&self, other: &Range, facts: &Facts) -> Range {
        let bound = |choose: fn(&Sym, &Sym, &Facts) -> Option<Sym>, left: &Option<Sym>, right: &Option<Sym>| {
            choose(left.as_ref()?, right.as_ref()?, facts)
        };
        Range {
            low: pair(self.low, other.low, i128::min),
            high: pair(self.high, other.high, i128::max),
            lower: bound(least, &self.lower, &other.lower),
            upper: bound(greatest, &self.upper, &other.upper),
            index: self.index && other.index,
        }
    }

    /// The smaller of two values.
    pub fn minimum(&self, other: &Range, facts: &Facts) -> Range {
        let both = self.union(other, facts);
        let upper = match (&self.upper, &other.upper) {
            (Some(left), Some(right)) => least(left, right, facts),
            (one, None) | (None, one) => one.clone(),
        };
        Range { high: pair(self.high, other.high, i128::min).or(self.high).or(other.high), upper, ..both }
    }

    /// The larger of two values.
    pub fn maximum(&self, other: &Range, facts: &Facts) -> Range {
        let both = self.union(other, facts);
        let lower = match (&self.lower, &other.lower) {
            (Some(left), Some(right)) => greatest(left, right, facts),
            (one, None) | (None, one) => one.clone(),
        };
        Range { low: pair(self.low, other.low, i128::max).or(self.low).or(other.low), lower, ..both }
    }

    /// Any bits that two non-negative values can have together: the result of `^` and `|`.
    pub fn bits(&self, other: &Range, facts: &Facts) -> Range {
        let index = self.index && other.index;
        if !self.at_least(0) || !other.at_least(0) {
            return Range { index, ..Range::default() };
        }
        Range {
            low: Some(0),
            high: pair(self.high, other.high, i128::max).map(all_ones),
            // No carry is ever lost: the bits together are at most the sum.
            upper: self.add(other, facts).upper,
            lower: Some(Sym::zero()),
            index,
        }
    }
}

/// The greatest integer that needs no more bits than this one. The range of a loop without iterations ends at -1.
fn all_ones(high: i128) -> i128 {
    i128::MAX.checked_shr(high.max(0).leading_zeros() - 1).unwrap_or(0)
}

fn least(left: &Sym, right: &Sym, facts: &Facts) -> Option<Sym> {
    left.checked_min(right, facts).ok()
}

fn greatest(left: &Sym, right: &Sym, facts: &Facts) -> Option<Sym> {
    left.checked_max(right, facts).ok()
}

fn pair(left: Option<i128>, right: Option<i128>, join: fn(i128, i128) -> i128) -> Option<i128> {
    Some(join(left?, right?))
}

fn checked(left: Option<i128>, right: Option<i128>, operation: fn(i128, i128) -> Option<i128>) -> Option<i128> {
    operation(left?, right?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_numbers_and_of_nothing() {
        let facts = Facts::empty();
        let (five, eight) = (Range::between(0, 5), Range::between(0, 8));
        assert_eq!(five.bits(&eight, &facts).high, Some(15));
        let nothing = Range::iterator(&Range::constant(0), &Range::constant(0));
        assert_eq!(nothing.bits(&nothing, &facts).high, Some(0));
    }
}
