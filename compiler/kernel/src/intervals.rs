//! The intervals of operations in unbounded integer arithmetic.
//!
//! [`Arithmetic::interval`] alone knows the rule of each operation. Whoever has intervals of its own says how a value is
//! computed ([`Arithmetic`]), gives those of the operands, and decides what a result beyond its type means.

use super::typed::{BinaryOp, MathFunction};
use dims::{Atom, Facts, Interval, Sym};
use elements::ElementType;

/// The upper limit of small sizes. A product of six of them fits 64 bits.
pub(crate) const SMALL_SIZE: i128 = 1 << 10;

/// The greatest value of a symbol, below 2⁶²: no tensor has more elements, and the sum of two sizes fits 64 bits. A launch with a
/// greater one is refused.
pub(crate) const MOST_OF_SYMBOL: i64 = (1 << 62) - 1;

/// How an integer is computed from others.
#[derive(Clone, Debug)]
pub enum Arithmetic<V> {
    /// `-a`.
    Negate(V),
    /// An operator of two operands of one type.
    Binary(BinaryOp, V, V),
    /// Whichever of two values a condition chooses.
    Choice(V, V),
    /// A value of another type.
    Cast(V),
    /// A function of numbers.
    Math(MathFunction, Vec<V>),
}

impl<V> Arithmetic<V> {
    /// The interval of the exact results for an operation on a type, given those of the operands; `None` if it is unknown.
    pub fn interval(&self, element: ElementType, mut of: impl FnMut(&V) -> Option<Interval>) -> Option<Interval> {
        match self {
            Self::Negate(operand) => Some(of(operand)?.negate()),
            Self::Binary(op, left, right) => binary(*op, of(left)?, of(right)?, element),
            Self::Choice(one, other) => Some(of(one)?.union(of(other)?)),
            Self::Cast(operand) => of(operand),
            Self::Math(function, operands) => {
                math(*function, &operands.iter().map(of).collect::<Option<Vec<_>>>()?, element)
            }
        }
    }

    /// Whether the exact result may be beyond the type; otherwise it is an operand, or wraps already.
    pub(crate) fn may_leave_its_type(&self) -> bool {
        matches!(self, Self::Negate(_) | Self::Binary(..) | Self::Cast(_))
    }
}

/// The values of an integer type or of `bool`; of a float those of `i64`, since it becomes an index by a cast.
pub(crate) fn of_type(element: ElementType) -> Interval {
    if element == ElementType::Bool {
        return Interval::between(0, 1);
    }
    let (lo, hi) = element.integer_range().unwrap_or((i64::MIN.into(), i64::MAX.into()));
    Interval::between(lo, hi)
}

/// The interval of a size, within 64 bits.
pub(crate) fn of_size(size: &Sym, facts: &Facts) -> Interval {
    of_exact_size(size, facts).intersect(of_type(ElementType::I64))
}

/// The interval of a size in unbounded arithmetic, where each symbol is at most [`MOST_OF_SYMBOL`].
pub(crate) fn of_exact_size(size: &Sym, facts: &Facts) -> Interval {
    /// The most divisions within each other that are looked into.
    const MOST_NESTED: u32 = 4;
    let found = of_nested_size(size, facts, MOST_NESTED);
    // Each term has an interval of its own, which says little of `(H - 2) * (W - 2)`: what facts say of the whole may be more.
    if found.is_natural() || !facts.never_negative(size) {
        return found;
    }
    Interval { lo: Some(0), hi: found.hi.map(|hi| hi.max(0)) }
}

fn of_nested_size(size: &Sym, facts: &Facts, nested: u32) -> Interval {
    let known = facts.range(size);
    if known.hi.is_some() {
        return known;
    }
    let mut sum = Interval::point(0);
    for (coefficient, factors) in size.terms() {
        let mut product = Interval::point(coefficient.into());
        for (atom, power) in factors {
            let own = of_atom(atom, facts, nested);
            // Beyond a few symbols a product is as good as unbounded.
            product = (0..(*power).min(4)).fold(product, |product, _| product.multiply(own));
            if *power > 4 {
                product = Interval::EVERYTHING;
            }
        }
        sum = sum.plus(product);
    }
    let both = known.intersect(sum);
    let is_empty = both.lo.zip(both.hi).is_some_and(|(lo, hi)| lo > hi);
    if is_empty { known } else { both }
}

