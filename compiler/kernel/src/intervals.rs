//! The intervals of operations: which values an operator gives, had its type no end.

use super::typed::{BinaryOp, MathFunction};
use dims::{Facts, Interval, Sym};
use elements::ElementType;

/// What counts as no large size. Six of them multiplied fit 64 bits.
pub(crate) const SMALL_SIZE: i128 = 1 << 10;

/// All values of an integer type; what is no integer becomes an index by conversion to `i64`.
pub(crate) fn of_type(element: ElementType) -> Interval {
    let (lo, hi) = element.integer_range().unwrap_or((i64::MIN.into(), i64::MAX.into()));
    Interval::between(lo, hi)
}

/// A size fits 64 bits wherever it is computed.
pub(crate) fn of_size(size: &Sym, facts: &Facts) -> Interval {
    facts.range(size).intersect(of_type(ElementType::I64))
}

/// A size as if no size were large.
pub(crate) fn of_small_size(size: &Sym, facts: &Facts) -> Interval {
    let known = of_size(size, facts);
    if size.as_constant().is_some() {
        return known;
    }
    let Interval { lo, hi } = known.intersect(Interval::between(-SMALL_SIZE, SMALL_SIZE));
    Interval { lo, hi: hi.zip(known.lo).map(|(hi, least)| hi.max(least)) }
}

/// The integers from zero up to, but not including, a number of these.
pub(crate) fn below(count: Interval) -> Interval {
    Interval { lo: Some(0), hi: count.hi.map(|hi| hi - 1) }
}

/// The values of an operator; `None` where nothing is known.
pub(crate) fn binary(op: BinaryOp, left: Interval, right: Interval, element: ElementType) -> Option<Interval> {
    let is_positive = right.lo.is_some_and(|lo| lo > 0);
    Some(match op {
        BinaryOp::Add => left.plus(right),
        BinaryOp::Subtract => left.minus(right),
        BinaryOp::Multiply => left.multiply(right),
        BinaryOp::FloorDivide if is_positive => left.divide(right),
        // Rounded to zero, what is negative is at most one more than rounded down.
        BinaryOp::Divide if is_positive && left.is_natural() => left.divide(right),
        BinaryOp::Divide if is_positive => {
            let towards_zero = left.divide(right).plus(Interval::between(0, 1));
            left.divide(right).union(towards_zero)
        }
        BinaryOp::FloorRemainder if is_positive => left.remainder(right),
        BinaryOp::Remainder if is_positive && left.is_natural() => left.remainder(right),
        BinaryOp::Remainder if is_positive => {
            let most = right.hi.map(|hi| hi - 1);
            Interval { lo: most.map(|most| -most), hi: most }
        }
        // Bits of a number that is not negative make no greater one.
        BinaryOp::BitAnd if left.is_natural() && right.is_natural() => {
            Interval { lo: Some(0), hi: left.least(right).hi }
        }
        BinaryOp::BitAnd if left.is_natural() => Interval { lo: Some(0), hi: left.hi },
        BinaryOp::BitAnd if right.is_natural() => Interval { lo: Some(0), hi: right.hi },
        // No bit is above the highest one of both.
        BinaryOp::BitOr | BinaryOp::BitXor if left.is_natural() && right.is_natural() => {
            let ones = |hi: i128| (1i128 << (i128::BITS - hi.leading_zeros()).min(126)) - 1;
            Interval { lo: Some(0), hi: left.greatest(right).hi.map(ones) }
        }
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => shifted(op, left, right, element)?,
        _ => return None,
    })
}

/// The values of a shift; `None` where the distance may be taken modulo the type's width, or what is shifted may be negative.
fn shifted(op: BinaryOp, value: Interval, by: Interval, element: ElementType) -> Option<Interval> {
    let width = i128::try_from(element.size_bytes()).ok()?.checked_mul(8)?;
    if !value.is_natural() || !by.lies_in(Interval::between(0, width - 1)) {
        return None;
    }
    let (least, most) = (u32::try_from(by.lo?).ok()?, u32::try_from(by.hi?).ok()?);
    let factors = Interval::between(1i128.checked_shl(least)?, 1i128.checked_shl(most)?);
    Some(if op == BinaryOp::ShiftLeft { value.multiply(factors) } else { value.divide(factors) })
}

/// The values of `min` or `max`; `None` of any other function.
pub(crate) fn extreme(function: MathFunction, left: Interval, right: Interval) -> Option<Interval> {
    match function {
        MathFunction::Min => Some(left.least(right)),
        MathFunction::Max => Some(left.greatest(right)),
        _ => None,
    }
}
