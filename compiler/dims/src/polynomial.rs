//! Polynomials with exact integer coefficients over any ordered type of variable.
//!
//! The canonical form of a symbolic integer is a polynomial over atoms; the prover works with polynomials over
//! numbered variables. Both share this module. Every operation returns `None` where a coefficient would overflow 128
//! bits.

use std::cmp::Ordering;

use smallvec::{SmallVec, smallvec};

use super::integer::greatest_common_divisor;

/// Exact division gives up on quotients that would be longer than this.
const MOST_QUOTIENT_TERMS: usize = 1024;

/// A product of powers of variables, sorted by variable, every power at least one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Monomial<V> {
    /// Most have one: it takes no memory of its own.
    factors: SmallVec<[(V, u32); 1]>,
}

impl<V: Ord + Clone> Monomial<V> {
    /// The empty product.
    pub fn one() -> Self {
        Monomial { factors: SmallVec::new() }
    }

    pub fn variable(variable: V) -> Self {
        Monomial { factors: smallvec![(variable, 1)] }
    }

    pub fn is_one(&self) -> bool {
        self.factors.is_empty()
    }

    pub fn factors(&self) -> &[(V, u32)] {
        &self.factors
    }

    fn degree(&self) -> u64 {
        self.factors.iter().map(|(_, power)| u64::from(*power)).sum()
    }

    /// The only variable of a monomial that is a single variable to the first power.
    pub fn as_variable(&self) -> Option<&V> {
        match self.factors.as_slice() {
            [(variable, 1)] => Some(variable),
            _ => None,
        }
    }

    pub fn multiply(&self, other: &Self) -> Option<Self> {
        if self.is_one() {
            return Some(other.clone());
        }
        if other.is_one() {
            return Some(self.clone());
        }
        let mut factors = SmallVec::with_capacity(self.factors.len() + other.factors.len());
        let mut left = self.factors.iter().peekable();
        let mut right = other.factors.iter().peekable();
        loop {
            match (left.peek(), right.peek()) {
                (Some(l), Some(r)) => match l.0.cmp(&r.0) {
                    Ordering::Less => factors.extend(left.next().cloned()),
                    Ordering::Greater => factors.extend(right.next().cloned()),
                    Ordering::Equal => {
                        factors.push((l.0.clone(), l.1.checked_add(r.1)?));
                        left.next();
                        right.next();
                    }
                },
                (Some(_), None) => factors.extend(left.next().cloned()),
                (None, Some(_)) => factors.extend(right.next().cloned()),
                (None, None) => return Some(Monomial { factors }),
            }
        }
    }

    /// The exact quotient by `divisor`, if there is one.
    pub fn divide(&self, divisor: &Self) -> Option<Self> {
        let mut rest = divisor.factors.iter().peekable();
        let mut factors = SmallVec::with_capacity(self.factors.len());
        for (variable, power) in &self.factors {
            match rest.peek() {
                Some((other, other_power)) if other == variable => {
                    let left = power.checked_sub(*other_power)?;
                    if left > 0 {
                        factors.push((variable.clone(), left));
                    }
                    rest.next();
                }
                _ => factors.push((variable.clone(), *power)),
            }
        }
        if rest.peek().is_some() { None } else { Some(Monomial { factors }) }
    }

    /// The greatest monomial that divides both.
    pub fn common(&self, other: &Self) -> Self {
        let power_in = |variable: &V| {
            let found = other.factors.iter().find(|(candidate, _)| candidate == variable);
            found.map_or(0, |(_, power)| *power)
        };
        let factors = self.factors.iter().filter_map(|(variable, power)| {
            let shared = (*power).min(power_in(variable));
            (shared > 0).then(|| (variable.clone(), shared))
        });
        Monomial { factors: factors.collect() }
    }
}

