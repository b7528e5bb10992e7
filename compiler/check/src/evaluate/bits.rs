//! The operators of bits, `~ & ^ | << >>`, on integers that are known while a file is checked.
//!
//! Such integers are mathematical: their bits go on without end, zeros before a nonnegative number and ones before a
//! negative one. So the result does not depend on the width of a type.

use dims::{Arithmetic, Facts, Sym};
use syntax::tree::BinaryOp;

/// The greatest distance by which a size is shifted. Further shifts of a 64-bit integer wrap.
const MOST_PLACES: i64 = 62;

/// Whether an operator combines the bits of integers.
pub(crate) fn is_of_bits(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, BitAnd | BitOr | BitXor | ShiftLeft | ShiftRight)
}

/// The result of an operator of bits; `None` if it is no size. A shift by a known distance is a product or a quotient, and a
/// mask of the lowest bits gives a remainder, so these have sizes as operands too.
pub(crate) fn bits(op: BinaryOp, left: &Sym, right: &Sym, facts: &Facts) -> Option<Result<Sym, Arithmetic>> {
    let known = left.as_constant().zip(right.as_constant());
    let factor = || {
        let places = right.as_constant().filter(|places| (0..=MOST_PLACES).contains(places))?;
        Some(Sym::constant(1 << places))
    };
    Some(match (op, known) {
        (BinaryOp::BitAnd, Some((left, right))) => Ok(Sym::constant(left & right)),
        (BinaryOp::BitOr, Some((left, right))) => Ok(Sym::constant(left | right)),
        (BinaryOp::BitXor, Some((left, right))) => Ok(Sym::constant(left ^ right)),
        (BinaryOp::BitAnd, None) => match (beyond_mask(left), beyond_mask(right)) {
            (_, Some(modulus)) => left.checked_remainder(&modulus, facts),
            (Some(modulus), None) => right.checked_remainder(&modulus, facts),
            (None, None) => return None,
        },
        (BinaryOp::ShiftLeft, Some((number, places))) if places >= 0 => shifted(number, places)
            .map(Sym::constant)
            .ok_or_else(|| Arithmetic::Overflow { left: left.clone(), op: "<<", right: right.clone() }),
        // Beyond the sign, nothing changes any more.
        (BinaryOp::ShiftRight, Some((number, places))) if places >= 0 => Ok(Sym::constant(number >> places.min(63))),
        (BinaryOp::ShiftLeft, _) => left.checked_mul(&factor()?),
        (BinaryOp::ShiftRight, _) => left.checked_floor_div(&factor()?, facts),
        _ => return None,
    })
}

/// A number times a power of two; `None` if it leaves 64 bits.
fn shifted(number: i64, places: i64) -> Option<i64> {
    match u32::try_from(places).ok().filter(|places| *places < i64::BITS) {
        Some(places) => i64::try_from(i128::from(number) << places).ok(),
        None => (number == 0).then_some(0),
    }
}

/// The power of two behind a mask of the lowest bits: 8 for 7.
fn beyond_mask(mask: &Sym) -> Option<Sym> {
    let next = mask.as_constant()?.checked_add(1)?;
    (next > 0 && next.count_ones() == 1).then(|| Sym::constant(next))
}

/// The number with every bit inverted, which is one less than its negative.
pub(crate) fn complement(value: &Sym) -> Result<Sym, Arithmetic> {
    Sym::constant(-1).checked_sub(value)
}