fn of_atom(atom: &Atom, facts: &Facts, nested: u32) -> Interval {
    match atom {
        Atom::Symbol(symbol) => {
            let known = facts.range(&Sym::symbol(symbol.clone()));
            Interval { lo: known.lo, hi: known.hi.or(Some(MOST_OF_SYMBOL.into())) }
        }
        Atom::FloorDiv { dividend, divisor, .. } if nested > 0 => {
            let [dividend, divisor] = [dividend, divisor].map(|part| of_nested_size(part, facts, nested - 1));
            let is_positive = divisor.lo.is_some_and(|lo| lo > 0);
            if is_positive { dividend.divide(divisor) } else { Interval::EVERYTHING }
        }
        Atom::Remainder { divisor, .. } if nested > 0 => {
            let divisor = of_nested_size(divisor, facts, nested - 1);
            let is_positive = divisor.lo.is_some_and(|lo| lo > 0);
            if is_positive { below(divisor) } else { Interval::EVERYTHING }
        }
        Atom::Min(operands) if nested > 0 => {
            let all = operands.iter().map(|operand| of_nested_size(operand, facts, nested - 1));
            all.reduce(Interval::least).unwrap_or(Interval::EVERYTHING)
        }
        Atom::Max(operands) if nested > 0 => {
            let all = operands.iter().map(|operand| of_nested_size(operand, facts, nested - 1));
            all.reduce(Interval::greatest).unwrap_or(Interval::EVERYTHING)
        }
        _ => Interval::EVERYTHING,
    }
}

/// The interval of a size that is assumed to be small.
pub(crate) fn of_small_size(size: &Sym, facts: &Facts) -> Interval {
    let known = of_size(size, facts);
    if size.as_constant().is_some() {
        return known;
    }
    let Interval { lo, hi } = known.intersect(Interval::between(-SMALL_SIZE, SMALL_SIZE));
    Interval { lo, hi: hi.zip(known.lo).map(|(hi, least)| hi.max(least)) }
}

/// The integers from zero up to, but not including, a count.
pub(crate) fn below(count: Interval) -> Interval {
    Interval { lo: Some(0), hi: count.hi.map(|hi| hi - 1) }
}

fn binary(op: BinaryOp, left: Interval, right: Interval, element: ElementType) -> Option<Interval> {
    // Typing proves the divisor of a floor division to be at least 1, also where its interval does not show it.
    let right = match op {
        BinaryOp::FloorDivide | BinaryOp::FloorRemainder => right.greatest(Interval::point(1)),
        _ => right,
    };
    let is_positive = right.lo.is_some_and(|lo| lo > 0);
    Some(match op {
        BinaryOp::Add => left.plus(right),
        BinaryOp::Subtract => left.minus(right),
        BinaryOp::Multiply => left.multiply(right),
        BinaryOp::FloorDivide => left.divide(right),
        // A negative quotient rounded to zero is at most one more than rounded down.
        BinaryOp::Divide if is_positive && left.is_natural() => left.divide(right),
        BinaryOp::Divide if is_positive => {
            let towards_zero = left.divide(right).plus(Interval::between(0, 1));
            left.divide(right).union(towards_zero)
        }
        BinaryOp::FloorRemainder => left.remainder(right),
        BinaryOp::Remainder if is_positive && left.is_natural() => left.remainder(right),
        BinaryOp::Remainder if is_positive => {
            let most = right.hi.map(|hi| hi - 1);
            Interval { lo: most.map(|most| -most), hi: most }
        }
        // Whatever the divisor is, neither a quotient nor a remainder is further from zero than the dividend: by zero, both are 0.
        BinaryOp::Divide | BinaryOp::Remainder => {
            let far = magnitude(left)?;
            let far = match (op, magnitude(right)) {
                (BinaryOp::Remainder, Some(by)) => far.min((by - 1).max(0)),
                _ => far,
            };
            let keeps_sign = op == BinaryOp::Remainder || right.is_natural();
            Interval { lo: Some(if keeps_sign && left.is_natural() { 0 } else { -far }), hi: Some(far) }
        }
        // Clearing bits of a nonnegative number never makes it greater.
        BinaryOp::BitAnd if left.is_natural() && right.is_natural() => {
            Interval { lo: Some(0), hi: left.least(right).hi }
        }
        BinaryOp::BitAnd if left.is_natural() => Interval { lo: Some(0), hi: left.hi },
        BinaryOp::BitAnd if right.is_natural() => Interval { lo: Some(0), hi: right.hi },
        // The result has no bit above the highest bit of both operands.
        BinaryOp::BitOr | BinaryOp::BitXor if left.is_natural() && right.is_natural() => {
            // The range of a loop without iterations ends at −1.
            let ones = |hi: i128| (1i128 << (i128::BITS - hi.max(0).leading_zeros()).min(126)) - 1;
            // Setting bits never makes it less.
            let least = if op == BinaryOp::BitOr { left.greatest(right).lo } else { Some(0) };
            Interval { lo: least, hi: left.greatest(right).hi.map(ones) }
        }
        // Above the bits in which they differ from their signs, both operands have equal bits, and so has the result.
        BinaryOp::BitOr | BinaryOp::BitXor => {
            let reach = |end: Option<i128>| end.map(|end| if end < 0 { -1 - end } else { end });
            let ends = [left.lo, left.hi, right.lo, right.hi].map(reach);
            let most = ends.into_iter().try_fold(0, |most, end| Some(i128::max(most, end?)))?;
            let ones = (1i128 << (i128::BITS - most.leading_zeros()).min(126)) - 1;
            Interval { lo: Some(-1 - ones), hi: Some(ones) }
        }
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => shifted(op, left, right, element)?,
        _ => return None,
    })
}

