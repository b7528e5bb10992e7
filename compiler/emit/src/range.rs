//! The values that an integer expression can have: symbolic and numeric bounds.
//!
//! The bounds decide whether an expression fits 32 bits, and whether an operator can overflow and has to be written as
//! one that wraps.

use dims::{Facts, Interval, Sym};
use elements::ElementType;
use kernel::assumed::Assumed;
use kernel::intervals::Arithmetic;
use kernel::typed::{BinaryOp, MathFunction};

/// The values of an integer expression. Every bound holds for all sizes that satisfy the facts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Range {
    /// The numeric bounds.
    pub numbers: Interval,
    /// The bounds as sizes.
    pub sizes: maps::Range,
    /// What decides whether arithmetic on it is taken not to wrap. An index that is made of sizes is proven to fit 64 bits.
    pub assumed: Assumed,
}

impl Range {
    /// The integers between two numbers, inclusive.
    pub fn between(low: i128, high: i128) -> Range {
        Range { numbers: Interval::between(low, high), ..Range::default() }
    }

    /// One integer.
    pub fn constant(value: i64) -> Range {
        let sizes = maps::Range::exactly(Sym::constant(value));
        Range { numbers: Interval::point(value.into()), sizes, assumed: Assumed::constant(value.into()) }
    }

    /// The value of a symbolic integer.
    pub fn size(size: &Sym, facts: &Facts) -> Range {
        let sizes = maps::Range::exactly(size.clone());
        Range { numbers: facts.range(size), sizes, assumed: Assumed::size(size, facts) }
    }

    /// The integers from 0 up to, but not including, a size that is at most `most`.
    pub fn below(size: &Sym, most: i128, facts: &Facts) -> Range {
        let high = size.checked_sub(&Sym::one()).ok();
        let known = high.as_ref().and_then(|high| facts.range(high).hi);
        Range {
            numbers: Interval::between(0, known.map_or(most - 1, |known| known.min(most - 1))),
            sizes: maps::Range { low: Some(Sym::zero()), high },
            assumed: Assumed::below(size, facts),
        }
    }

