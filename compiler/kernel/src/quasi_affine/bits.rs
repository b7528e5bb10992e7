//! Which bits numbers may have: those of which no bit is in both are combined by `|` and `^` as by `+`.

use super::{Number, Operand, Terms};
use dims::Sym;
use maps::{Term, TermId};

impl<V: Number> Terms<V> {
    /// Whether two numbers that are never negative have no bit in common, so that their sum has the bits of both.
    pub(super) fn have_no_bit_in_common(&self, left: &Operand<'_>, right: &Operand<'_>) -> bool {
        if bits_apart(left, right) || bits_apart(right, left) {
            return true;
        }
        let bits = [left, right].map(|operand| self.bits(operand));
        matches!(bits, [Some(left), Some(right)] if left & right == 0)
    }

    /// The bits that a number may have, which is never negative; `None` if that is not known.
    fn bits(&self, operand: &Operand<'_>) -> Option<u64> {
        let most = operand.range.hi.filter(|_| operand.range.is_natural())?;
        let most = u64::try_from(most).ok().filter(|most| *most < 1 << 62)?;
        let all = up_to(most);
        let Some(constant) = operand.form.constant.as_constant().and_then(|value| u64::try_from(value).ok()) else {
            return Some(all);
        };
        let mut found = constant;
        for (id, factor) in &operand.form.terms {
            let of_term = factor.as_constant().and_then(|factor| self.bits_of_term(*id, factor, operand));
            // Bits that occur twice carry.
            match of_term {
                Some(bits) if bits & found == 0 => found |= bits,
                _ => return Some(all),
            }
        }
        Some(found & all)
    }

    /// The bits of a multiple of a term by a power of two.
    fn bits_of_term(&self, id: TermId, factor: i64, operand: &Operand<'_>) -> Option<u64> {
        let factor = u64::try_from(factor).ok().filter(|factor| factor.is_power_of_two())?;
        let most = match self.term(id)? {
            Term::Digit { modulus: Some(modulus), .. } => u64::try_from(modulus.as_constant()?).ok()?.checked_sub(1)?,
            // A single term of which the range of the whole tells.
            _ if operand.form.terms.len() == 1 && operand.form.constant.is_zero() => {
                u64::try_from(operand.range.hi?).ok()? / factor
            }
            _ => return None,
        };
        up_to(most).checked_mul(factor)
    }
}

/// All bits up to the highest one of a number.
fn up_to(most: u64) -> u64 {
    match most.checked_add(1).and_then(u64::checked_next_power_of_two) {
        Some(end) => end - 1,
        None => u64::MAX,
    }
}

/// Whether a form is a multiple of a power of two that exceeds all values of the other operand, so that they share no
/// bits.
fn bits_apart(one: &Operand<'_>, other: &Operand<'_>) -> bool {
    let Some(most) = other.range.hi.filter(|_| other.range.is_natural()) else { return false };
    let is_multiple = |size: &Sym| {
        let lowest_bit = |value: i64| value.unsigned_abs() & value.unsigned_abs().wrapping_neg();
        size.as_constant().is_some_and(|value| value == 0 || i128::from(lowest_bit(value)) > most)
    };
    one.form.sizes().all(is_multiple)
}