/// Graded lexicographic order, the greater monomial first. It is compatible with multiplication, which exact division
/// relies on, and it puts the constant last, which printing relies on.
impl<V: Ord + Clone> Ord for Monomial<V> {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_degree = other.degree().cmp(&self.degree());
        if by_degree != Ordering::Equal {
            return by_degree;
        }
        for (left, right) in self.factors.iter().zip(&other.factors) {
            let order = left.0.cmp(&right.0).then(right.1.cmp(&left.1));
            if order != Ordering::Equal {
                return order;
            }
        }
        self.factors.len().cmp(&other.factors.len())
    }
}

impl<V: Ord + Clone> PartialOrd for Monomial<V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A sum of non-zero coefficients times distinct monomials, sorted, the leading term first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Polynomial<V: Ord + Clone> {
    terms: Vec<(Monomial<V>, i128)>,
}

impl<V: Ord + Clone> Polynomial<V> {
    pub fn zero() -> Self {
        Polynomial { terms: Vec::new() }
    }

    pub fn constant(value: i128) -> Self {
        Self::term(Monomial::one(), value)
    }

    pub fn variable(variable: V) -> Self {
        Self::term(Monomial::variable(variable), 1)
    }

    pub fn term(monomial: Monomial<V>, coefficient: i128) -> Self {
        if coefficient == 0 {
            return Self::zero();
        }
        Polynomial { terms: vec![(monomial, coefficient)] }
    }

    /// Collects terms in any order, adding up those of equal monomials.
    pub fn collect(mut terms: Vec<(Monomial<V>, i128)>) -> Option<Self> {
        terms.sort_by(|left, right| left.0.cmp(&right.0));
        let mut collected: Vec<(Monomial<V>, i128)> = Vec::with_capacity(terms.len());
        for (monomial, coefficient) in terms {
            match collected.last_mut() {
                Some((last, sum)) if *last == monomial => *sum = sum.checked_add(coefficient)?,
                _ => collected.push((monomial, coefficient)),
            }
        }
        collected.retain(|(_, coefficient)| *coefficient != 0);
        Some(Polynomial { terms: collected })
    }

    pub fn terms(&self) -> &[(Monomial<V>, i128)] {
        &self.terms
    }

    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The value of a polynomial without variables.
    pub fn as_constant(&self) -> Option<i128> {
        match self.terms.as_slice() {
            [] => Some(0),
            [(monomial, value)] if monomial.is_one() => Some(*value),
            _ => None,
        }
    }

    /// The term without variables, zero if there is none.
    pub fn constant_term(&self) -> i128 {
        match self.terms.last() {
            Some((monomial, value)) if monomial.is_one() => *value,
            _ => 0,
        }
    }

    /// The terms with variables.
    pub fn variable_terms(&self) -> &[(Monomial<V>, i128)] {
        match self.terms.split_last() {
            Some(((monomial, _), rest)) if monomial.is_one() => rest,
            _ => &self.terms,
        }
    }

    /// The coefficient of a monomial, zero if it does not occur.
    pub fn coefficient(&self, monomial: &Monomial<V>) -> i128 {
        let found = self.terms.binary_search_by(|(candidate, _)| candidate.cmp(monomial));
        found.map_or(0, |index| self.terms[index].1)
    }

    pub fn add(&self, other: &Self) -> Option<Self> {
        self.add_scaled(other, 1)
    }

    pub fn subtract(&self, other: &Self) -> Option<Self> {
        self.add_scaled(other, -1)
    }

    /// This polynomial plus `factor` times another.
    pub fn add_scaled(&self, other: &Self, factor: i128) -> Option<Self> {
        if factor == 0 {
            return Some(self.clone());
        }
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let mut left = self.terms.iter().peekable();
        let mut right = other.terms.iter().peekable();
        loop {
            let order = match (left.peek(), right.peek()) {
                (Some(l), Some(r)) => l.0.cmp(&r.0),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return Some(Polynomial { terms }),
            };
            let (mut monomial, mut sum) = (None, 0i128);
            if order != Ordering::Greater
                && let Some((own, coefficient)) = left.next()
            {
                monomial = Some(own);
                sum = *coefficient;
            }
            if order != Ordering::Less
                && let Some((theirs, coefficient)) = right.next()
            {
                monomial = Some(theirs);
                sum = sum.checked_add(coefficient.checked_mul(factor)?)?;
            }
            if let Some(monomial) = monomial
                && sum != 0
            {
                terms.push((monomial.clone(), sum));
            }
        }
    }