    /// The values of an iterator over `low..high`.
    pub fn iterator(low: &Range, high: &Range) -> Range {
        let last = high.sizes.plus(&maps::Range::exactly(Sym::constant(-1)));
        Range {
            numbers: Interval { lo: low.numbers.lo, hi: high.numbers.minus(Interval::point(1)).hi },
            sizes: maps::Range { low: low.sizes.low.clone(), high: last.high },
            assumed: Assumed::iterator(low.assumed, high.assumed),
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
        let lo = self.sizes.low.as_ref().and_then(|low| facts.range(low).lo);
        let hi = self.sizes.high.as_ref().and_then(|high| facts.range(high).hi);
        self.numbers = self.numbers.intersect(Interval { lo, hi });
        self
    }

    /// The range of an operation on integers of a type, in unbounded arithmetic.
    pub fn of_arithmetic(arithmetic: &Arithmetic<&Range>, element: ElementType, facts: &Facts) -> Range {
        let numbers = arithmetic.interval(element, |operand| Some(operand.numbers)).unwrap_or_default();
        let sizes = match arithmetic {
            Arithmetic::Negate(operand) => operand.sizes.negate(),
            Arithmetic::Cast(operand) => operand.sizes.clone(),
            Arithmetic::Binary(op, left, right) => sizes_of(*op, left, right, element, facts),
            Arithmetic::Choice(left, right) => left.sizes.union(&right.sizes, facts),
            Arithmetic::Math(function, operands) => {
                let of = match function {
                    MathFunction::Min => maps::Range::least,
                    MathFunction::Max => maps::Range::greatest,
                    _ => |_: &maps::Range, _: &maps::Range, _: &Facts| maps::Range::default(),
                };
                let all = operands.iter().map(|operand| operand.sizes.clone());
                all.reduce(|one, other| of(&one, &other, facts)).unwrap_or_default()
            }
        };
        let assumed = Assumed::of_operation(arithmetic, element, |operand| operand.assumed);
        Range { numbers, sizes, assumed }.tightened(facts)
    }

    /// The range of an operator on `i64`, in unbounded arithmetic.
    pub fn of_binary(op: BinaryOp, left: &Range, right: &Range, facts: &Facts) -> Range {
        Range::of_arithmetic(&Arithmetic::Binary(op, left, right), ElementType::I64, facts)
    }
}

/// The bounds of an operator as sizes.
fn sizes_of(op: BinaryOp, left: &Range, right: &Range, element: ElementType, facts: &Facts) -> maps::Range {
    let are_natural = left.at_least(0) && right.at_least(0);
    match op {
        BinaryOp::Add => left.sizes.plus(&right.sizes),
        BinaryOp::Subtract => left.sizes.plus(&right.sizes.negate()),
        BinaryOp::Multiply => product(left, right, facts),
        BinaryOp::ShiftLeft => power(right, element).map(|factor| product(left, &factor, facts)).unwrap_or_default(),
        BinaryOp::FloorDivide => quotient(left, right, facts),
        BinaryOp::ShiftRight => {
            power(right, element).map(|divisor| quotient(left, &divisor, facts)).unwrap_or_default()
        }
        BinaryOp::FloorRemainder => remainder(left, right),
        // Rounding towards zero is rounding down if the dividend is not negative.
        BinaryOp::Divide if left.at_least(0) => quotient(left, right, facts),
        BinaryOp::Remainder if left.at_least(0) && right.at_least(1) => remainder(left, right),
        // `&` never makes a nonnegative number greater, and `^` and `|` give at most the sum.
        BinaryOp::BitAnd if are_natural => {
            maps::Range { low: Some(Sym::zero()), ..left.sizes.least(&right.sizes, facts) }
        }
        BinaryOp::BitAnd if left.at_least(0) => maps::Range { low: Some(Sym::zero()), ..left.sizes.clone() },
        BinaryOp::BitAnd if right.at_least(0) => maps::Range { low: Some(Sym::zero()), ..right.sizes.clone() },
        BinaryOp::BitXor | BinaryOp::BitOr if are_natural => {
            maps::Range { low: Some(Sym::zero()), ..left.sizes.plus(&right.sizes) }
        }
        _ => maps::Range::default(),
    }
}

/// `2ⁿ` for a known distance `n` of a shift; `None` if it exceeds `i64`.
fn power(distance: &Range, element: ElementType) -> Option<Range> {
    let distance = distance.point()?.rem_euclid(element.bits().into());
    let (_, power) = BinaryOp::ShiftLeft.in_arithmetic(i64::try_from(distance).ok()?, element)?;
    Some(Range::constant(power))
}

fn product(left: &Range, right: &Range, facts: &Facts) -> maps::Range {
    if left.point().is_some() && right.point().is_none() {
        return product(right, left, facts);
    }
    // A factor that is never positive, such as the stride of a reversed dimension, is negated before and after.
    let is_negative = |range: &Range| range.numbers.hi.is_some_and(|high| high <= 0) && !range.at_least(0);
    let negated = |range: &Range| Range { numbers: range.numbers.negate(), sizes: range.sizes.negate(), ..*range };
    if is_negative(right) {
        return product(left, &negated(right), facts).negate();
    }
    if is_negative(left) {
        return product(&negated(left), right, facts).negate();
    }
    if !(left.at_least(0) && right.at_least(0) || right.point().is_some()) {
        return maps::Range::default();
    }
    // The product of two negative bounds would be positive.
    let safe = |range: &Range| range.sizes.not_negative(facts);
    let monotone = right.point().is_some() || safe(left) && safe(right);
    let of = |left: &Option<Sym>, right: &Option<Sym>| left.as_ref()?.checked_mul(right.as_ref()?).ok();
    let low = of(&left.sizes.low, &right.sizes.low).filter(|_| monotone);
    maps::Range { low, high: of(&left.sizes.high, &right.sizes.high) }
}

fn quotient(dividend: &Range, divisor: &Range, facts: &Facts) -> maps::Range {
    let maps::Range { low, high } = &divisor.sizes;
    let exact = low.as_ref().filter(|_| low == high && divisor.at_least(1));
    exact.map(|divisor| dividend.sizes.floor_div(divisor, facts)).unwrap_or_default()
}

fn remainder(dividend: &Range, divisor: &Range) -> maps::Range {
    // The dividend also bounds the remainder, more tightly if it is less than the divisor.
    let known = dividend.numbers.hi.filter(|_| dividend.at_least(0)).zip(divisor.numbers.lo);
    let is_below = known.is_some_and(|(dividend, divisor)| dividend < divisor);
    let by_divisor = divisor.sizes.high.as_ref().filter(|_| divisor.at_least(1) && !is_below);
    let by_dividend = dividend.sizes.high.clone().filter(|_| dividend.at_least(0));
    let high = by_divisor.and_then(|divisor| divisor.checked_sub(&Sym::one()).ok()).or(by_dividend);
    maps::Range { low: Some(Sym::zero()), high }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_numbers_and_of_nothing() {
        let facts = Facts::empty();
        let xor = |left: &Range, right: &Range| Range::of_binary(BinaryOp::BitXor, left, right, &facts);
        assert_eq!(xor(&Range::between(0, 5), &Range::between(0, 8)).numbers.hi, Some(15));
        let nothing = Range::iterator(&Range::constant(0), &Range::constant(0));
        assert!(xor(&nothing, &nothing).within(-2, 0));
    }
}
