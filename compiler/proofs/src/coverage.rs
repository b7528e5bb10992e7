//! Which interval a sum over independent atoms fills without gaps (T3).
//!
//! The sums of `length` consecutive numbers and of consecutive multiples of a stride of at most `length` are
//! consecutive numbers again. Starting from the constant and adding the strides from the smallest up gives the
//! interval that a nested map covers, with symbols as well as with known strides. A condition on a part of the sum
//! cuts the interval of that part. Results of an xor or a remainder count as independent if they take every value of
//! their interval for any value of the rest.

use super::stages::{self, Freed};
use dims::{CompareOp, Fact, Sym};
use maps::arithmetic::{self, Sign};
use maps::normal::{AtomKind, Condition, NormalMap};
use maps::{Affine, TermId};

/// Consecutive numbers from `low` to `high`; empty where `high` is `low − 1`.
#[derive(Clone, Debug)]
pub(super) struct Interval {
    pub low: Sym,
    pub high: Sym,
}

impl Interval {
    /// How many numbers there are; `None` if it overflows 64 bits.
    pub(super) fn length(&self) -> Option<Sym> {
        self.high.checked_sub(&self.low).ok()?.checked_add(&Sym::one()).ok()
    }
}

/// Whether a condition without atoms holds. If it does not, no point is valid; no sum contains it, so it is checked
/// separately.
fn always_holds(condition: &Condition, normal: &NormalMap<'_>) -> bool {
    let Some(value) = condition.value.as_constant() else { return false };
    let facts = normal.facts;
    let is_below =
        |high: &Sym| value.checked_add(&Sym::one()).is_ok_and(|next| arithmetic::at_most(&next, high, facts));
    condition.low.as_ref().is_none_or(|low| arithmetic::at_most(low, value, facts))
        && condition.high.as_ref().is_none_or(is_below)
}

/// A part of a sum: `factor` times any number of an interval, independent of the other parts.
struct Part {
    factor: Sym,
    interval: Interval,
}

/// Finds intervals, and tracks which conditions and atoms the independence of parts relies on.
pub(super) struct Coverage<'a> {
    normal: &'a NormalMap<'a>,
    /// Conditions that have been taken into account.
    used_conditions: Vec<bool>,
    /// Atoms that have been used; using an atom twice would not be independent.
    used_atoms: Vec<bool>,
    /// The intervals of atoms that are computed from others but count as independent.
    free: Vec<Option<Interval>>,
    /// Facts under which a stride would have left no gap.
    missing: Vec<Fact>,
}

