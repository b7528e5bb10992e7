//! Sums that determine both of their two parts.

use super::Search;
use crate::Affine;
use crate::arithmetic::{self, Sign, divide_exactly};
use dims::{CompareOp, Fact, Sym};

/// The most missing facts that are recorded.
const MOST_MISSING: usize = 16;

/// A sum `unit · whole + rest` with a rest in `low..low + unit`.
pub(super) struct Split {
    pub unit: Sym,
    pub whole: Affine,
    pub rest: Affine,
    pub low: Sym,
}

impl Search<'_, '_> {
    /// Finds a unit that splits the sum into two parts.
    pub(super) fn split(&mut self, form: &Affine) -> Option<Split> {
        let mut units: Vec<Sym> = Vec::new();
        for (_, coefficient) in &form.terms {
            let unit = match self.normal.sign(coefficient) {
                Some(Sign::Positive) => coefficient.clone(),
                Some(Sign::Negative) => coefficient.checked_neg().ok()?,
                None => continue,
            };
            if !units.contains(&unit) {
                units.push(unit);
            }
        }
        // The largest known stride first: T1 peels from the top.
        units.sort_by_key(|unit| std::cmp::Reverse(unit.as_constant()));
        let common = units.iter().filter_map(Sym::as_constant).fold(0, num_integer::gcd);
        if common > 1 && units.iter().all(|unit| unit.as_constant().is_some()) {
            units.push(Sym::constant(common));
        }
        for unit in units {
            self.attempts = self.attempts.saturating_sub(1);
            if self.attempts == 0 {
                return None;
            }
            if let Some(split) = self.split_by(form, unit) {
                return Some(split);
            }
        }
        None
    }

    fn split_by(&mut self, form: &Affine, unit: Sym) -> Option<Split> {
        let facts = self.normal.facts;
        let mut whole = Affine::constant(Sym::zero());
        let mut rest = Affine::constant(Sym::zero());
        for (term, coefficient) in &form.terms {
            match divide_exactly(coefficient, &unit, facts) {
                Some(quotient) => whole.terms.push((*term, quotient)),
                None => rest.terms.push((*term, coefficient.clone())),
            }
        }
        // Dividing by one changes nothing; a unit that divides nothing does not split.
        if whole.terms.is_empty() || (rest.terms.is_empty() && unit.as_constant() == Some(1)) {
            return None;
        }
        let low = self.within_one_period(&rest, &unit)?;
        Some(Split { unit, whole, rest, low })
    }

    /// The `low` of a period `low..low + unit` that contains all values of a form.
    pub(super) fn within_one_period(&mut self, form: &Affine, unit: &Sym) -> Option<Sym> {
        let facts = self.normal.facts;
        let (lows, highs) = (self.normal.lower_bounds(form), self.normal.upper_bounds(form));
        for low in &lows {
            let Ok(end) = low.checked_add(unit) else {
                continue;
            };
            if highs.iter().any(|high| arithmetic::less(high, &end, facts)) {
                return Some(low.clone());
            }
        }
        for (low, high) in lows.iter().flat_map(|low| highs.iter().map(move |high| (low, high))) {
            let length = high.checked_sub(low).and_then(|span| span.checked_add(&Sym::one()));
            let Ok(length) = length else { continue };
            let constant = length.as_constant().is_some() && unit.as_constant().is_some();
            if !constant && self.determined.missing.len() < MOST_MISSING {
                let fact = Fact::compare(length, CompareOp::Le, unit.clone()).simplified();
                if !self.determined.missing.contains(&fact) {
                    self.determined.missing.push(fact);
                }
            }
        }
        None
    }
}
