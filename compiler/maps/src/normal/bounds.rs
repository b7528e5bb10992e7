//! Bounds of forms over atoms, at valid points.
//!
//! A sum has several upper bounds where an atom has several, or where a condition bounds a part of the sum as a
//! whole: whether `b·T + t < N` is tighter than the bound from `b < G` and `t < T` depends on the symbols. Callers
//! try each bound.

use super::{Condition, NormalMap};
use crate::arithmetic::{self, Sign, divide_exactly};
use crate::{Affine, Range};
use dims::Sym;
use num_integer::Integer;

/// The most bounds that are tried.
const MOST_BOUNDS: usize = 8;

/// The most bounds by elimination, many of which are useless.
const MOST_BOUNDS_BY_ELIMINATION: usize = 32;

/// The most multiples of a form that are bounded.
const MOST_MULTIPLES: usize = 4;

/// The most sets of conditions that are tried for one form, since the number of subsets is exponential.
const MOST_TRIES: u32 = 64;

/// The lower or the upper bound of a range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Low,
    High,
}

/// The bounds found so far, how many are wanted, and how many sets of conditions may still be tried.
struct Tries {
    left: u32,
    most: usize,
    found: Vec<Sym>,
}

impl Tries {
    fn new(most: usize) -> Tries {
        Tries { left: MOST_TRIES, most, found: Vec::new() }
    }
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
        let mut tries = Tries::new(MOST_BOUNDS);
        self.by_conditions(form, End::High, 0, &mut tries);
        tries.found
    }

    /// Lower bounds of the form at valid points.
    pub fn lower_bounds(&self, form: &Affine) -> Vec<Sym> {
        let mut tries = Tries::new(MOST_BOUNDS);
        self.by_conditions(form, End::Low, 0, &mut tries);
        tries.found
    }

    /// More upper bounds, by conditions that compare a part of the form with another form: `j < t + 1` and `t < N`
    /// imply `j < N`, by what digits sum up to, and by conditions on multiples of the form: `128 * b + 4 * q + r < N` implies
    /// `32 * b + q < cdiv(N, 4)`. They take longer to find than [`NormalMap::upper_bounds`].
    pub fn upper_bounds_by_elimination(&self, form: &Affine) -> Vec<Sym> {
        self.eliminated(form, End::High)
    }

    /// The same for lower bounds.
    pub fn lower_bounds_by_elimination(&self, form: &Affine) -> Vec<Sym> {
        self.eliminated(form, End::Low)
    }

    fn eliminated(&self, form: &Affine, end: End) -> Vec<Sym> {
        let mut tries = Tries::new(MOST_BOUNDS_BY_ELIMINATION);
        let mut unused: Vec<Condition> = self.conditions.iter().cloned().chain(self.sums_of_digits()).collect();
        self.by_elimination(form, end, &mut unused, &mut tries);
        let mut found = tries.found;
        for factor in self.multiples(form, &unused) {
            let mut tries = Tries::new(MOST_BOUNDS);
            let by = Sym::constant(factor);
            let Ok(multiple) = form.checked_scale(&by) else { continue };
            self.by_elimination(&multiple, end, &mut unused, &mut tries);
            found.extend(tries.found.iter().filter_map(|bound| self.divided(bound, &by, end)));
        }
        found
    }

    /// The numbers by which a form may be multiplied so that a term of it has the coefficient that it has in a condition.
    fn multiples(&self, form: &Affine, conditions: &[Condition]) -> Vec<i64> {
        let mut found = Vec::new();
        for (term, own) in &form.terms {
            let others = conditions.iter().filter_map(|condition| condition.value.coefficient(*term));
            for factor in others.filter_map(|other| divide_exactly(other, own, self.facts)?.as_constant()) {
                let factor = factor.saturating_abs();
                if factor > 1 && !found.contains(&factor) && found.len() < MOST_MULTIPLES {
                    found.push(factor);
                }
            }
        }
        found
    }

    /// The bound of a form from that of a multiple of it.
    fn divided(&self, bound: &Sym, by: &Sym, end: End) -> Option<Sym> {
        let rounded = match end {
            End::High => bound.clone(),
            End::Low => bound.checked_add(&by.checked_sub(&Sym::one()).ok()?).ok()?,
        };
        rounded.checked_floor_div(by, self.facts).ok()
    }

    /// That each form which digits are cut from is the weighted sum of its digits: `128 * (e / 128) + e % 128 - e` is 0.
    fn sums_of_digits(&self) -> impl Iterator<Item = Condition> {
        self.bases.iter().filter_map(|base| {
            let mut value = Affine::constant(Sym::zero()).checked_sub(base.of.as_ref()?).ok()?;
            for (cut, digit) in base.cuts.iter().zip(&base.digits) {
                value = value.checked_add(&Affine::term(*digit).checked_scale(cut).ok()?).ok()?;
            }
            // A condition's constant is in its bounds.
            let bound = std::mem::replace(&mut value.constant, Sym::zero()).checked_neg().ok()?;
            let next = bound.checked_add(&Sym::one()).ok()?;
            Some(Condition { value, low: Some(bound), high: Some(next) })
        })
    }

    /// The bounds of a form from the ranges of its atoms alone, without any condition.
    pub(super) fn range_in_box(&self, form: &Affine) -> Range {
        let end = |end: End| {
            let mut found = Vec::new();
            self.by_atoms(form, end, MOST_BOUNDS, &mut found);
            found.into_iter().next()
        };
        Range { low: end(End::Low), high: end(End::High) }
    }

    /// Whether a condition follows from the ranges of the atoms alone, without any other condition.
    pub fn holds_in_box(&self, condition: &Condition) -> bool {
        let ends = |end: End| {
            let mut found = Vec::new();
            self.by_atoms(&condition.value, end, MOST_BOUNDS, &mut found);
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
    fn by_conditions(&self, form: &Affine, end: End, from: usize, tries: &mut Tries) {
        for (number, condition) in self.conditions.iter().enumerate().skip(from) {
            if tries.found.len() >= tries.most || tries.left == 0 {
                break;
            }
            let factor = self.contains(form, &condition.value);
            if let Some(rest) = factor.and_then(|factor| self.replaced(form, condition, &factor, end)) {
                tries.left = tries.left.saturating_sub(1);
                self.by_conditions(&rest, end, number + 1, tries);
            }
        }
        self.by_atoms(form, end, tries.most, &mut tries.found);
    }

    /// Bounds that replace an atom of the form by the form that a condition compares it with. No condition is used
    /// twice in one derivation.
    fn by_elimination(&self, form: &Affine, end: End, unused: &mut Vec<Condition>, tries: &mut Tries) {
        for (term, coefficient) in &form.terms {
            for number in 0..unused.len() {
                if tries.found.len() >= tries.most || tries.left == 0 {
                    return;
                }
                let condition = &unused[number];
                // A condition on a single atom has no replacement for it, and one within the form is used above.
                let unit = condition.value.coefficient(*term);
                let Some(unit) = unit.filter(|_| self.contains(form, &condition.value).is_none()) else { continue };
                let factor = divide_exactly(coefficient, unit, self.facts);
                let Some(rest) = factor.and_then(|factor| self.replaced(form, condition, &factor, end)) else {
                    continue;
                };
                tries.left = tries.left.saturating_sub(1);
                let used = unused.remove(number);
                self.by_conditions(&rest, end, 0, tries);
                self.by_elimination(&rest, end, unused, tries);
                unused.insert(number, used);
            }
        }
    }

    /// `form` with `factor` times the value of a condition replaced by its bound, which bounds the form on this side.
    /// `None` if the sign of the factor is not known, or the condition has no such bound.
    fn replaced(&self, form: &Affine, condition: &Condition, factor: &Sym, end: End) -> Option<Affine> {
        let bound = self.end_of(condition, end.times(self.sign(factor)?))?;
        let constant = Affine::constant(bound).checked_sub(&condition.value).ok()?;
        form.checked_add(&constant.checked_scale(factor).ok()?).ok()
    }

    /// The least or the greatest value that a condition allows its form. `4 * t < N` allows `N - 4` where `N` is a multiple of 4,
    /// too: a sum of multiples of a number is one itself.
    fn end_of(&self, Condition { value, low, high }: &Condition, end: End) -> Option<Sym> {
        let (bound, inwards) = match end {
            End::Low => (low.clone()?, 1),
            End::High => (high.as_ref()?.checked_sub(&Sym::one()).ok()?, -1),
        };
        let coefficients = value.terms.iter().flat_map(|(_, coefficient)| coefficient.terms());
        let mut step = coefficients.fold(0, |step: u64, (coefficient, _)| step.gcd(&coefficient.unsigned_abs()));
        // The next multiple beyond the bound, if it is one, is a step away from the one that is allowed.
        let beyond =
            bound.checked_sub(&value.constant).and_then(|bound| bound.checked_sub(&Sym::constant(inwards))).ok()?;
        while step > 1 {
            let by = Sym::constant(i64::try_from(step).ok()?);
            if self.facts.divides(&beyond, &by) {
                let distance = Sym::constant(by.as_constant()? - 1).checked_mul(&Sym::constant(inwards)).ok()?;
                return bound.checked_add(&distance).ok();
            }
            step = if step.is_multiple_of(2) { step / 2 } else { 1 };
        }
        Some(bound)
    }

    fn by_atoms(&self, form: &Affine, end: End, most: usize, found: &mut Vec<Sym>) {
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
            if found.len() < most && !found.contains(&sum) {
                found.push(sum);
            }
        }
    }
}
