//! Values that take every number of an interval, whatever the other coordinates are.
//!
//! For a fixed row `i`, the column `j ^ f(i)` runs through `[0, L)` as `j` does, where `f(i) < 2ᵇ` and `2ᵇ` divides `L`
//! (T4); and `(j + f(i)) % L` runs through `[0, L)` where `j` runs through `L` consecutive numbers or more. Where `j` is
//! used for nothing else, such a value is as good as an independent coordinate: that is what coverage asks for. Swizzles
//! and cyclic shifts have this shape.

use super::coverage::{Coverage, Interval};
use crate::dims::{CompareOp, Fact, Sym};
use crate::maps::normal::{AtomKind, Base, NormalMap};
use crate::maps::{Affine, TermId, arithmetic, xor_unit};

/// For each atom the interval that it runs through whatever the others are, where it is computed from others and does;
/// and facts under which more would.
pub(super) fn free_atoms(normal: &NormalMap<'_>) -> (Vec<Option<Interval>>, Vec<Fact>) {
    let free = vec![None; normal.atoms.len()];
    let mut stages = Stages { normal, uses: uses(normal), free, missing: Vec::new() };
    // Atoms are made of earlier ones, so that what a stage moves may itself come out of one.
    for (number, atom) in normal.atoms.iter().enumerate() {
        if stages.uses.get(number) == Some(&0) {
            continue;
        }
        match &atom.kind {
            AtomKind::Coordinate(_) => {}
            AtomKind::Xor(left, right) => {
                let interval = stages.xor(left, right).or_else(|| stages.xor(right, left));
                stages.set(TermId(number as u32), interval);
            }
            AtomKind::Digit { base, .. } => {
                if let Some(base) = normal.bases.get(*base) {
                    stages.digits(base);
                }
            }
            AtomKind::Opaque { of, divisor, modulus: Some(modulus) } if divisor.as_constant() == Some(1) => {
                if stages.fills_period(of, modulus) {
                    stages.set(TermId(number as u32), below(modulus));
                }
            }
            AtomKind::Opaque { .. } => {}
        }
    }
    (stages.free, stages.missing)
}

/// Facts under which an xor leaves no interval of symbolic length: `N % 8 == 0` for `j ^ (i % 8)` with `j < N` (T4).
pub(super) fn alignments(normal: &NormalMap<'_>) -> Vec<Fact> {
    let facts = normal.facts;
    let aligned = |moved: &Affine, fixed: &Affine| {
        let unit = xor_unit(normal.upper_bounds(fixed).iter().filter_map(Sym::as_constant).min()?)?;
        let ends = normal.upper_bounds(moved).into_iter().filter(|high| high.as_constant().is_none());
        let facts = ends.filter_map(|high| {
            let remainder = high.checked_add(&Sym::one()).ok()?.checked_remainder(&unit, facts).ok()?;
            Some(Fact::compare(remainder, CompareOp::Eq, Sym::zero()))
        });
        Some(facts.collect::<Vec<Fact>>())
    };
    let mut found = Vec::new();
    for atom in &normal.atoms {
        if let AtomKind::Xor(left, right) = &atom.kind {
            found.extend(aligned(left, right).into_iter().chain(aligned(right, left)).flatten());
        }
    }
    found
}

struct Stages<'a> {
    normal: &'a NormalMap<'a>,
    /// How many forms each atom stands in.
    uses: Vec<u32>,
    free: Vec<Option<Interval>>,
    missing: Vec<Fact>,
}

