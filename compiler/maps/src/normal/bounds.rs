//! Bounds of forms over atoms, at valid points.
//!
//! A sum has several upper bounds where an atom has several, or where a condition bounds a part of the sum as a
//! whole: whether `b·T + t < N` is tighter than the bound from `b < G` and `t < T` depends on the symbols. Callers
//! try each bound.

use super::{Condition, NormalMap};
use crate::arithmetic::{self, Sign};
use crate::{Affine, Range};
use dims::Sym;

/// More bounds than this are not worth trying.
const MOST_BOUNDS: usize = 8;

/// The most sets of conditions that are tried for one form, since the number of subsets is exponential.
const MOST_TRIES: u32 = 64;

/// The lower or the upper bound of a range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Low,
    High,
}

/// The bounds found so far, and how many sets of conditions may still be tried.
struct Tries<'a> {
    left: u32,
    found: &'a mut Vec<Sym>,
}

impl End {
    fn times(self, sign: Sign) -> End {
        match (self, sign) {
            (end, Sign::Positive) => end,
            (End::Low, Sign::Negative) => End::High,
            (End::High, Sign::Negative) => End::Low,
        }
    }
}

impl NormalMap<'_> {
    /// Upper bounds of the form at valid points; those that use conditions come first.
    pub fn upper_bounds(&self, form: &Affine) -> Vec<Sym> {
        let mut found = Vec::new();
        self.by_conditions(form, End::High, 0, &mut Tries { left: MOST_TRIES, found: &mut found });
        found
    }

    /// Lower bounds of the form at valid points.
    pub fn lower_bounds(&self, form: &Affine) -> Vec<Sym> {
        let mut found = Vec::new();
        self.by_conditions(form, End::Low, 0, &mut Tries { left: MOST_TRIES, found: &mut found });
        found
    }

    /// The bounds of a form from the ranges of its atoms alone, without any condition.
    pub(super) fn range_in_box(&self, form: &Affine) -> Range {
        let end = |end: End| {
            let mut found = Vec::new();
            self.by_atoms(form, end, &mut found);
            found.into_iter().next()
        };
        Range { low: end(End::Low), high: end(End::High) }
    }

    /// Whether a condition follows from the ranges of the atoms alone, without any other condition.
    pub fn holds_in_box(&self, condition: &Condition) -> bool {
        let ends = |end: End| {
            let mut found = Vec::new();
            self.by_atoms(&condition.value, end, &mut found);
            found
        };
        let facts = self.facts;
        condition
            .low
            .as_ref()
            .is_none_or(|low| ends(End::Low).iter().any(|least| arithmetic::at_most(low, least, facts)))
            && condition
                .high
                .as_ref()
                .is_none_or(|high| ends(End::High).iter().any(|most| arithmetic::less(most, high, facts)))
    }

    /// Bounds that use any subset of the conditions from `from` on, each for a part of the form.
    fn by_conditions(&self, form: &Affine, end: End, from: usize, tries: &mut Tries<'_>) {
        for (number, condition) in self.conditions.iter().enumerate().skip(from) {
            if tries.found.len() >= MOST_BOUNDS || tries.left == 0 {
                return self.by_atoms(form, end, tries.found);
            }
            let Some(factor) = self.contains(form, &condition.value) else {
                continue;
            };
            let Some(sign) = self.sign(&factor) else {
                continue;
            };
            let bound = match end.times(sign) {
                End::Low => condition.low.clone(),
                End::High => condition.high.as_ref().and_then(|high| high.checked_sub(&Sym::one()).ok()),
            };
            let rest = bound.and_then(|bound| {
                let constant = Affine::constant(bound).checked_sub(&condition.value).ok()?;
                form.checked_add(&constant.checked_scale(&factor).ok()?).ok()
            });
            if let Some(rest) = rest {
                tries.left = tries.left.saturating_sub(1);
                self.by_conditions(&rest, end, number + 1, tries);
            }
        }
        self.by_atoms(form, end, tries.found);
    }

    fn by_atoms(&self, form: &Affine, end: End, found: &mut Vec<Sym>) {
        let mut sums = vec![form.constant.clone()];
        for (term, coefficient) in &form.terms {
            let (Some(atom), Some(sign)) = (self.atom(*term), self.sign(coefficient)) else {
                return;
            };
            let bounds = match end.times(sign) {
                End::Low => &atom.lows,
                End::High => &atom.highs,
            };
            let mut next = Vec::with_capacity(sums.len() * bounds.len());
            for bound in bounds {
                let Ok(product) = bound.checked_mul(coefficient) else {
                    continue;
                };
                next.extend(sums.iter().filter_map(|sum| sum.checked_add(&product).ok()));
            }
            next.truncate(MOST_BOUNDS);
            sums = next;
        }
        for sum in sums {
            if found.len() < MOST_BOUNDS && !found.contains(&sum) {
                found.push(sum);
            }
        }
    }
}
