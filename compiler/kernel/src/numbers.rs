//! Intervals of integers, wide enough for what leaves 64 bits.

use super::typed::{BinaryOp, MathFunction};
use dims::{Facts, Sym};
use elements::ElementType;

/// What counts as no large size. Six of them multiplied fit 64 bits.
pub const SMALL_SIZE: i128 = 1 << 10;

/// The least and the greatest value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers {
    /// The least value.
    pub low: i128,
    /// The greatest value.
    pub high: i128,
}

impl Numbers {
    /// The integers from `low` to `high`, both of them included.
    pub fn new(low: i128, high: i128) -> Self {
        Self { low, high }
    }

    /// All values of an element type; a float becomes an index by conversion to `i64`.
    pub fn of_type(element: ElementType) -> Self {
        let (low, high) = element.integer_range().unwrap_or((i64::MIN.into(), i64::MAX.into()));
        Self::new(low, high)
    }

    /// A size fits 64 bits wherever it is computed.
    pub fn of_size(size: &Sym, facts: &Facts) -> Self {
        let all = Self::of_type(ElementType::I64);
        let range = facts.range(size);
        let low = range.lo.map_or(all.low, |low| low.clamp(all.low, all.high));
        let high = range.hi.map_or(all.high, |high| high.clamp(all.low, all.high));
        Self::new(low, high)
    }

    /// A size as if no size were large.
    pub fn of_small_size(size: &Sym, facts: &Facts) -> Self {
        let Self { low, high } = Self::of_size(size, facts);
        if size.as_constant().is_some() {
            return Self::new(low, high);
        }
        Self::new(low.max(-SMALL_SIZE), high.min(SMALL_SIZE).max(low))
    }

    /// Whether all of them are in another interval.
    pub fn lies_in(self, outer: Self) -> bool {
        outer.low <= self.low && self.high <= outer.high
    }

    /// The smallest interval that holds both.
    pub fn union(self, other: Self) -> Self {
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }
}

/// The values of an operator, had its type no end; `None` where nothing is known.
pub fn binary(op: BinaryOp, left: Numbers, right: Numbers) -> Option<Numbers> {
    Some(match op {
        BinaryOp::Add => Numbers::new(left.low + right.low, left.high + right.high),
        BinaryOp::Subtract => Numbers::new(left.low - right.high, left.high - right.low),
        BinaryOp::Multiply => {
            // Both are at most 64 bits wide and one of them may be unsigned, so a product may leave even 128 bits.
            let ends = [
                left.low.checked_mul(right.low)?,
                left.low.checked_mul(right.high)?,
                left.high.checked_mul(right.low)?,
                left.high.checked_mul(right.high)?,
            ];
            Numbers::new(*ends.iter().min()?, *ends.iter().max()?)
        }
        BinaryOp::Divide | BinaryOp::FloorDivide if right.low > 0 => {
            // Dividing by the least divisor moves every value least. Rounded down, what is negative stays so.
            let quotient = |value: i128| {
                if op == BinaryOp::Divide { value / right.low } else { value.div_euclid(right.low) }
            };
            Numbers::new(quotient(left.low).min(0), quotient(left.high).max(0))
        }
        BinaryOp::Remainder | BinaryOp::FloorRemainder if right.low > 0 => {
            let most = right.high - 1;
            if left.low >= 0 { Numbers::new(0, most.min(left.high)) } else { Numbers::new(-most, most) }
        }
        // Bits of a number that is not negative make no greater one.
        BinaryOp::BitAnd if left.low >= 0 && right.low >= 0 => Numbers::new(0, left.high.min(right.high)),
        BinaryOp::BitAnd if left.low >= 0 => Numbers::new(0, left.high),
        BinaryOp::BitAnd if right.low >= 0 => Numbers::new(0, right.high),
        // No bit is above the highest one of both.
        BinaryOp::BitOr | BinaryOp::BitXor if left.low >= 0 && right.low >= 0 => {
            let bits = (left.high | right.high).checked_ilog2().map_or(0, |highest| highest + 1);
            Numbers::new(0, (1i128 << bits) - 1)
        }
        _ => return None,
    })
}

/// The values of a shift, had its type no end; `None` where the distance may be taken modulo the type's width, or what is
/// shifted may be negative.
pub fn shifted(op: BinaryOp, value: Numbers, by: Numbers, element: ElementType) -> Option<Numbers> {
    let width = i128::try_from(element.size_bytes()).ok()?.checked_mul(8)?;
    if value.low < 0 || by.low < 0 || by.high >= width {
        return None;
    }
    let (least, most) = (u32::try_from(by.low).ok()?, u32::try_from(by.high).ok()?);
    Some(match op {
        BinaryOp::ShiftLeft => {
            let factor = |by: u32| 1i128.checked_shl(by);
            Numbers::new(value.low.checked_mul(factor(least)?)?, value.high.checked_mul(factor(most)?)?)
        }
        BinaryOp::ShiftRight => Numbers::new(value.low >> most, value.high >> least),
        _ => return None,
    })
}

/// The values of `min` or `max`; `None` of any other function.
pub fn extreme(function: MathFunction, left: Numbers, right: Numbers) -> Option<Numbers> {
    match function {
        MathFunction::Min => Some(Numbers::new(left.low.min(right.low), left.high.min(right.high))),
        MathFunction::Max => Some(Numbers::new(left.low.max(right.low), left.high.max(right.high))),
        _ => None,
    }
}
