//! Division rounded down and division rounded up.
//!
//! Every rewriting here holds for all integers wherever the divisor is not zero; where a rule needs a positive divisor,
//! an exact division or a bound, the facts must say so.

use super::integer::{FloorDivision, greatest_common_divisor};
use super::polynomial::{Monomial, Polynomial};
use super::sym::Limit;
use super::{Arithmetic, Atom, Facts, Sym};

impl Sym {
    /// The quotient rounded down.
    pub fn checked_floor_div(&self, divisor: &Sym, facts: &Facts) -> Result<Sym, Arithmetic> {
        if divisor.is_zero() {
            return Err(Arithmetic::DivisionByZero { left: self.clone(), op: "/" });
        }
        if let (Some(left), Some(right)) = (self.as_constant(), divisor.as_constant()) {
            let quotient = i128::from(left).floor_div(i128::from(right));
            let fits = i64::try_from(quotient).map(Sym::constant);
            return fits.map_err(|_| Limit::Overflow.between(self, "/", divisor));
        }
        quotient(self, divisor, facts).map_err(|limit| limit.between(self, "/", divisor))
    }

    /// The quotient rounded up.
    pub fn cdiv(&self, divisor: &Sym, facts: &Facts) -> Result<Sym, Arithmetic> {
        if divisor.is_zero() {
            return Err(Arithmetic::DivisionByZero { left: self.clone(), op: "cdiv" });
        }
        let name = |error| match error {
            Arithmetic::TooComplex { .. } => Arithmetic::TooComplex { op: "cdiv" },
            _ => Limit::Overflow.between(self, "cdiv", divisor),
        };
        self.rounded_up(divisor, facts).map_err(name)
    }

    fn rounded_up(&self, divisor: &Sym, facts: &Facts) -> Result<Sym, Arithmetic> {
        if let (Some(left), Some(right)) = (self.as_constant(), divisor.as_constant()) {
            let quotient = -(-i128::from(left)).floor_div(i128::from(right));
            let fits = i64::try_from(quotient).map(Sym::constant);
            return fits.map_err(|_| Limit::Overflow.between(self, "cdiv", divisor));
        }
        if facts.divides(self, divisor) {
            return self.checked_floor_div(divisor, facts);
        }
        if facts.at_least(divisor, 1) {
            let raised = self.checked_add(divisor)?.checked_sub(&Sym::one())?;
            return raised.checked_floor_div(divisor, facts);
        }
        // Rounding up is rounding the negation down; this holds for a divisor of either sign.
        self.checked_neg()?.checked_floor_div(divisor, facts)?.checked_neg()
    }
}

pub(super) fn from(polynomial: Option<Polynomial<Atom>>) -> Result<Sym, Limit> {
    polynomial.ok_or(Limit::Overflow).and_then(Sym::from_polynomial)
}

pub(super) fn add(left: &Sym, right: &Sym) -> Result<Sym, Limit> {
    from(left.polynomial().add(&right.polynomial()))
}

pub(super) fn multiply(left: &Sym, right: &Sym) -> Result<Sym, Limit> {
    left.checked_mul(right).map_err(|error| match error {
        Arithmetic::TooComplex { .. } => Limit::TooComplex,
        _ => Limit::Overflow,
    })
}

/// The quotient where the divisor is not the constant 0.
fn quotient(dividend: &Sym, divisor: &Sym, facts: &Facts) -> Result<Sym, Limit> {
    if dividend.is_zero() {
        return Ok(Sym::zero());
    }
    if facts.range(divisor).hi.is_some_and(|hi| hi < 0) {
        let dividend = from(dividend.polynomial().negate())?;
        return quotient_by_positive(&dividend, &from(divisor.polynomial().negate())?, facts);
    }
    quotient_by_positive(dividend, divisor, facts)
}

/// The quotient by what is not a negative constant. The sign of the divisor is turned at most once: facts that
/// contradict each other may call a divisor and its negation negative.
fn quotient_by_positive(dividend: &Sym, divisor: &Sym, facts: &Facts) -> Result<Sym, Limit> {
    match divisor.as_constant() {
        Some(1) => Ok(dividend.clone()),
        Some(by) => quotient_by_constant(dividend, i128::from(by), facts),
        None => quotient_by_symbolic(dividend, divisor, facts),
    }
}

