//! The operators of bits, `~ & ^ | << >>`, on integers that are known while a file is checked.
//!
//! Such integers are mathematical: their bits go on without end, zeros before a nonnegative number and ones before a
//! negative one. So the result does not depend on the width of a type.

use dims::{Arithmetic, Facts, Sym};
use elements::ElementType;
use kernel::typed;
use syntax::tree::BinaryOp;

/// Whether an operator combines the bits of integers.
pub(crate) fn is_of_bits(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, BitAnd | BitOr | BitXor | ShiftLeft | ShiftRight)
}

/// The result of an operator of bits; `None` if it is no size. A shift by a known distance is a product or a quotient, and a
/// mask of the lowest bits gives a remainder, so these have sizes as operands too.
pub(crate) fn bits(op: BinaryOp, left: &Sym, right: &Sym, facts: &Facts) -> Option<Result<Sym, Arithmetic>> {
    let known = left.as_constant().zip(right.as_constant());
    // Sizes are 64-bit integers: a shift of one by more places than it has wraps.
    let by = |right: &Sym| {
        let (_, by) = typed::BinaryOp::written(op)?.in_arithmetic(right.as_constant()?, ElementType::I64)?;
        Some(Sym::constant(by))
    };
    Some(match (op, known) {
        (BinaryOp::BitAnd, Some((left, right))) => Ok(Sym::constant(left & right)),
        (BinaryOp::BitOr, Some((left, right))) => Ok(Sym::constant(left | right)),
        (BinaryOp::BitXor, Some((left, right))) => Ok(Sym::constant(left ^ right)),
        (BinaryOp::BitAnd, None) => match (by(left), by(right)) {
            (_, Some(modulus)) => left.checked_remainder(&modulus, facts),
            (Some(modulus), None) => right.checked_remainder(&modulus, facts),
            (None, None) => return None,
        },
        (BinaryOp::ShiftLeft, Some((number, places))) if places >= 0 => shifted(number, places)
            .map(Sym::constant)
            .ok_or_else(|| Arithmetic::Overflow { left: left.clone(), op: "<<", right: right.clone() }),
        // Beyond the sign, nothing changes any more.
        (BinaryOp::ShiftRight, Some((number, places))) if places >= 0 => Ok(Sym::constant(number >> places.min(63))),
        (BinaryOp::ShiftLeft, _) => left.checked_mul(&by(right)?),
        (BinaryOp::ShiftRight, _) => left.checked_floor_div(&by(right)?, facts),
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

/// The number with every bit inverted, which is one less than its negative.
pub(crate) fn complement(value: &Sym) -> Result<Sym, Arithmetic> {
    Sym::constant(-1).checked_sub(value)
}