impl<'a> Coverage<'a> {
    pub(super) fn new(normal: &'a NormalMap<'a>) -> Coverage<'a> {
        let Freed { intervals, conditions, missing } = stages::freed(normal);
        let mut coverage = Coverage { missing, ..Coverage::with(normal, intervals) };
        coverage.used_conditions.iter_mut().zip(conditions).for_each(|(used, accounted)| *used |= accounted);
        coverage
    }

    /// The same with known intervals of computed atoms that count as independent.
    pub(super) fn with(normal: &'a NormalMap<'a>, free: Vec<Option<Interval>>) -> Coverage<'a> {
        Coverage {
            normal,
            free,
            missing: Vec::new(),
            used_conditions: normal.conditions.iter().map(|condition| always_holds(condition, normal)).collect(),
            used_atoms: vec![false; normal.atoms.len()],
        }
    }

    /// Whether valid points reach all of the intervals found so far: every condition has been used, and unused atoms
    /// have at least one value.
    pub(super) fn is_complete(&self) -> bool {
        let unused = self.used_atoms.iter().enumerate().filter(|(_, used)| !**used);
        self.used_conditions.iter().all(|used| *used)
            && unused.map(|(number, _)| TermId(number as u32)).filter(|atom| self.normal.is_independent(*atom)).all(
                |atom| {
                    self.of_atom(atom)
                        .is_some_and(|interval| arithmetic::at_most(&interval.low, &interval.high, self.normal.facts))
                },
            )
    }

    /// The comparisons of sizes that would have let forms fill an interval, but are not known to hold.
    pub(super) fn missing(self) -> Vec<Fact> {
        self.missing
    }

    /// The interval that a form fills. Marks the conditions and atoms it used.
    pub(super) fn of_form(&mut self, form: &Affine) -> Option<Interval> {
        let whole = self.normal.conditions.iter().enumerate().find(|(number, condition)| {
            self.used_conditions.get(*number) == Some(&false)
                && !condition.value.terms.is_empty()
                && condition.value.terms.len() == form.terms.len()
                && self.normal.contains(form, &condition.value).is_some()
        });
        if let Some((number, condition)) = whole {
            let factor = self.normal.contains(form, &condition.value)?;
            let part = self.of_condition(number, condition)?;
            // The form is `factor · value + constant`.
            let constant = form.constant.checked_sub(&condition.value.constant.checked_mul(&factor).ok()?).ok()?;
            return self.add_up(&constant, vec![Part { factor, interval: part }]);
        }
        let mut rest = form.clone();
        let mut parts = Vec::new();
        // Conditions on more atoms first: those on fewer may be nested in them.
        let mut order: Vec<usize> = (0..self.normal.conditions.len()).collect();
        let length = |number: &usize| self.normal.conditions.get(*number).map_or(0, |c| c.value.terms.len());
        order.sort_by_key(|number| std::cmp::Reverse(length(number)));
        for number in order {
            let Some(condition) = self.normal.conditions.get(number) else {
                continue;
            };
            if self.used_conditions.get(number) != Some(&false) || condition.value.terms.is_empty() {
                continue;
            }
            let Some(factor) = self.normal.contains(&rest, &condition.value) else {
                continue;
            };
            let interval = self.of_condition(number, condition)?;
            rest = rest.checked_sub(&condition.value.checked_scale(&factor).ok()?).ok()?;
            parts.push(Part { factor, interval });
        }
        for (atom, factor) in &rest.terms {
            self.prepare(*atom)?;
            let used = self.used_atoms.get_mut(atom.0 as usize)?;
            if std::mem::replace(used, true) {
                return None;
            }
            parts.push(Part { factor: factor.clone(), interval: self.of_atom(*atom)? });
        }
        self.add_up(&rest.constant, parts)
    }

    /// The interval of the value of a condition, cut to what the condition allows.
    fn of_condition(&mut self, number: usize, condition: &Condition) -> Option<Interval> {
        *self.used_conditions.get_mut(number)? = true;
        let mut interval = self.of_form(&condition.value)?;
        let facts = self.normal.facts;
        if let Some(low) = &condition.low {
            interval.low = Sym::checked_max(&interval.low, low, facts).ok()?;
        }
        if let Some(high) = &condition.high {
            interval.high = Sym::checked_min(&interval.high, &high.checked_sub(&Sym::one()).ok()?, facts).ok()?;
        }
        Some(interval)
    }

    /// Called before a digit of a sum is used: the digits are independent only if the sum takes every value that they
    /// can represent.
    fn prepare(&mut self, atom: TermId) -> Option<()> {
        let base = match &self.normal.atom(atom)?.kind {
            _ if self.free.get(atom.0 as usize).is_some_and(Option::is_some) => return Some(()),
            AtomKind::Coordinate(_) => return Some(()),
            AtomKind::Digit { base, .. } => self.normal.bases.get(*base)?,
            AtomKind::Xor(..) | AtomKind::Opaque { .. } => return None,
        };
        let Some(of) = &base.of else { return Some(()) };
        if base.digits.iter().any(|digit| self.used_atoms.get(digit.0 as usize) == Some(&true)) {
            // This was checked when the first digit was used.
            return Some(());
        }
        let interval = self.of_form(of)?;
        let leading = self.of_atom(*base.digits.last()?)?;
        let facts = self.normal.facts;
        let end = leading.high.checked_add(&Sym::one()).ok()?.checked_mul(base.cuts.last()?).ok()?;
        let reached = interval.high.checked_add(&Sym::one()).ok()?;
        // An empty leading digit would make the comparison vacuous.
        let all = leading.low.is_zero()
            && arithmetic::at_most(&leading.low, &leading.high, facts)
            && arithmetic::at_most(&interval.low, &Sym::zero(), facts)
            && arithmetic::at_most(&end, &reached, facts);
        all.then_some(())
    }

    /// The interval of an atom's values.
    pub(super) fn of_atom(&self, atom: TermId) -> Option<Interval> {
        if let Some(Some(interval)) = self.free.get(atom.0 as usize) {
            return Some(interval.clone());
        }
        let atom = self.normal.atom(atom)?;
        let facts = self.normal.facts;
        let mut low = atom.lows.first()?.clone();
        for other in atom.lows.iter().skip(1) {
            low = Sym::checked_max(&low, other, facts).ok()?;
        }
        let mut high = atom.highs.first()?.clone();
        for other in atom.highs.iter().skip(1) {
            high = Sym::checked_min(&high, other, facts).ok()?;
        }
        Some(Interval { low, high })
    }

    /// Adds parts in an order in which no stride leaves a gap.
    fn add_up(&mut self, constant: &Sym, mut parts: Vec<Part>) -> Option<Interval> {
        let facts = self.normal.facts;
        let mut sum = Interval { low: constant.clone(), high: constant.clone() };
        while !parts.is_empty() {
            let length = sum.length()?;
            let mut next = None;
            let mut gaps = Vec::new();
            for (number, part) in parts.iter().enumerate() {
                let sign = arithmetic::sign(&part.factor, facts)?;
                let stride = match sign {
                    Sign::Positive => part.factor.clone(),
                    Sign::Negative => part.factor.checked_neg().ok()?,
                };
                // An empty part makes the sum empty; with an exactly fitting stride the bounds of the sum show that
                // by themselves.
                let never_empty = || arithmetic::at_most(&part.interval.low, &part.interval.high, facts);
                if arithmetic::equal(&stride, &length, facts)
                    || (arithmetic::at_most(&stride, &length, facts) && never_empty())
                {
                    next = Some((number, sign));
                    break;
                }
                if stride.as_constant().is_none() || length.as_constant().is_none() {
                    gaps.push(Fact::compare(stride, CompareOp::Le, length.clone()).simplified());
                }
            }
            let Some((number, sign)) = next else {
                self.missing.extend(gaps);
                return None;
            };
            let Part { factor, interval } = parts.swap_remove(number);
            let (least, greatest) = match sign {
                Sign::Positive => (&interval.low, &interval.high),
                Sign::Negative => (&interval.high, &interval.low),
            };
            sum.low = sum.low.checked_add(&least.checked_mul(&factor).ok()?).ok()?;
            sum.high = sum.high.checked_add(&greatest.checked_mul(&factor).ok()?).ok()?;
        }
        Some(sum)
    }
}
