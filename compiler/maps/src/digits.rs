//! Mixed-radix digits of affine forms, simplified as they are built (T7).
//!
//! A digit of a sum of digits is again a sum of digits where the radices form a divisibility chain. Simplifying here
//! keeps proofs fast: a prover that meets a digit of a digit has to give up or enumerate.

use super::arithmetic::{self, Sign};
use super::range::Range;
use super::{Affine, MapBuilder, MapError, Term};
use dims::Sym;

/// The depth of nested digits. Each level removes a factor of the divisor, so 64-bit constants never reach this
/// limit; for symbolic sizes it ends the search for a simpler form.
const DEEPEST: u32 = 64;

impl MapBuilder<'_> {
    /// `(of / divisor) % modulus`, or `of / divisor` without a modulus, in its simplest form. Divisor and modulus
    /// must be positive; the division rounds down.
    pub fn digit(&mut self, of: &Affine, divisor: &Sym, modulus: Option<&Sym>) -> Result<Affine, MapError> {
        let quotient = self.floor_div(of, divisor)?;
        match modulus {
            Some(modulus) => self.remainder(&quotient, modulus),
            None => Ok(quotient),
        }
    }

    /// `of / divisor`, rounded down.
    pub fn floor_div(&mut self, of: &Affine, divisor: &Sym) -> Result<Affine, MapError> {
        require_positive("a divisor", divisor)?;
        self.quotient(of, divisor, DEEPEST)
    }

    /// `of % modulus`, never negative.
    pub fn remainder(&mut self, of: &Affine, modulus: &Sym) -> Result<Affine, MapError> {
        require_positive("a modulus", modulus)?;
        self.residue(of, modulus, DEEPEST)
    }

    fn quotient(&mut self, of: &Affine, divisor: &Sym, depth: u32) -> Result<Affine, MapError> {
        if divisor.as_constant() == Some(1) {
            return Ok(of.clone());
        }
        // `(d·q + r) / d` is `q + r / d`, whatever the sign of `r`.
        let (whole, rest) = self.split(of, divisor)?;
        if self.range(&rest).inside(divisor, self.facts) {
            return Ok(whole);
        }
        if let Some(constant) = rest.as_constant() {
            return whole.checked_offset(&constant.checked_floor_div(divisor, self.facts)?);
        }
        let quotient = self.range(&rest).floor_div(divisor, self.facts);
        if let (Some(low), Some(high)) = (&quotient.low, &quotient.high)
            && low == high
        {
            return whole.checked_offset(low);
        }
        let rest = self.quotient_of_rest(&rest, divisor, quotient, depth)?;
        whole.checked_add(&rest)
    }

    /// The quotient of a form in which no term is a multiple of the divisor.
    fn quotient_of_rest(&mut self, of: &Affine, divisor: &Sym, range: Range, depth: u32) -> Result<Affine, MapError> {
        if depth > 0 {
            if let Some((scaled, _, factor)) = self.split_by_factor(of, divisor)?
                && let Some(smaller) = arithmetic::divide_exactly(divisor, &factor, self.facts)
            {
                return self.quotient(&scaled, &smaller, depth - 1);
            }
            if let Some((mirrored, last)) = self.mirror(of, divisor)? {
                let inner = self.quotient(&mirrored, divisor, depth - 1)?;
                return Affine::constant(last).checked_sub(&inner);
            }
            // A product beyond 64 bits leaves one quotient in the other.
            if let Some(Term::Digit { of: inner, divisor: first, modulus }) = self.single_term(of)
                && let Ok(product) = first.checked_mul(divisor)
            {
                match modulus {
                    None => return self.quotient(&inner, &product, depth - 1),
                    Some(modulus) => {
                        if let Some(radix) = arithmetic::divide_exactly(&modulus, divisor, self.facts) {
                            let cut = self.quotient(&inner, &product, depth - 1)?;
                            return self.residue(&cut, &radix, depth - 1);
                        }
                    }
                }
            }
        }
        self.intern(Term::Digit { of: of.clone(), divisor: divisor.clone(), modulus: None }, range)
    }

    fn residue(&mut self, of: &Affine, modulus: &Sym, depth: u32) -> Result<Affine, MapError> {
        if modulus.as_constant() == Some(1) {
            return Ok(Affine::constant(Sym::zero()));
        }
        if self.range(of).inside(modulus, self.facts) {
            return Ok(of.clone());
        }
        // Multiples of the modulus do not matter.
        let (_, of) = self.split(of, modulus)?;
        let range = self.range(&of);
        if range.inside(modulus, self.facts) {
            return Ok(of);
        }
        if let Some(constant) = of.as_constant() {
            return Ok(Affine::constant(constant.checked_remainder(modulus, self.facts)?));
        }
        let quotient = range.floor_div(modulus, self.facts);
        if let (Some(low), Some(high)) = (&quotient.low, &quotient.high)
            && low == high
        {
            return of.checked_offset(&low.checked_mul(modulus)?.checked_neg()?);
        }
        if depth > 0 {
            if let Some((scaled, rest, factor)) = self.split_by_factor(&of, modulus)?
                && let Some(smaller) = arithmetic::divide_exactly(modulus, &factor, self.facts)
            {
                let inner = self.residue(&scaled, &smaller, depth - 1)?;
                return inner.checked_scale(&factor)?.checked_add(&rest);
            }
            if let Some((mirrored, _)) = self.mirror(&of, modulus)? {
                let inner = self.residue(&mirrored, modulus, depth - 1)?;
                return Affine::constant(modulus.checked_sub(&Sym::one())?).checked_sub(&inner);
            }
            if let Some(Term::Digit { of: inner, divisor, modulus: first }) = self.single_term(&of) {
                let covered = match &first {
                    None => true,
                    Some(first) => arithmetic::divide_exactly(first, modulus, self.facts).is_some(),
                };
                if covered {
                    let term = Term::Digit { of: inner, divisor, modulus: Some(modulus.clone()) };
                    return self.intern(term, Range::below(Some(modulus))?);
                }
            }
            if let Some(unwrapped) = self.without_remainders(&of, modulus)? {
                return self.residue(&unwrapped, modulus, depth - 1);
            }
        }
        let term = Term::Digit { of, divisor: Sym::one(), modulus: Some(modulus.clone()) };
        self.intern(term, Range::below(Some(modulus))?)
    }

    /// Drops inner remainders by multiples of the modulus: modulo `m`, `a + b % (k·m)` is `a + b`. `None` if there
    /// are none.
    fn without_remainders(&self, of: &Affine, modulus: &Sym) -> Result<Option<Affine>, MapError> {
        let mut unwrapped = Affine::constant(of.constant.clone());
        let mut any = false;
        for (term, coefficient) in &of.terms {
            let inner = match self.terms.get(term.0 as usize) {
                Some(Term::Digit { of, divisor, modulus: Some(first) })
                    if divisor.as_constant() == Some(1)
                        && arithmetic::divide_exactly(first, modulus, self.facts).is_some() =>
                {
                    any = true;
                    of.clone()
                }
                _ => Affine::term(*term),
            };
            unwrapped = unwrapped.checked_add(&inner.checked_scale(coefficient)?)?;
        }
        Ok(any.then_some(unwrapped))
    }

    /// Splits a form into `unit · whole + rest`, where `rest` keeps the terms not known to be multiples of the unit.
    fn split(&self, of: &Affine, unit: &Sym) -> Result<(Affine, Affine), MapError> {
        let mut whole = Affine::constant(Sym::zero());
        let mut rest = Affine::constant(Sym::zero());
        match (of.constant.as_constant(), unit.as_constant()) {
            (Some(constant), Some(unit)) => {
                whole.constant = Sym::constant(constant.div_euclid(unit));
                rest.constant = Sym::constant(constant.rem_euclid(unit));
            }
            _ => match arithmetic::divide_exactly(&of.constant, unit, self.facts) {
                Some(quotient) => whole.constant = quotient,
                None => rest.constant = of.constant.clone(),
            },
        }
        for (term, coefficient) in &of.terms {
            match arithmetic::divide_exactly(coefficient, unit, self.facts) {
                Some(quotient) => whole.terms.push((*term, quotient)),
                None => rest.terms.push((*term, coefficient.clone())),
            }
        }
        Ok((whole, rest))
    }

    /// Finds a factor `g` of `radix` with `of = g · scaled + rest` and `rest` in `0..g`: then the digits of `of`
    /// above `g` are those of `scaled`.
    fn split_by_factor(&self, of: &Affine, radix: &Sym) -> Result<Option<(Affine, Affine, Sym)>, MapError> {
        let mut tried: Vec<Sym> = Vec::new();
        for (_, coefficient) in &of.terms {
            let factor =
                match (arithmetic::sign(coefficient, self.facts), coefficient.as_constant(), radix.as_constant()) {
                    (_, Some(coefficient), Some(radix)) => Sym::constant(num_integer::gcd(coefficient, radix)),
                    (Some(Sign::Positive), ..) => coefficient.clone(),
                    (Some(Sign::Negative), ..) => coefficient.checked_neg()?,
                    (None, ..) => continue,
                };
            if factor.as_constant().is_some_and(|factor| factor <= 1) || tried.contains(&factor) {
                continue;
            }
            tried.push(factor.clone());
            if arithmetic::divide_exactly(radix, &factor, self.facts).is_none() {
                continue;
            }
            let (scaled, rest) = self.split(of, &factor)?;
            if scaled.terms.is_empty() || !self.range(&rest).inside(&factor, self.facts) {
                continue;
            }
            return Ok(Some((scaled, rest, factor)));
        }
        Ok(None)
    }

    /// For `of = n·d − 1 − x` with every coefficient of `x` positive: `x` and `n − 1`. Then `of / d` is
    /// `n − 1 − x / d` and `of % d` is `d − 1 − x % d`; reversals have this shape.
    fn mirror(&self, of: &Affine, divisor: &Sym) -> Result<Option<(Affine, Sym)>, MapError> {
        let negative = |coefficient: &Sym| arithmetic::sign(coefficient, self.facts) == Some(Sign::Negative);
        if of.terms.is_empty() || !of.terms.iter().all(|(_, coefficient)| negative(coefficient)) {
            return Ok(None);
        }
        let next = of.constant.checked_add(&Sym::one())?;
        let Some(count) = arithmetic::divide_exactly(&next, divisor, self.facts) else {
            return Ok(None);
        };
        let terms = Affine { constant: Sym::zero(), terms: of.terms.clone() };
        Ok(Some((terms.checked_scale(&Sym::constant(-1))?, count.checked_sub(&Sym::one())?)))
    }

    fn single_term(&self, of: &Affine) -> Option<Term> {
        self.terms.get(of.as_term()?.0 as usize).cloned()
    }

    /// Joins adjacent digits of the same number: `c·(x / a % b) + c·b·(x / ab % e)` is `c·(x / a % be)`.
    pub(super) fn join_digits(&mut self, form: &Affine) -> Result<Affine, MapError> {
        let mut form = form.clone();
        // Each step joins two terms, so there are fewer steps than terms.
        for _ in 0..form.terms.len() {
            let Some((first, second, joined)) = self.joinable(&form) else {
                break;
            };
            let Some(coefficient) = form.coefficient(first).cloned() else {
                break;
            };
            form.terms.retain(|(term, _)| *term != first && *term != second);
            let Term::Digit { of, divisor, modulus } = joined else {
                break;
            };
            let digit = self.digit(&of, &divisor, modulus.as_ref())?;
            form = form.checked_add(&digit.checked_scale(&coefficient)?)?;
        }
        Ok(form)
    }

    fn joinable(&self, form: &Affine) -> Option<(super::TermId, super::TermId, Term)> {
        for (first, coefficient) in &form.terms {
            let Some(Term::Digit { of, divisor, modulus: Some(radix) }) = self.terms.get(first.0 as usize) else {
                continue;
            };
            let (Ok(next), Ok(scaled)) = (divisor.checked_mul(radix), coefficient.checked_mul(radix)) else {
                continue;
            };
            for (second, above) in &form.terms {
                if *above != scaled || first == second {
                    continue;
                }
                let modulus = match self.terms.get(second.0 as usize) {
                    Some(Term::Digit { of: other, divisor, modulus }) if other == of && *divisor == next => modulus,
                    _ => continue,
                };
                let modulus = match modulus.as_ref().map(|modulus| radix.checked_mul(modulus)) {
                    None => None,
                    Some(Ok(modulus)) => Some(modulus),
                    Some(Err(_)) => continue,
                };
                let joined = Term::Digit { of: of.clone(), divisor: divisor.clone(), modulus };
                return Some((*first, *second, joined));
            }
        }
        None
    }
}

fn require_positive(what: &'static str, value: &Sym) -> Result<(), MapError> {
    match value.as_constant() {
        Some(value) if value <= 0 => Err(MapError::NotPositive { what, value }),
        _ => Ok(()),
    }
}
