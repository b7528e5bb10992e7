//! The remainder of division rounded down.
//!
//! As with quotients, every rewriting holds for all integers wherever the divisor is not zero.

use super::divide::{add, from, multiply, small};
use super::integer::{FloorDivision, greatest_common_divisor};
use super::polynomial::{Monomial, Polynomial};
use super::sym::Limit;
use super::{Arithmetic, Atom, Facts, Sym};

impl Sym {
    /// The remainder of division rounded down; it has the sign of the divisor.
    pub fn checked_remainder(&self, divisor: &Sym, facts: &Facts) -> Result<Sym, Arithmetic> {
        if divisor.is_zero() {
            return Err(Arithmetic::DivisionByZero { left: self.clone(), op: "%" });
        }
        if let (Some(left), Some(right)) = (self.as_constant(), divisor.as_constant()) {
            let remainder = i128::from(left).floor_rem(i128::from(right));
            // The remainder is nearer to zero than the divisor, so it always fits.
            return i64::try_from(remainder)
                .map(Sym::constant)
                .map_err(|_| Limit::Overflow.between(self, "%", divisor));
        }
        remainder(self, divisor, facts).map_err(|limit| limit.between(self, "%", divisor))
    }
}

/// The remainder where the divisor is not the constant 0.
fn remainder(dividend: &Sym, divisor: &Sym, facts: &Facts) -> Result<Sym, Limit> {
    if facts.range(divisor).hi.is_some_and(|hi| hi < 0) {
        let dividend = from(dividend.polynomial().negate())?;
        let positive = remainder_by_positive(&dividend, &from(divisor.polynomial().negate())?, facts)?;
        return from(positive.polynomial().negate());
    }
    remainder_by_positive(dividend, divisor, facts)
}

/// The remainder by what is not a negative constant. The sign of the divisor is turned at most once: facts that
/// contradict each other may call a divisor and its negation negative.
fn remainder_by_positive(dividend: &Sym, divisor: &Sym, facts: &Facts) -> Result<Sym, Limit> {
    match divisor.as_constant() {
        Some(1) => Ok(Sym::zero()),
        Some(by) => remainder_by_constant(dividend, i128::from(by), facts),
        None => remainder_by_symbolic(dividend, divisor, facts),
    }
}

fn remainder_by_constant(dividend: &Sym, by: i128, facts: &Facts) -> Result<Sym, Limit> {
    let mut terms = Vec::new();
    for (monomial, coefficient) in dividend.polynomial().terms() {
        // Inside a remainder, a remainder by a multiple of the divisor is its dividend.
        match monomial.as_variable() {
            Some(Atom::Remainder { dividend: inner, divisor })
                if divisor
                    .as_constant()
                    .is_some_and(|inner_by| is_multiple(*coefficient, i128::from(inner_by), by)) =>
            {
                let scaled = inner.polynomial().scale(*coefficient).ok_or(Limit::Overflow)?;
                terms.extend_from_slice(scaled.terms());
            }
            _ => terms.push((monomial.clone(), *coefficient)),
        }
    }
    let reduced = Polynomial::collect(terms).ok_or(Limit::Overflow)?;
    let (constant, variables) = reduced.partition(|monomial, _| monomial.is_one());
    let variables = variables.terms().iter().map(|(monomial, coefficient)| (monomial.clone(), coefficient % by));
    let variables = Polynomial::collect(variables.collect()).ok_or(Limit::Overflow)?;
    // A term that has the same remainder under all assignments is a constant here.
    let mut constant = constant.constant_term().floor_rem(by);
    let (settled, variables) = variables.partition(|monomial, coefficient| {
        let residue = residue_of_term(monomial, coefficient, by, facts);
        residue.inspect(|residue| constant += residue).is_some()
    });
    if !settled.is_zero() {
        constant = constant.floor_rem(by);
    }
    let common = greatest_common_divisor(variables.content(), by);
    if common > 1 {
        // (g * x + c) % (g * d) is g * ((x + c / g) % d) + c % g.
        let reduced = variables.divide_coefficients(common).and_then(|reduced| reduced.add_constant(constant / common));
        let inner = remainder(&from(reduced)?, &small(by / common)?, facts)?;
        return add(&multiply(&small(common)?, &inner)?, &small(constant % common)?);
    }
    let dividend = from(variables.add_constant(constant))?;
    if let Some(residue) = facts.residue(&dividend, by) {
        return small(residue);
    }
    let divisor = small(by)?;
    if facts.divides(&dividend, &divisor) {
        return Ok(Sym::zero());
    }
    let range = facts.range(&dividend);
    if let (Some(lo), Some(hi)) = (range.lo, range.hi)
        && lo.floor_div(by) == hi.floor_div(by)
    {
        return from(by.checked_mul(-lo.floor_div(by)).and_then(|shift| dividend.polynomial().add_constant(shift)));
    }
    Sym::from_atom(Atom::Remainder { dividend, divisor })
}

fn is_multiple(coefficient: i128, inner: i128, by: i128) -> bool {
    coefficient.checked_mul(inner).is_some_and(|product| product.floor_rem(by) == 0)
}

fn residue_of_term(monomial: &Monomial<Atom>, coefficient: i128, by: i128, facts: &Facts) -> Option<i128> {
    let term = Sym::from_polynomial(Polynomial::term(monomial.clone(), coefficient)).ok()?;
    facts.congruence(&term).residue_for(by)
}

fn remainder_by_symbolic(dividend: &Sym, divisor: &Sym, facts: &Facts) -> Result<Sym, Limit> {
    if facts.divides(dividend, divisor) {
        return Ok(Sym::zero());
    }
    // Terms that are multiples of the divisor do not change the remainder.
    let (_, rest) = dividend.polynomial().partition(|monomial, coefficient| {
        let term = Sym::from_polynomial(Polynomial::term(monomial.clone(), coefficient));
        term.is_ok_and(|term| facts.divides(&term, divisor))
    });
    let dividend = Sym::from_polynomial(rest)?;
    if facts.is_remainder(&dividend, divisor) {
        return Ok(dividend);
    }
    Sym::from_atom(Atom::Remainder { dividend, divisor: divisor.clone() })
}