/// The quotient by a constant of at least 2.
fn quotient_by_constant(dividend: &Sym, by: i128, facts: &Facts) -> Result<Sym, Limit> {
    let polynomial = dividend.polynomial();
    // (g * x + c) / (g * d) is (x + c / g) / d, everything rounded down.
    let common = greatest_common_divisor(polynomial.content(), by);
    if common > 1 {
        let (constant, variables) = polynomial.partition(|monomial, _| monomial.is_one());
        let reduced = variables.divide_coefficients(common);
        let constant = constant.constant_term().floor_div(common);
        let reduced = from(reduced.and_then(|reduced| reduced.add_constant(constant)))?;
        return quotient(&reduced, &small(by / common)?, facts);
    }
    // Multiples of the divisor are taken out of the quotient, and the constant keeps only its remainder.
    let constant = polynomial.constant_term();
    let (mut whole, mut rest) =
        polynomial.partition(|monomial, coefficient| !monomial.is_one() && coefficient.floor_rem(by) == 0);
    whole = whole
        .divide_coefficients(by)
        .and_then(|whole| whole.add_constant(constant.floor_div(by)))
        .ok_or(Limit::Overflow)?;
    rest = rest.add_constant(constant.floor_rem(by) - constant).ok_or(Limit::Overflow)?;
    // So do the terms that the facts say are multiples of it.
    let (exact, rest) = rest.partition(|monomial, coefficient| {
        !monomial.is_one()
            && Sym::from_polynomial(Polynomial::term(monomial.clone(), coefficient))
                .is_ok_and(|term| facts.congruence(&term).residue_for(by) == Some(0))
    });
    for (monomial, coefficient) in exact.terms() {
        let term = exact_quotient_of_term(monomial, *coefficient, by, facts)?;
        whole = whole.add(&term.polynomial()).ok_or(Limit::Overflow)?;
    }
    let rest = small_quotient(&Sym::from_polynomial(rest)?, by, facts)?;
    add(&Sym::from_polynomial(whole)?, &rest)
}

pub(super) fn small(value: i128) -> Result<Sym, Limit> {
    i64::try_from(value).map(Sym::constant).map_err(|_| Limit::Overflow)
}

/// `coefficient * monomial / by` where the facts say that this is exact.
fn exact_quotient_of_term(monomial: &Monomial<Atom>, coefficient: i128, by: i128, facts: &Facts) -> Result<Sym, Limit> {
    let common = greatest_common_divisor(coefficient, by);
    let (coefficient, by) = (coefficient / common, by / common);
    let bare = Sym::from_polynomial(Polynomial::term(monomial.clone(), 1))?;
    // The coefficient and the divisor are coprime now, so the monomial itself is a multiple.
    multiply(&small(coefficient)?, &whole_quotient(bare, small(by)?, facts)?)
}

/// The quotient of an exact division.
fn whole_quotient(dividend: Sym, divisor: Sym, facts: &Facts) -> Result<Sym, Limit> {
    if divisor.as_constant() == Some(1) {
        return Ok(dividend);
    }
    // (x / a) / b with an exact inner quotient is the exact quotient x / (a * b).
    if let Some(Atom::FloorDiv { dividend: inner, divisor: by, exact: true }) = dividend.as_atom() {
        return whole_quotient(inner.clone(), multiply(by, &divisor)?, facts);
    }
    let range = facts.range(&dividend);
    if let (Some(lo), Some(hi), Some(by)) = (range.lo, range.hi, divisor.as_constant())
        && lo == hi
    {
        return small(lo.floor_div(i128::from(by)));
    }
    Sym::from_atom(Atom::FloorDiv { dividend, divisor, exact: true })
}