/// The greatest distance from zero; `None` if there is none.
fn magnitude(numbers: Interval) -> Option<i128> {
    let (lo, hi) = numbers.lo.zip(numbers.hi)?;
    Some(lo.checked_abs()?.max(hi.checked_abs()?))
}

/// The interval of a shift, whose distance counts modulo the type's width. To the right it rounds down.
fn shifted(op: BinaryOp, value: Interval, by: Interval, element: ElementType) -> Option<Interval> {
    let width = i128::try_from(element.size_bytes()).ok()?.checked_mul(8)?;
    let all = Interval::between(0, width - 1);
    let by = match by {
        Interval { lo: Some(lo), hi } if Some(lo) == hi => Interval::point(lo.rem_euclid(width)),
        by if by.lies_in(all) => by,
        _ => all,
    };
    let (least, most) = (u32::try_from(by.lo?).ok()?, u32::try_from(by.hi?).ok()?);
    let factors = Interval::between(1i128.checked_shl(least)?, 1i128.checked_shl(most)?);
    Some(if op == BinaryOp::ShiftLeft { value.multiply(factors) } else { value.divide(factors) })
}

/// The interval of a function of integers of a type; `None` where it is unknown.
fn math(function: MathFunction, operands: &[Interval], element: ElementType) -> Option<Interval> {
    match (function, operands) {
        (MathFunction::Min, [first, others @ ..]) => Some(others.iter().copied().fold(*first, Interval::least)),
        (MathFunction::Max, [first, others @ ..]) => Some(others.iter().copied().fold(*first, Interval::greatest)),
        (MathFunction::Abs, [operand]) => absolute(*operand, element),
        (MathFunction::Mulhi, [left, right]) => {
            Some(left.multiply(*right).divide(Interval::point(1i128.checked_shl(element.bits())?)))
        }
        (MathFunction::Popcount | MathFunction::Clz | MathFunction::Ctz | MathFunction::Ffs, [operand]) => {
            Some(of_count(function, *operand, element))
        }
        _ => None,
    }
}

/// The interval of a function that counts bits. Numbers that are not negative have no more digits than the greatest one.
fn of_count(function: MathFunction, Interval { lo, hi }: Interval, element: ElementType) -> Interval {
    let all = i128::from(element.bits());
    let digits = |number: i128| i128::from(i128::BITS - number.leading_zeros()).min(all);
    let (Some(lo), Some(hi)) = (lo.filter(|lo| *lo >= 0), hi) else { return Interval::between(0, all) };
    let has_one = i128::from(lo > 0);
    match function {
        MathFunction::Clz => Interval::between(all - digits(hi), all - digits(lo)),
        MathFunction::Ctz if lo > 0 => Interval::between(0, digits(hi) - 1),
        MathFunction::Ctz => Interval::between(0, all),
        _ => Interval::between(has_one, digits(hi)),
    }
}

