//! The search for a proof that a polynomial over the prover's variables is never negative.
//!
//! A polynomial with positive coefficients is never negative, as its variables are not. For a negative coefficient, a
//! multiple of a polynomial known to be non-negative is subtracted so that the term cancels; if the rest is never
//! negative, neither is the polynomial. All values are integers, so `p` may be replaced by `k * p + (k - 1)`, which
//! recovers what rounding down loses.

use std::collections::BTreeSet;

use num_integer::Integer;

use super::effort;
use super::integer::{FloorDivision, greatest_common_divisor};
use super::natural::Natural;
use super::polynomial::{Monomial, Polynomial};

/// Polynomials that one search may generate. Typical proofs take a few dozen; more are only spent where there is no
/// proof, and every question stays well under a millisecond.
const MOST_ATTEMPTS: usize = 400;
/// Subtractions in one proof.
const MOST_SUBTRACTIONS: u32 = 8;
/// Polynomials with more terms are given up.
const MOST_TERMS: usize = 256;

/// The variables and the polynomials known to be not negative.
#[derive(Default)]
pub(super) struct Known {
    /// For each variable whether it is known to be not negative.
    variables: Vec<bool>,
    not_negative: Vec<Natural>,
    /// Variables that are quotients, with their divisors, which are at least one.
    divisors: Vec<(u32, Natural)>,
}

/// The polynomial, unless it is too long to work with, or the effort of the item is spent.
pub(super) fn bounded(polynomial: Option<Natural>) -> Option<Natural> {
    let polynomial = polynomial?;
    let terms = polynomial.terms().len();
    (terms <= MOST_TERMS && effort::spend(terms as u64 + 1)).then_some(polynomial)
}

impl Known {
    /// A new variable.
    pub fn fresh(&mut self, not_negative: bool) -> Natural {
        // The weight of a symbolic integer bounds the number of variables far below 32 bits.
        let index = self.variables.len() as u32;
        self.variables.push(not_negative);
        Polynomial::variable(index)
    }

    /// Adds a polynomial known to be not negative.
    pub fn assume(&mut self, polynomial: Natural) {
        let says_something = polynomial.as_constant().is_none_or(|value| value < 0);
        if says_something && !self.not_negative.contains(&polynomial) {
            self.not_negative.push(polynomial);
        }
    }

    /// Records that a variable is a quotient by a polynomial that is at least one.
    pub fn divided_by(&mut self, quotient: &Natural, divisor: Natural) {
        if let [(monomial, 1)] = quotient.terms()
            && let Some(variable) = monomial.as_variable()
            && divisor.as_constant().is_none()
        {
            self.divisors.push((*variable, divisor));
        }
    }

    /// Whether the polynomial is proven to be never negative.
    pub fn proves(&self, polynomial: &Natural) -> bool {
        let run = |polynomial: &Natural| {
            let mut search = Search { known: self, attempts: MOST_ATTEMPTS, seen: BTreeSet::new() };
            search.run(polynomial, MOST_SUBTRACTIONS)
        };
        if run(polynomial) {
            return true;
        }
        // For an integer p and d >= 1, p is not negative exactly where d * p + (d - 1) is not.
        let occurs = |variable: u32| {
            let mut terms = polynomial.terms().iter().flat_map(|(monomial, _)| monomial.factors());
            terms.any(|(factor, _)| *factor == variable)
        };
        self.divisors.iter().filter(|(variable, _)| occurs(*variable)).any(|(_, divisor)| {
            let room = || divisor.multiply(polynomial)?.add(divisor)?.add_constant(-1);
            bounded(room()).is_some_and(|scaled| run(&scaled))
        })
    }

    fn is_natural(&self, monomial: &Monomial<u32>) -> bool {
        // An even power of any variable is not negative.
        let natural = |variable: u32| self.variables.get(variable as usize).copied().unwrap_or(false);
        monomial.factors().iter().all(|(variable, power)| power.is_even() || natural(*variable))
    }