/// The quotient of what remains after the terms that divide exactly have been taken out.
fn small_quotient(dividend: &Sym, by: i128, facts: &Facts) -> Result<Sym, Limit> {
    if let Some(constant) = dividend.as_constant() {
        return small(i128::from(constant).floor_div(by));
    }
    if let Some(merged) = merge_nested(dividend, &small(by)?, facts)? {
        return Ok(merged);
    }
    let range = facts.range(dividend);
    if let (Some(lo), Some(hi)) = (range.lo, range.hi)
        && lo.floor_div(by) == hi.floor_div(by)
    {
        return small(lo.floor_div(by));
    }
    let divisor = small(by)?;
    if facts.divides(dividend, &divisor) {
        return whole_quotient(dividend.clone(), divisor, facts);
    }
    let dividend = with_settled_constant(dividend, by, facts)?;
    Sym::from_atom(Atom::FloorDiv { dividend, divisor, exact: false })
}

/// The dividend with a canonical constant. If the residue of the other terms is known, several constants give the
/// same quotient: the one that rounds up is chosen, or else the smallest.
fn with_settled_constant(dividend: &Sym, by: i128, facts: &Facts) -> Result<Sym, Limit> {
    let (constant, variables) = dividend.polynomial().partition(|monomial, _| monomial.is_one());
    let class = facts.congruence(&Sym::from_polynomial(variables.clone())?);
    let step = greatest_common_divisor(class.modulus, by);
    let Some(residue) = class.residue_for(step) else { return Ok(dividend.clone()) };
    // With x = step * k + residue, the quotient depends on nothing of the constant but (residue + constant) / step.
    let sum = residue.checked_add(constant.constant_term()).ok_or(Limit::Overflow)?;
    let least = sum - sum.floor_rem(step) - residue;
    let settled = if (least..least + step).contains(&(by - 1)) { by - 1 } else { least.max(0) };
    from(variables.add_constant(settled))
}

/// `(x / a + y) / b` is `(x + a * y) / (a * b)` for a positive `b`. Done only if the dividend has a single quotient,
/// since otherwise the choice would be ambiguous.
fn merge_nested(dividend: &Sym, divisor: &Sym, facts: &Facts) -> Result<Option<Sym>, Limit> {
    let polynomial = dividend.polynomial();
    let is_quotient =
        |monomial: &Monomial<Atom>| monomial.factors().iter().any(|(atom, _)| matches!(atom, Atom::FloorDiv { .. }));
    let (quotients, rest) = polynomial.partition(|monomial, _| is_quotient(monomial));
    let [(monomial, 1)] = quotients.terms() else {
        return Ok(None);
    };
    let Some(Atom::FloorDiv { dividend: inner, divisor: by, .. }) = monomial.as_variable() else {
        return Ok(None);
    };
    let rest = multiply(by, &Sym::from_polynomial(rest)?)?;
    quotient(&add(inner, &rest)?, &multiply(by, divisor)?, facts).map(Some)
}

/// The quotient by a divisor that is not a constant.
fn quotient_by_symbolic(dividend: &Sym, divisor: &Sym, facts: &Facts) -> Result<Sym, Limit> {
    let (upper, lower) = (dividend.polynomial(), divisor.polynomial());
    if let Some(exact) = upper.divide_exactly(&lower) {
        return Sym::from_polynomial(exact);
    }
    if let Some((upper, lower)) = cancel(&upper, &lower) {
        return quotient(&Sym::from_polynomial(upper)?, &Sym::from_polynomial(lower)?, facts);
    }
    if let Some(cancelled) = cancel_beside_constant(&upper, &lower, facts)? {
        return Ok(cancelled);
    }
    let mut whole = Polynomial::zero();
    let mut rest = upper.into_owned();
    if let [(monomial, coefficient)] = lower.terms() {
        let (multiples, others) =
            rest.partition(|term, value| term.divide(monomial).is_some() && value.checked_rem(*coefficient) == Some(0));
        whole = multiples.divide_exactly(&lower).ok_or(Limit::Overflow)?;
        rest = others;
    }
    let (exact, rest) = rest.partition(|monomial, coefficient| {
        let term = Sym::from_polynomial(Polynomial::term(monomial.clone(), coefficient));
        term.is_ok_and(|term| facts.divides(&term, divisor))
    });
    for (monomial, coefficient) in exact.terms() {
        let term = Sym::from_polynomial(Polynomial::term(monomial.clone(), *coefficient))?;
        whole = whole.add(&whole_quotient(term, divisor.clone(), facts)?.polynomial()).ok_or(Limit::Overflow)?;
    }
    let rest = rest_by_symbolic(&Sym::from_polynomial(rest)?, divisor, facts)?;
    add(&Sym::from_polynomial(whole)?, &rest)
}

