//! Arithmetic of affine forms.

use super::{Affine, MapError, TermId};
use dims::Sym;

impl Affine {
    /// A constant: a form without terms.
    pub fn constant(value: Sym) -> Affine {
        Affine { constant: value, terms: Vec::new() }
    }

    /// One term with coefficient one.
    pub fn term(term: TermId) -> Affine {
        Affine { constant: Sym::zero(), terms: vec![(term, Sym::one())] }
    }

    /// The constant, if the form has no terms.
    pub fn as_constant(&self) -> Option<&Sym> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// The term, if the form is exactly that term with coefficient one.
    pub fn as_term(&self) -> Option<TermId> {
        match self.terms.as_slice() {
            [(term, coefficient)] if self.constant.is_zero() && coefficient.as_constant() == Some(1) => Some(*term),
            _ => None,
        }
    }

    /// The coefficient of a term; `None` where the term does not occur.
    pub fn coefficient(&self, term: TermId) -> Option<&Sym> {
        let place = self.terms.binary_search_by_key(&term, |(term, _)| *term).ok()?;
        self.terms.get(place).map(|(_, coefficient)| coefficient)
    }

    /// Every symbolic integer in the form.
    pub fn sizes(&self) -> impl Iterator<Item = &Sym> {
        std::iter::once(&self.constant).chain(self.terms.iter().map(|(_, coefficient)| coefficient))
    }

    /// The sum of two forms.
    pub fn checked_add(&self, other: &Affine) -> Result<Affine, MapError> {
        let constant = self.constant.checked_add(&other.constant)?;
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let next = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => left.next().cloned(),
                (None, Some(_)) => right.next().cloned(),
                (Some(first), Some(second)) if first.0 < second.0 => left.next().cloned(),
                (Some(first), Some(second)) if first.0 > second.0 => right.next().cloned(),
                (Some(first), Some(second)) => {
                    let sum = (first.0, first.1.checked_add(&second.1)?);
                    left.next();
                    right.next();
                    Some(sum)
                }
            };
            terms.extend(next.filter(|(_, coefficient)| !coefficient.is_zero()));
        }
        Ok(Affine { constant, terms })
    }

    /// The form multiplied by a size.
    pub fn checked_scale(&self, factor: &Sym) -> Result<Affine, MapError> {
        if factor.as_constant() == Some(1) {
            return Ok(self.clone());
        }
        let constant = self.constant.checked_mul(factor)?;
        let mut terms = Vec::with_capacity(self.terms.len());
        for (term, coefficient) in &self.terms {
            let product = coefficient.checked_mul(factor)?;
            if !product.is_zero() {
                terms.push((*term, product));
            }
        }
        Ok(Affine { constant, terms })
    }

    /// A constant plus the sum of forms, each multiplied by a size.
    pub(crate) fn combination(mut constant: Sym, parts: &[(&Affine, &Sym)]) -> Result<Affine, MapError> {
        let mut found = Vec::with_capacity(parts.iter().map(|(form, _)| form.terms.len()).sum());
        for (form, factor) in parts {
            let scaled = form.checked_scale(factor)?;
            constant = constant.checked_add(&scaled.constant)?;
            found.extend(scaled.terms);
        }
        found.sort_by_key(|(term, _)| *term);
        let mut terms: Vec<(TermId, Sym)> = Vec::with_capacity(found.len());
        for (term, coefficient) in found {
            match terms.last_mut() {
                Some((last, sum)) if *last == term => *sum = sum.checked_add(&coefficient)?,
                _ => terms.push((term, coefficient)),
            }
        }
        terms.retain(|(_, coefficient)| !coefficient.is_zero());
        Ok(Affine { constant, terms })
    }

    /// The difference of two forms.
    pub fn checked_sub(&self, other: &Affine) -> Result<Affine, MapError> {
        self.checked_add(&other.checked_scale(&Sym::constant(-1))?)
    }

    /// The form with a size added.
    pub fn checked_offset(&self, offset: &Sym) -> Result<Affine, MapError> {
        Ok(Affine { constant: self.constant.checked_add(offset)?, terms: self.terms.clone() })
    }
}
