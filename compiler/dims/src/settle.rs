//! The rewriting applied to every sum and product: products that undo a division.
//!
//! Two rules are used. An exact quotient times its divisor is its dividend. A remainder plus the divisor times the
//! matching quotient is the dividend. Both hold without facts, as an exact quotient is marked as such.

use super::polynomial::{Monomial, Polynomial};
use super::sym::Limit;
use super::{Atom, Sym};

/// Rewriting terminates, as each step replaces a quotient or a remainder by its smaller dividend. The limit keeps the
/// time short; stopping early leaves a correct but less simple form.
const MOST_REWRITINGS: usize = 256;

pub(super) fn settle(mut polynomial: Polynomial<Atom>) -> Result<Polynomial<Atom>, Limit> {
    let is_symbol = |atom: &Atom| matches!(atom, Atom::Symbol(_));
    for _ in 0..MOST_REWRITINGS {
        let plain = polynomial.terms().iter().all(|(term, _)| term.factors().iter().all(|(atom, _)| is_symbol(atom)));
        if plain {
            return Ok(polynomial);
        }
        match step(&polynomial).ok_or(Limit::Overflow)? {
            Rewriting::To(next) => polynomial = next,
            Rewriting::None => return Ok(polynomial),
        }
    }
    Ok(polynomial)
}

/// The result of a rule.
enum Rewriting {
    /// This one.
    To(Polynomial<Atom>),
    /// Nothing: it does not apply.
    None,
}

/// One rewriting step; `None` where a number overflows.
fn step(polynomial: &Polynomial<Atom>) -> Option<Rewriting> {
    for (monomial, coefficient) in polynomial.terms() {
        for (atom, _) in monomial.factors() {
            let rewritten = match atom {
                Atom::FloorDiv { dividend, divisor, exact: true } => {
                    undo_quotient(polynomial, monomial, *coefficient, (atom, dividend, divisor))?
                }
                Atom::Remainder { dividend, divisor } => {
                    undo_remainder(polynomial, monomial, *coefficient, (atom, dividend, divisor))?
                }
                _ => Rewriting::None,
            };
            if let Rewriting::To(_) = rewritten {
                return Some(rewritten);
            }
        }
    }
    Some(Rewriting::None)
}

/// `c * (x / d)` with an exact quotient is `k * x + r * (x / d)`, where `c = k * d + r` and `r` has the sign of `c`.
fn undo_quotient(
    polynomial: &Polynomial<Atom>,
    monomial: &Monomial<Atom>,
    coefficient: i128,
    (atom, dividend, divisor): (&Atom, &Sym, &Sym),
) -> Option<Rewriting> {
    let divisor = divisor.polynomial();
    let [(divisor_monomial, divisor_coefficient)] = divisor.terms() else {
        return Some(Rewriting::None);
    };
    let without_atom = monomial.divide(&Monomial::variable(atom.clone()))?;
    let Some(cofactor) = without_atom.divide(divisor_monomial) else {
        return Some(Rewriting::None);
    };
    let times = coefficient.checked_div(*divisor_coefficient)?;
    if times == 0 {
        return Some(Rewriting::None);
    }
    let removed = times.checked_mul(*divisor_coefficient)?;
    let rest = polynomial.subtract(&Polynomial::term(monomial.clone(), removed))?;
    Some(Rewriting::To(rest.add(&dividend.polynomial().multiply_monomial(&cofactor, times)?)?))
}

/// `c * (x % d) + c * d * (x / d)` is `c * x`.
fn undo_remainder(
    polynomial: &Polynomial<Atom>,
    monomial: &Monomial<Atom>,
    coefficient: i128,
    (atom, dividend, divisor): (&Atom, &Sym, &Sym),
) -> Option<Rewriting> {
    let cofactor = monomial.divide(&Monomial::variable(atom.clone()))?;
    for exact in [false, true] {
        let quotient = Atom::FloorDiv { dividend: dividend.clone(), divisor: divisor.clone(), exact };
        let product = divisor.polynomial().multiply_monomial(&Monomial::variable(quotient), 1)?;
        let partner = product.multiply_monomial(&cofactor, coefficient)?;
        if partner.terms().iter().all(|(term, value)| polynomial.coefficient(term) == *value) {
            let rest = polynomial.subtract(&partner)?.subtract(&Polynomial::term(monomial.clone(), coefficient))?;
            return Some(Rewriting::To(rest.add(&dividend.polynomial().multiply_monomial(&cofactor, coefficient)?)?));
        }
    }
    Some(Rewriting::None)
}