fn rest_by_symbolic(dividend: &Sym, divisor: &Sym, facts: &Facts) -> Result<Sym, Limit> {
    if dividend.is_zero() {
        return Ok(Sym::zero());
    }
    if facts.at_least(divisor, 1) {
        if let Some(merged) = merge_nested(dividend, divisor, facts)? {
            return Ok(merged);
        }
        if facts.is_remainder(dividend, divisor) {
            return Ok(Sym::zero());
        }
        // What is negative, and no further below zero than the divisor, is rounded down to -1.
        let opposite = dividend.as_constant().filter(|constant| *constant < 0).and_then(i64::checked_neg);
        if opposite.is_some_and(|opposite| facts.at_least(divisor, opposite)) {
            return Ok(Sym::constant(-1));
        }
    }
    if facts.divides(dividend, divisor) {
        return whole_quotient(dividend.clone(), divisor.clone(), facts);
    }
    Sym::from_atom(Atom::FloorDiv { dividend: dividend.clone(), divisor: divisor.clone(), exact: false })
}

/// `(g * x + c) / (g * y)` as `(x + c / g) / y`, everything rounded down, for a constant `c` and positive `g` and `y`, if
/// `c / g` is a constant: `(M * N - 1) / (8 * N)` is `(M - 1) / 8`.
fn cancel_beside_constant(
    upper: &Polynomial<Atom>,
    lower: &Polynomial<Atom>,
    facts: &Facts,
) -> Result<Option<Sym>, Limit> {
    let (constant, variables) = upper.partition(|monomial, _| monomial.is_one());
    if constant.is_zero() || variables.is_zero() {
        return Ok(None);
    }
    let Some(common) = common_factor(&variables, lower) else { return Ok(None) };
    let Some((upper, lower)) = variables.divide_exactly(&common).zip(lower.divide_exactly(&common)) else {
        return Ok(None);
    };
    let (common, lower) = (Sym::from_polynomial(common)?, Sym::from_polynomial(lower)?);
    if !facts.at_least(&common, 1) || !facts.at_least(&lower, 1) {
        return Ok(None);
    }
    let rounded = quotient(&Sym::from_polynomial(constant)?, &common, facts)?;
    match rounded.as_constant() {
        Some(_) => quotient(&add(&Sym::from_polynomial(upper)?, &rounded)?, &lower, facts).map(Some),
        None => Ok(None),
    }
}

/// Divides both polynomials by the common factor of all their terms, if there is one.
fn cancel(upper: &Polynomial<Atom>, lower: &Polynomial<Atom>) -> Option<(Polynomial<Atom>, Polynomial<Atom>)> {
    let common = common_factor(upper, lower)?;
    Some((upper.divide_exactly(&common)?, lower.divide_exactly(&common)?))
}

/// The common factor of all terms of two polynomials, unless it is 1.
fn common_factor(upper: &Polynomial<Atom>, lower: &Polynomial<Atom>) -> Option<Polynomial<Atom>> {
    let mut terms = upper.terms().iter().chain(lower.terms());
    let (first, first_coefficient) = terms.next()?;
    let start = (first.clone(), first_coefficient.checked_abs()?);
    let (monomial, coefficient) = terms.fold(start, |(monomial, divisor), (term, coefficient)| {
        (monomial.common(term), greatest_common_divisor(divisor, *coefficient))
    });
    if monomial.is_one() && coefficient == 1 {
        return None;
    }
    Some(Polynomial::term(monomial, coefficient))
}
