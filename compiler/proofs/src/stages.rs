//! Computed values that take every number of an interval for any values of the other coordinates.
//!
//! For a fixed row `i`, the column `j ^ f(i)` takes every value in `[0, L)` as `j` does, if `f(i) < 2ᵇ` and `2ᵇ`
//! divides `L` (T4); and so does `(j + f(i)) % L` if `j` takes at least `L` consecutive values. If `j` is used
//! nowhere else, such a value can replace it as an independent coordinate, which is what coverage needs. Swizzles and
//! cyclic shifts have this shape.

use super::coverage::{Coverage, Interval};
use dims::{CompareOp, Fact, Sym};
use maps::normal::{AtomKind, Base, NormalMap};
use maps::{Affine, TermId, arithmetic, xor_unit};

/// The atoms that count as independent although they are computed from others.
pub(super) struct Freed {
    /// For each atom the interval whose values it takes for any values of the others, if there is one.
    pub intervals: Vec<Option<Interval>>,
    /// For each condition whether the intervals already account for it.
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
    // Atoms depend on earlier ones, so one pass handles stages applied to the results of stages.
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

/// Facts under which an xor maps an interval of symbolic length to itself: `N % 8 == 0` for `j ^ (i % 8)` with `j <
/// N` (T4).
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
    /// How many forms each atom occurs in.
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

    /// Whether an atom is independent of the others and occurs in one form only.
    fn is_movable(&self, atom: TermId) -> bool {
        self.used(atom) == 1 && (self.freed.interval(atom).is_some() || self.normal.is_independent(atom))
    }

    fn coverage(&self) -> Coverage<'_> {
        Coverage::with(self.normal, self.freed.intervals.clone())
    }

    /// Frees the lowest digits of a coordinate, such as `i % 4` for `i < N`, if otherwise only one bound on the whole
    /// coordinate uses its digits and every combination of the lowest ones is within it.
    fn coordinate(&mut self, base: &Base) {
        let Some((bound, period)) = self.bounded_coordinate(base) else {
            return;
        };
        // Conditions on a single digit are part of its range and do not restrict the others.
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

    /// The only condition on the whole of a coordinate, and the cut above the highest digit that is used elsewhere;
    /// `None` if there are not exactly these.
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

    /// The interval whose values `moved ^ fixed` takes for every value of `fixed`.
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

    /// Frees the lowest digits of a base if no other digit is used and they take every combination of values.
    fn digits(&mut self, base: &Base) {
        let Some(of) = &base.of else { return };
        let Some(last) = base.digits.iter().rposition(|digit| self.used(*digit) > 0) else {
            return;
        };
        // If the leading digit is used, there is no period.
        let Some(period) = base.cuts.get(last + 1) else { return };
        if !self.fills_period(of, period) {
            return;
        }
        for ((digit, cut), next) in base.digits.iter().zip(&base.cuts).zip(base.cuts.iter().skip(1)).take(last + 1) {
            let radix = arithmetic::divide_exactly(next, cut, self.normal.facts);
            self.set(*digit, radix.and_then(|radix| below(&radix)));
        }
    }

    /// Whether `of % period` takes every value for any value of the fixed part of the sum.
    fn fills_period(&mut self, of: &Affine, period: &Sym) -> bool {
        let movable: Vec<_> = of.terms.iter().filter(|(atom, _)| self.is_movable(*atom)).cloned().collect();
        let alone: Vec<_> = movable.iter().map(|term| vec![term.clone()]).collect();
        // All movable terms together, or one alone with the others fixed.
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

/// How many forms each atom occurs in: lower coordinates, conditions, and the operands of used atoms.
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
    // An atom depends on earlier ones, so one backward pass finds everything.
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