/// The least number of a type has no opposite: its absolute value is itself.
fn absolute(Interval { lo, hi }: Interval, element: ElementType) -> Option<Interval> {
    let (least, greatest) = element.integer_range()?;
    let lo = lo?;
    if lo <= least && element.is_signed() {
        return Some(Interval::between(least, greatest));
    }
    let nearest = if lo > 0 { lo } else { hi.filter(|hi| *hi < 0).map_or(0, |hi| -hi) };
    Some(Interval { lo: Some(nearest), hi: hi.map(|hi| hi.abs().max(lo.abs())) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Intervals of `i8` with ends where the rules change.
    fn intervals() -> impl Iterator<Item = (i128, i128)> + Clone {
        const ENDS: [i128; 9] = [-128, -127, -8, -1, 0, 1, 5, 8, 127];
        ENDS.into_iter().flat_map(|lo| ENDS.into_iter().filter(move |hi| lo <= *hi).map(move |hi| (lo, hi)))
    }

    /// Some numbers of an interval, with its ends and those around zero.
    fn some_of((lo, hi): (i128, i128)) -> impl Iterator<Item = i128> {
        (lo..=hi).filter(move |value| value - lo < 3 || hi - value < 3 || value.abs() < 10)
    }

    /// The exact result of an operator on two numbers of `i8`; `None` of one that the test leaves out.
    fn computed(op: BinaryOp, left: i128, right: i128) -> Option<i128> {
        Some(match op {
            BinaryOp::Add => left + right,
            BinaryOp::Subtract => left - right,
            BinaryOp::Multiply => left * right,
            BinaryOp::Divide => left.checked_div(right).unwrap_or(0),
            BinaryOp::Remainder => left.checked_rem(right).unwrap_or(0),
            BinaryOp::FloorDivide if right >= 1 => left.div_euclid(right),
            BinaryOp::FloorRemainder if right >= 1 => left.rem_euclid(right),
            BinaryOp::BitXor => left ^ right,
            BinaryOp::BitAnd => left & right,
            BinaryOp::BitOr => left | right,
            BinaryOp::ShiftLeft => left << right.rem_euclid(8),
            BinaryOp::ShiftRight => left >> right.rem_euclid(8),
            _ => return None,
        })
    }

    #[test]
    fn the_interval_of_an_operator_holds_every_exact_result() {
        for op in BinaryOp::ALL {
            for (one, other) in intervals().flat_map(|one| intervals().map(move |other| (one, other))) {
                let given = Arithmetic::Binary(op, one, other);
                let found = given.interval(ElementType::I8, |(lo, hi)| Some(Interval::between(*lo, *hi)));
                let Some(found) = found else { continue };
                for (left, right) in some_of(one).flat_map(|left| some_of(other).map(move |right| (left, right))) {
                    let Some(value) = computed(op, left, right) else { continue };
                    assert!(
                        Interval::point(value).lies_in(found),
                        "{left} {op:?} {right} is {value}, not in {found:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn shifts_know_their_values_whatever_the_sign() {
        let shift = |op, value, by| {
            let of = |(lo, hi): &(i128, i128)| Some(Interval::between(*lo, *hi));
            Arithmetic::Binary(op, value, by).interval(ElementType::I32, of)
        };
        assert_eq!(shift(BinaryOp::ShiftRight, (-64, 63), (3, 3)), Some(Interval::between(-8, 7)));
        assert_eq!(shift(BinaryOp::ShiftLeft, (-64, 63), (3, 3)), Some(Interval::between(-512, 504)));
        // A distance of −29 means 3.
        assert_eq!(shift(BinaryOp::ShiftRight, (-64, 63), (-29, -29)), Some(Interval::between(-8, 7)));
        assert_eq!(shift(BinaryOp::ShiftRight, (-64, 63), (-1, 40)), Some(Interval::between(-64, 63)));
    }
}
