//! Comparison, sign and exact division of sizes, with a fast path for constants.
//!
//! Nearly every size of a real map is a known integer and must not pay for the symbolic prover.

use dims::{Facts, Sym};

/// Whether `left ≤ right` is known to hold.
pub fn at_most(left: &Sym, right: &Sym, facts: &Facts) -> bool {
    match (left.as_constant(), right.as_constant()) {
        (Some(left), Some(right)) => left <= right,
        _ => {
            left == right
                || facts.range(left).hi.zip(facts.range(right).lo).is_some_and(|(most, least)| most <= least)
                || right.checked_sub(left).is_ok_and(|above| facts.never_negative(&above))
        }
    }
}

/// Whether `left < right` is known to hold.
pub fn less(left: &Sym, right: &Sym, facts: &Facts) -> bool {
    match (left.as_constant(), right.as_constant()) {
        (Some(left), Some(right)) => left < right,
        (Some(left), None) => left.checked_add(1).is_some_and(|next| at_most(&Sym::constant(next), right, facts)),
        (None, Some(right)) => right.checked_sub(1).is_some_and(|last| at_most(left, &Sym::constant(last), facts)),
        (None, None) => left.checked_add(&Sym::one()).is_ok_and(|next| at_most(&next, right, facts)),
    }
}

/// Whether `left = right` is known to hold.
pub fn equal(left: &Sym, right: &Sym, facts: &Facts) -> bool {
    left == right || (at_most(left, right, facts) && at_most(right, left, facts))
}

/// Whether the value is known to be above zero.
pub fn positive(value: &Sym, facts: &Facts) -> bool {
    less(&Sym::zero(), value, facts)
}

/// The sign of a value other than zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Above zero.
    Positive,
    /// Below zero.
    Negative,
}

/// The sign of a value; `None` where it is unknown, or where the value may be zero.
pub fn sign(value: &Sym, facts: &Facts) -> Option<Sign> {
    if let Some(value) = value.as_constant() {
        return match value {
            0 => None,
            1.. => Some(Sign::Positive),
            _ => Some(Sign::Negative),
        };
    }
    if positive(value, facts) {
        Some(Sign::Positive)
    } else if less(value, &Sym::zero(), facts) {
        Some(Sign::Negative)
    } else {
        None
    }
}

/// `value / divisor` where the division is known to be exact.
pub fn divide_exactly(value: &Sym, divisor: &Sym, facts: &Facts) -> Option<Sym> {
    if let (Some(value), Some(divisor)) = (value.as_constant(), divisor.as_constant()) {
        let divides = divisor != 0 && value.checked_rem(divisor) == Some(0);
        return divides.then(|| value.checked_div(divisor).map(Sym::constant)).flatten();
    }
    if divisor.as_constant() == Some(1) {
        return Some(value.clone());
    }
    if value.is_zero() {
        return Some(Sym::zero());
    }
    if value == divisor {
        return sign(divisor, facts).map(|_| Sym::one());
    }
    let remainder = value.checked_remainder(divisor, facts).ok()?;
    if !remainder.is_zero() {
        return None;
    }
    value.checked_floor_div(divisor, facts).ok()
}
