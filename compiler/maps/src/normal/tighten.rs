//! Turns conditions into ranges of atoms where that is exact.

use super::{AtomKind, Condition, NormalMap};
use crate::arithmetic::{self, Sign, divide_exactly};
use crate::{Affine, TermId};
use dims::Sym;

impl NormalMap<'_> {
    /// Moves conditions on single atoms into the ranges of those atoms, and bounds the leading digit of a number by
    /// the conditions on that number.
    ///
    /// Afterwards the valid points are still exactly those of the box of independent atoms at which all conditions
    /// hold. So a condition is dropped only if it holds in the whole box, or if the range of an independent atom
    /// implies it.
    pub(super) fn tighten(&mut self) {
        self.drop_conditions_of_the_box();
        let mut kept = Vec::with_capacity(self.conditions.len());
        for condition in std::mem::take(&mut self.conditions) {
            if !self.bound_single_atom(&condition, true) {
                kept.push(condition);
            }
        }
        self.conditions = kept;
        self.drop_conditions_of_the_box();
        for condition in self.conditions.clone() {
            self.bound_single_atom(&condition, false);
        }
        for base in 0..self.bases.len() {
            self.tighten_leading_digit(base);
        }
    }

    fn drop_conditions_of_the_box(&mut self) {
        let holds: Vec<bool> = self.conditions.iter().map(|condition| self.holds_in_box(condition)).collect();
        let mut holds = holds.into_iter();
        self.conditions.retain(|_| holds.next() != Some(true));
    }

    /// Whether the atom takes all its values for any values of the others.
    pub fn is_independent(&self, atom: TermId) -> bool {
        match self.atom(atom).map(|atom| &atom.kind) {
            Some(AtomKind::Coordinate(_)) => true,
            Some(AtomKind::Digit { base, .. }) => self.bases.get(*base).is_some_and(|base| base.of.is_none()),
            _ => false,
        }
    }

    /// Adds a condition on a single atom, whose independence must be as given, to the range of the atom. Returns
    /// whether the range now implies the condition.
    fn bound_single_atom(&mut self, condition: &Condition, independent: bool) -> bool {
        let [(term, factor)] = condition.value.terms.as_slice() else {
            return false;
        };
        let mirrored = match factor.as_constant() {
            Some(1) => false,
            Some(-1) => true,
            _ => return false,
        };
        if self.is_independent(*term) != independent {
            return false;
        }
        let shift = |bound: &Sym| bound.checked_sub(&condition.value.constant).ok();
        let low = condition.low.as_ref().and_then(shift);
        let last = condition.high.as_ref().and_then(shift).and_then(|high| high.checked_sub(&Sym::one()).ok());
        if low.is_none() != condition.low.is_none() || last.is_none() != condition.high.is_none() {
            return false;
        }
        let negated = |bound: &Option<Sym>| bound.as_ref().map(|bound| bound.checked_neg()).transpose();
        let (low, high) = if mirrored {
            let (Ok(low), Ok(high)) = (negated(&last), negated(&low)) else {
                return false;
            };
            (low, high)
        } else {
            (low, last)
        };
        let facts = self.facts;
        let Some(atom) = self.atoms.get_mut(term.0 as usize) else {
            return false;
        };
        add_bound(&mut atom.lows, low, |new, old| arithmetic::at_most(new, old, facts));
        add_bound(&mut atom.highs, high, |new, old| arithmetic::at_most(old, new, facts));
        true
    }

    /// From `Σ cutⱼ · digitⱼ < high` follows `digit < ⌈high / cut⌉` for the last cut.
    fn tighten_leading_digit(&mut self, base: usize) {
        let Some(base) = self.bases.get(base) else {
            return;
        };
        let (Some(cut), Some(digit)) = (base.cuts.last(), base.digits.last()) else {
            return;
        };
        let mut found = Vec::new();
        for condition in &self.conditions {
            let Some(high) = &condition.high else {
                continue;
            };
            let digits = base.cuts.iter().zip(&base.digits);
            let by_digits =
                condition.value.constant.is_zero() && condition.value.terms.len() == base.digits.len() && { digits }
                    .all(|(cut, digit)| condition.value.coefficient(*digit) == Some(cut));
            let same = by_digits || base.of.as_ref() == Some(&condition.value);
            if same && let Ok(end) = high.cdiv(cut, self.facts) {
                found.extend(end.checked_sub(&Sym::one()));
            }
        }
        let facts = self.facts;
        if let Some(atom) = self.atoms.get_mut(digit.0 as usize) {
            for high in found {
                add_bound(&mut atom.highs, Some(high), |new, old| arithmetic::at_most(old, new, facts));
            }
        }
    }

    /// The factor in `form = factor · part + rest`, where the rest has none of the atoms of the part; constants are
    /// ignored.
    pub fn contains(&self, form: &Affine, part: &Affine) -> Option<Sym> {
        let (first, unit) = part.terms.first()?;
        // A stride that may be zero for some sizes cannot be divided by.
        self.sign(unit)?;
        let factor = divide_exactly(form.coefficient(*first)?, unit, self.facts)?;
        let mut rest = part.terms.iter().skip(1);
        let fits = rest.all(|(term, unit)| {
            let product = unit.checked_mul(&factor).ok();
            product.is_some() && form.coefficient(*term) == product.as_ref()
        });
        (fits && arithmetic::sign(&factor, self.facts).is_some()).then_some(factor)
    }

    pub(super) fn sign(&self, value: &Sym) -> Option<Sign> {
        arithmetic::sign(value, self.facts)
    }
}

/// Adds a bound unless an old one is at least as tight, and drops the old ones that are weaker.
fn add_bound(bounds: &mut Vec<Sym>, new: Option<Sym>, weaker: impl Fn(&Sym, &Sym) -> bool) {
    let Some(new) = new else { return };
    if bounds.iter().any(|old| weaker(&new, old)) {
        return;
    }
    bounds.retain(|old| !weaker(old, &new));
    bounds.insert(0, new);
}