    pub fn add_constant(&self, value: i128) -> Option<Self> {
        let sum = self.constant_term().checked_add(value)?;
        let variable_terms = self.variable_terms();
        let mut terms = Vec::with_capacity(variable_terms.len() + 1);
        terms.extend_from_slice(variable_terms);
        if sum != 0 {
            terms.push((Monomial::one(), sum));
        }
        Some(Polynomial { terms })
    }

    pub fn scale(&self, factor: i128) -> Option<Self> {
        if factor == 0 {
            return Some(Self::zero());
        }
        self.map_coefficients(|coefficient| coefficient.checked_mul(factor))
    }

    pub fn negate(&self) -> Option<Self> {
        self.scale(-1)
    }

    pub fn multiply(&self, other: &Self) -> Option<Self> {
        let mut terms = Vec::with_capacity(self.terms.len() * other.terms.len());
        for (left, left_coefficient) in &self.terms {
            for (right, right_coefficient) in &other.terms {
                terms.push((left.multiply(right)?, left_coefficient.checked_mul(*right_coefficient)?));
            }
        }
        Self::collect(terms)
    }

    pub fn multiply_monomial(&self, monomial: &Monomial<V>, factor: i128) -> Option<Self> {
        if factor == 0 {
            return Some(Self::zero());
        }
        let mut terms = Vec::with_capacity(self.terms.len());
        for (own, coefficient) in &self.terms {
            // The order is compatible with multiplication, so the terms stay sorted.
            terms.push((own.multiply(monomial)?, coefficient.checked_mul(factor)?));
        }
        Some(Polynomial { terms })
    }

    /// Divides every coefficient by a common divisor.
    pub fn divide_coefficients(&self, divisor: i128) -> Option<Self> {
        self.map_coefficients(|coefficient| coefficient.checked_div(divisor))
    }

    fn map_coefficients(&self, map: impl Fn(i128) -> Option<i128>) -> Option<Self> {
        let mut terms = self.terms.clone();
        for (_, coefficient) in &mut terms {
            *coefficient = map(*coefficient)?;
        }
        Some(Polynomial { terms })
    }

    /// Splits the terms in two by a predicate.
    pub fn partition(&self, mut take: impl FnMut(&Monomial<V>, i128) -> bool) -> (Self, Self) {
        let (mut taken, mut left) = (Vec::new(), Vec::new());
        for term in &self.terms {
            if take(&term.0, term.1) { taken.push(term.clone()) } else { left.push(term.clone()) }
        }
        (Polynomial { terms: taken }, Polynomial { terms: left })
    }

    /// The exact quotient by `divisor`, if there is one with integer coefficients and few enough terms.
    pub fn divide_exactly(&self, divisor: &Self) -> Option<Self> {
        let (leading, leading_coefficient) = divisor.terms.first()?;
        let mut rest = self.clone();
        let mut quotient = Vec::new();
        while let Some((monomial, coefficient)) = rest.terms.first() {
            if quotient.len() > MOST_QUOTIENT_TERMS {
                return None;
            }
            let factor = monomial.divide(leading)?;
            if coefficient.checked_rem(*leading_coefficient)? != 0 {
                return None;
            }
            let scale = coefficient.checked_div(*leading_coefficient)?;
            rest = rest.subtract(&divisor.multiply_monomial(&factor, scale)?)?;
            quotient.push((factor, scale));
        }
        Self::collect(quotient)
    }

    /// The greatest common divisor of the coefficients of the terms with variables; zero if there are none.
    pub fn content(&self) -> i128 {
        self.variable_terms().iter().fold(0, |divisor, (_, coefficient)| greatest_common_divisor(divisor, *coefficient))
    }
}