    fn is_harmless(&self, (monomial, coefficient): &(Monomial<u32>, i128)) -> bool {
        *coefficient > 0 && self.is_natural(monomial)
    }
}

struct Search<'k> {
    known: &'k Known,
    attempts: usize,
    seen: BTreeSet<Natural>,
}

impl Search<'_> {
    fn run(&mut self, polynomial: &Natural, subtractions: u32) -> bool {
        let Some(polynomial) = tightened(polynomial) else {
            return false;
        };
        let harmful: Vec<_> = polynomial.terms().iter().filter(|term| !self.known.is_harmless(term)).collect();
        let Some(term) = harmful.first() else {
            return true;
        };
        if subtractions == 0 || self.attempts == 0 || !self.seen.insert(polynomial.clone()) {
            return false;
        }
        let mut candidates = Vec::new();
        for known in &self.known.not_negative {
            for known_term in known.terms() {
                for left in self.subtract(&polynomial, term, known, known_term).unwrap_or_default() {
                    let harm = left.terms().iter().filter(|term| !self.known.is_harmless(term)).count();
                    candidates.push((harm, degree(&left), left.terms().len(), left));
                }
            }
        }
        self.attempts = self.attempts.saturating_sub(candidates.len().max(1));
        // Candidates that leave the fewest negative terms come first, then those of the lowest degree, since products of facts
        // grow without end; ties keep the order in which facts were stated.
        candidates.sort_by_key(|(harm, degree, length, _)| (*harm, *degree, *length));
        candidates.into_iter().any(|(.., left)| self.run(&left, subtractions - 1))
    }

    /// Subtracts multiples of `known` such that `known_term` counters `term`: those that cancel `term`, and those
    /// that cancel another term, as two facts may each cover a part of `term`.
    fn subtract(
        &self,
        polynomial: &Natural,
        (monomial, coefficient): &(Monomial<u32>, i128),
        known: &Natural,
        (known_monomial, known_coefficient): &(Monomial<u32>, i128),
    ) -> Option<Vec<Natural>> {
        if coefficient.signum() != known_coefficient.signum() {
            return None;
        }
        let cofactor = monomial.divide(known_monomial).filter(|cofactor| self.known.is_natural(cofactor))?;
        let multiple = known.multiply_monomial(&cofactor, 1)?;
        let mut ratios = Vec::new();
        for (shared, theirs) in multiple.terms() {
            let own = polynomial.coefficient(shared);
            if own.signum() == theirs.signum() {
                let (own, theirs) = (own.checked_abs()?, theirs.checked_abs()?);
                let common = greatest_common_divisor(own, theirs);
                ratios.push((theirs / common, own / common));
            }
        }
        ratios.sort_unstable();
        ratios.dedup();
        let subtracted = |(scale, times): (i128, i128)| {
            let scaled = polynomial.scale(scale)?.add_constant(scale - 1)?;
            bounded(scaled.add_scaled(&multiple, times.checked_neg()?))
        };
        Some(ratios.into_iter().filter_map(subtracted).collect())
    }
}

/// The most factors of a term.
fn degree(polynomial: &Natural) -> u32 {
    let of_term = |(monomial, _): &(Monomial<u32>, i128)| monomial.factors().iter().map(|(_, power)| *power).sum();
    polynomial.terms().iter().map(of_term).max().unwrap_or(0)
}

/// Divides by the common divisor of the coefficients and rounds the constant down, which is exact for integers.
fn tightened(polynomial: &Natural) -> Option<Natural> {
    let content = polynomial.content();
    if content <= 1 {
        return Some(polynomial.clone());
    }
    let constant = polynomial.constant_term();
    let variables = polynomial.add_constant(constant.checked_neg()?)?.divide_coefficients(content)?;
    variables.add_constant(constant.floor_div(content))
}