impl Stages<'_> {
    fn set(&mut self, atom: TermId, interval: Option<Interval>) {
        if let Some(place) = self.free.get_mut(atom.0 as usize) {
            *place = interval;
        }
    }

    fn used(&self, atom: TermId) -> u32 {
        self.uses.get(atom.0 as usize).copied().unwrap_or(0)
    }

    /// Whether an atom takes its values whatever the others do, and stands in one form only.
    fn is_movable(&self, atom: TermId) -> bool {
        let free = self.free.get(atom.0 as usize).is_some_and(Option::is_some);
        self.used(atom) == 1 && (free || self.normal.is_independent(atom))
    }

    /// What `moved ^ fixed` runs through for every value of `fixed`.
    fn xor(&self, moved: &Affine, fixed: &Affine) -> Option<Interval> {
        if moved.terms.is_empty() || !moved.terms.iter().all(|(atom, _)| self.is_movable(*atom)) {
            return None;
        }
        let facts = self.normal.facts;
        let interval = Coverage::with(self.normal, self.free.clone()).of_form(moved)?;
        let length = interval.high.checked_add(&Sym::one()).ok()?;
        let greatest = self.normal.upper_bounds(fixed).iter().filter_map(Sym::as_constant).min()?;
        let natural = self.normal.lower_bounds(fixed).iter().any(|low| facts.never_negative(low));
        let unit = xor_unit(greatest)?;
        let stays = interval.low.is_zero() && natural && arithmetic::divide_exactly(&length, &unit, facts).is_some();
        stays.then_some(interval)
    }

    /// Frees the lowest digits of a base, where no other is used and they take every combination of values.
    fn digits(&mut self, base: &Base) {
        let Some(of) = &base.of else { return };
        let Some(last) = base.digits.iter().rposition(|digit| self.used(*digit) > 0) else {
            return;
        };
        // Without a period the leading digit keeps all the rest of the sum.
        let Some(period) = base.cuts.get(last + 1) else { return };
        if !self.fills_period(of, period) {
            return;
        }
        for ((digit, cut), next) in base.digits.iter().zip(&base.cuts).zip(base.cuts.iter().skip(1)).take(last + 1) {
            let radix = arithmetic::divide_exactly(next, cut, self.normal.facts);
            self.set(*digit, radix.and_then(|radix| below(&radix)));
        }
    }

    /// Whether `of % period` takes every value whatever is fixed of the sum.
    fn fills_period(&mut self, of: &Affine, period: &Sym) -> bool {
        let movable: Vec<_> = of.terms.iter().filter(|(atom, _)| self.is_movable(*atom)).cloned().collect();
        let alone: Vec<_> = movable.iter().map(|term| vec![term.clone()]).collect();
        // All of them together, or one of them: the others then count as fixed.
        std::iter::once(movable).chain(alone).any(|terms| self.fills(terms, period))
    }

    fn fills(&mut self, terms: Vec<(TermId, Sym)>, period: &Sym) -> bool {
        if terms.is_empty() {
            return false;
        }
        let moved = Affine { constant: Sym::zero(), terms };
        let interval = Coverage::with(self.normal, self.free.clone()).of_form(&moved);
        let Some(length) = interval.and_then(|interval| interval.length()) else {
            return false;
        };
        let fills = arithmetic::at_most(period, &length, self.normal.facts);
        if !fills && (period.as_constant().is_none() || length.as_constant().is_none()) {
            self.missing.push(Fact::compare(period.clone(), CompareOp::Le, length).simplified());
        }
        fills
    }
}

fn below(end: &Sym) -> Option<Interval> {
    Some(Interval { low: Sym::zero(), high: end.checked_sub(&Sym::one()).ok()? })
}

/// How many forms each atom stands in: lower coordinates, conditions, and what atoms in use are made of.
fn uses(normal: &NormalMap<'_>) -> Vec<u32> {
    let mut uses = vec![0u32; normal.atoms.len()];
    let count = |form: &Affine, uses: &mut Vec<u32>| {
        for (term, _) in &form.terms {
            if let Some(number) = uses.get_mut(term.0 as usize) {
                *number = number.saturating_add(1);
            }
        }
    };
    normal.lower.iter().for_each(|form| count(form, &mut uses));
    normal.conditions.iter().for_each(|condition| count(&condition.value, &mut uses));
    let mut bases = vec![false; normal.bases.len()];
    // An atom is made of earlier ones, so one pass from the back finds everything.
    for (number, atom) in normal.atoms.iter().enumerate().rev() {
        if uses.get(number) == Some(&0) {
            continue;
        }
        match &atom.kind {
            AtomKind::Coordinate(_) => {}
            AtomKind::Xor(left, right) => {
                count(left, &mut uses);
                count(right, &mut uses);
            }
            AtomKind::Opaque { of, .. } => count(of, &mut uses),
            AtomKind::Digit { base, .. } => {
                let counted = bases.get_mut(*base).is_none_or(|counted| std::mem::replace(counted, true));
                let of = normal.bases.get(*base).and_then(|base| base.of.as_ref());
                if let Some(of) = of.filter(|_| !counted) {
                    count(of, &mut uses);
                }
            }
        }
    }
    uses
}
