//! Values that take every number of an interval, whatever the other coordinates are.
//!
//! For a fixed row `i`, the column `j ^ f(i)` runs through `[0, L)` as `j` does, where `f(i) < 2ᵇ` and `2ᵇ` divides `L`
//! (T4); and `(j + f(i)) % L` runs through `[0, L)` where `j` runs through `L` consecutive numbers or more. Where `j` is
//! used for nothing else, such a value is as good as an independent coordinate: that is what coverage asks for. Swizzles
//! and cyclic shifts have this shape.

use super::coverage::{Coverage, Interval};
use dims::{CompareOp, Fact, Sym};
use maps::normal::{AtomKind, Base, NormalMap};
use maps::{Affine, TermId, arithmetic, xor_unit};

/// What counts as independent although it is computed from others.
pub(super) struct Freed {
    /// For each atom the interval that it runs through whatever the others are, where it does.
    pub intervals: Vec<Option<Interval>>,
    /// For each condition whether it is accounted for by that.
    pub conditions: Vec<bool>,
    /// Facts under which more would be independent.
    pub missing: Vec<Fact>,
}

impl Freed {
    fn interval(&self, atom: TermId) -> Option<&Interval> {
        self.intervals.get(atom.0 as usize)?.as_ref()
    }
}

/// Finds the stages of a map.
pub(super) fn freed(normal: &NormalMap<'_>) -> Freed {
    let (intervals, conditions) = (vec![None; normal.atoms.len()], vec![false; normal.conditions.len()]);
    let freed = Freed { intervals, conditions, missing: Vec::new() };
    let mut stages = Stages { normal, uses: uses(normal), freed };
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
            AtomKind::Digit { base, .. } => match normal.bases.get(*base) {
                Some(base) if base.of.is_some() => stages.digits(base),
                Some(base) if base.digits.first() == Some(&TermId(number as u32)) => stages.coordinate(base),
                _ => {}
            },
            AtomKind::Opaque { of, divisor, modulus: Some(modulus) } if divisor.as_constant() == Some(1) => {
                if stages.fills_period(of, modulus) {
                    stages.set(TermId(number as u32), below(modulus));
                }
            }
            AtomKind::Opaque { .. } => {}
        }
    }
    stages.freed
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
    freed: Freed,
}

impl Stages<'_> {
    fn set(&mut self, atom: TermId, interval: Option<Interval>) {
        if let Some(place) = self.freed.intervals.get_mut(atom.0 as usize) {
            *place = interval;
        }
    }

    fn used(&self, atom: TermId) -> u32 {
        self.uses.get(atom.0 as usize).copied().unwrap_or(0)
    }

    /// Whether an atom takes its values whatever the others do, and stands in one form only.
    fn is_movable(&self, atom: TermId) -> bool {
        self.used(atom) == 1 && (self.freed.interval(atom).is_some() || self.normal.is_independent(atom))
    }

    fn coverage(&self) -> Coverage<'_> {
        Coverage::with(self.normal, self.freed.intervals.clone())
    }

    /// Frees the lowest digits of a coordinate of which nothing else is used but one bound of the whole, where that
    /// leaves every combination of them: `i % 4` for `i < N`.
    fn coordinate(&mut self, base: &Base) {
        let Some((bound, period)) = self.bounded_coordinate(base) else {
            return;
        };
        // Conditions on a single digit are in its range, and leave the others alone.
        let intervals: Option<Vec<Interval>> =
            base.digits.iter().map(|digit| self.coverage().of_atom(*digit)).collect();
        let Some(intervals) = intervals else { return };
        let Some(condition) = self.normal.conditions.get(bound) else { return };
        let facts = self.normal.facts;
        let (Some(high), Some(leading), Some(cut)) = (&condition.high, intervals.last(), base.cuts.last()) else {
            return;
        };
        let low = condition.low.clone().unwrap_or_else(Sym::zero);
        let end = leading.high.checked_add(&Sym::one()).and_then(|end| end.checked_mul(cut));
        let radix =
            |position: usize| arithmetic::divide_exactly(base.cuts.get(position + 1)?, base.cuts.get(position)?, facts);
        let whole = |(position, interval): (usize, &Interval)| {
            interval.low.is_zero()
                && (position + 1 == intervals.len()
                    || radix(position).and_then(|radix| below(&radix)).is_some_and(|all| all.high == interval.high))
        };
        let above = intervals.iter().enumerate().skip_while(|(position, _)| base.cuts.get(*position) != Some(&period));
        let fills = facts.never_negative(&low)
            && above.into_iter().all(whole)
            && end.is_ok_and(|end| arithmetic::at_most(high, &end, facts));
        let Some(length) = high.checked_sub(&low).ok().filter(|_| fills) else {
            return;
        };
        if !arithmetic::at_most(&period, &length, facts) {
            if period.as_constant().is_none() || length.as_constant().is_none() {
                self.freed.missing.push(Fact::compare(period, CompareOp::Le, length).simplified());
            }
            return;
        }
        for ((digit, interval), _) in
            base.digits.iter().zip(intervals).zip(base.cuts.iter().take_while(|cut| **cut != period))
        {
            self.set(*digit, Some(interval));
        }
        if let Some(accounted) = self.freed.conditions.get_mut(bound) {
            *accounted = true;
        }
        for (term, _) in &condition.value.terms {
            if let Some(uses) = self.uses.get_mut(term.0 as usize) {
                *uses = uses.saturating_sub(1);
            }
        }
    }

    /// The one condition that is about the whole of a coordinate, and the cut above the highest digit that is used
    /// elsewhere, where there are such.
    fn bounded_coordinate(&self, base: &Base) -> Option<(usize, Sym)> {
        let is_whole = |value: &Affine| {
            value.constant.is_zero()
                && value.terms.len() == base.digits.len()
                && base.digits.iter().zip(&base.cuts).all(|(digit, cut)| value.coefficient(*digit) == Some(cut))
        };
        let mut bounds = self.normal.conditions.iter().enumerate().filter(|(_, condition)| is_whole(&condition.value));
        let ((bound, _), None) = (bounds.next()?, bounds.next()) else {
            return None;
        };
        let last = base.digits.iter().rposition(|digit| self.used(*digit) > 1)?;
        Some((bound, base.cuts.get(last + 1)?.clone()))
    }

    /// What `moved ^ fixed` runs through for every value of `fixed`.
    fn xor(&self, moved: &Affine, fixed: &Affine) -> Option<Interval> {
        if moved.terms.is_empty() || !moved.terms.iter().all(|(atom, _)| self.is_movable(*atom)) {
            return None;
        }
        let facts = self.normal.facts;
        let interval = self.coverage().of_form(moved)?;
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
        let interval = self.coverage().of_form(&moved);
        let Some(length) = interval.and_then(|interval| interval.length()) else {
            return false;
        };
        let fills = arithmetic::at_most(period, &length, self.normal.facts);
        if !fills && (period.as_constant().is_none() || length.as_constant().is_none()) {
            self.freed.missing.push(Fact::compare(period.clone(), CompareOp::Le, length).simplified());
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
