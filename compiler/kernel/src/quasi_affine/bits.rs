//! Which bits numbers may have: those of which no bit is in both are combined by `|` and `^` as by `+`.
//!
//! Bits are those of two's complement, so that a multiple of eight has none of the lowest three, whatever its sign.

use super::{Number, Operand, Terms};
use dims::Sym;
use elements::ElementType;
use maps::{Affine, Term, TermId};

/// The most bits that are moved one by one.
const MOST_REVERSED: u32 = 16;

impl<V: Number> Terms<V> {
    /// Whether two numbers have no bit in common, so that their sum has the bits of both.
    pub(super) fn have_no_bit_in_common(&self, left: &Operand<'_>, right: &Operand<'_>) -> bool {
        self.bits(left) & self.bits(right) == 0
    }

    /// The bits of a number of a type in the opposite order: each one that it may have, moved to its new place. `None` if they are
    /// very many.
    pub fn reversed(&mut self, operand: &Operand<'_>, element: ElementType) -> Option<Affine> {
        let all = element.bits();
        let mut rest = self.bits(operand) & up_to_place(all - 1);
        let mut sum = Affine::constant(Sym::zero());
        if rest.count_ones() > MOST_REVERSED {
            return None;
        }
        while rest != 0 {
            let place = rest.trailing_zeros();
            rest &= rest - 1;
            let to = all - 1 - place;
            let unit = 1i64.checked_shl(place).filter(|unit| *unit > 0)?;
            let bit = self.digit(operand.form, &Sym::constant(unit), Some(&Sym::constant(2)))?;
            // The highest bit of a type with a sign counts downwards.
            let weight = match element.is_signed() && to == all - 1 {
                true => i64::MIN.checked_shr(63 - to)?,
                false => 1i64.checked_shl(to).filter(|weight| *weight > 0)?,
            };
            sum = sum.checked_add(&bit.checked_scale(&Sym::constant(weight)).ok()?).ok()?;
        }
        Some(sum)
    }

    /// The bits that a number may have.
    fn bits(&self, operand: &Operand<'_>) -> u64 {
        let (rest, mut found) = self.without_quotients(operand.form);
        found = added(found, bits_of_constant(&rest.constant));
        for (id, factor) in &rest.terms {
            found = added(found, self.bits_of_term(*id, factor));
        }
        let most = operand.range.hi.filter(|_| operand.range.is_natural());
        most.and_then(|most| u64::try_from(most).ok()).map_or(found, |most| found & up_to(most))
    }

    /// The bits that a multiple of a term may have.
    fn bits_of_term(&self, id: TermId, factor: &Sym) -> u64 {
        let modulus = match self.term(id) {
            Some(Term::Digit { modulus: Some(modulus), .. }) => modulus.as_constant().filter(|modulus| *modulus > 0),
            _ => None,
        };
        match (modulus, factor.as_constant()) {
            (Some(modulus), Some(factor)) if factor > 0 && factor.count_ones() == 1 => {
                up_to(modulus as u64 - 1) << factor.trailing_zeros()
            }
            _ => of_multiples(factor),
        }
    }

    /// A form without multiples of what it has remainders of, and the bits of their quotients: `2 * t - t % 4` is `t % 4`
    /// and a multiple of 8, since `t` is `t / 4 * 4 + t % 4`.
    fn without_quotients(&self, form: &Affine) -> (Affine, u64) {
        let (mut rest, mut found) = (form.clone(), 0);
        // What a remainder is made of has been made before it.
        for (id, _) in form.terms.iter().rev() {
            let Some(Term::Digit { of, divisor, modulus: Some(modulus) }) = self.term(*id) else { continue };
            let Some(modulus) = modulus.as_constant().filter(|_| divisor.as_constant() == Some(1)) else { continue };
            let Some(times) = times_within(of, &rest) else { continue };
            let taken = || {
                let remainder = Affine::term(*id).checked_sub(of)?;
                rest.checked_add(&remainder.checked_scale(&Sym::constant(times))?)
            };
            let Some(multiple) = times.checked_mul(modulus) else { continue };
            if let Ok(taken) = taken()
                && taken.terms.len() < rest.terms.len()
            {
                rest = taken;
                found = added(found, of_multiples(&Sym::constant(multiple)));
            }
        }
        (rest, found)
    }
}

/// How many times a form may be taken from another one, so that its first term is gone.
fn times_within(of: &Affine, form: &Affine) -> Option<i64> {
    let (first, factor) = of.terms.first()?;
    let (there, factor) = (form.coefficient(*first)?.as_constant()?, factor.as_constant()?);
    (there.checked_rem(factor)? == 0).then(|| there.checked_div(factor))?
}

/// The bits that a sum may have: a bit that is in both carries into those above it.
fn added(left: u64, right: u64) -> u64 {
    let carries = match left & right {
        0 => 0,
        both => u64::MAX << both.trailing_zeros(),
    };
    left | right | carries
}

fn bits_of_constant(constant: &Sym) -> u64 {
    constant.as_constant().map_or(u64::MAX, |value| value as u64)
}

/// The bits that multiples of a number may have.
fn of_multiples(factor: &Sym) -> u64 {
    match factor.as_constant() {
        Some(0) => 0,
        Some(factor) => u64::MAX << factor.trailing_zeros(),
        None => u64::MAX,
    }
}

/// All bits up to a place.
fn up_to_place(place: u32) -> u64 {
    u64::MAX.checked_shr(u64::BITS - 1 - place).unwrap_or(0)
}

/// All bits up to the highest one of a number.
fn up_to(most: u64) -> u64 {
    u64::MAX.checked_shr(most.leading_zeros()).unwrap_or(0)
}
