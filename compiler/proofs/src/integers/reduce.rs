//! Reduction of a system: deduces conditions until nothing more follows.

use num_integer::Integer;
use smallvec::{SmallVec, smallvec};

use super::growing::Growth;
use super::{Linear, Steps, Stop, System, Variable};
use dims::Interval;

/// The most rounds in which only bounds change: some never converge (`x < y`, `y < x` without bounds).
const MOST_ROUNDS_OF_BOUNDS: u32 = 16;

impl System {
    /// Reduces the system.
    pub(super) fn reduce(&mut self, steps: &mut Steps<'_>) -> Result<(), Stop> {
        let mut rounds = 0;
        loop {
            let size = |forms: &[Linear]| forms.iter().map(|form| 1 + form.terms.len()).sum::<usize>();
            let related = 3 * self.xors.len() + self.growths.len() * (1 + self.not_negative.len());
            steps.spend(size(&self.zero) + size(&self.not_negative) + related)?;
            self.bound_growths()?;
            self.normalise()?;
            let bounded = self.propagate()?;
            self.substitute_known_values()?;
            self.undo_xors()?;
            self.decide_differences()?;
            let changed = self.split_equations()? || self.eliminate()?;
            rounds = if changed { 0 } else { rounds + 1 };
            if !changed && (!bounded || rounds > MOST_ROUNDS_OF_BOUNDS) {
                return Ok(());
            }
        }
    }

    /// Divides by common factors, and drops conditions that always hold.
    fn normalise(&mut self) -> Result<(), Stop> {
        for form in &mut self.zero {
            match form.common_factor() {
                0 if form.constant != 0 => return Err(Stop::Empty),
                0 | 1 => {}
                common if form.constant % common != 0 => return Err(Stop::Empty),
                common => form.divide(common),
            }
        }
        self.zero.retain(|form| !form.terms.is_empty());
        for form in &mut self.not_negative {
            match form.common_factor() {
                0 if form.constant < 0 => return Err(Stop::Empty),
                0 | 1 => {}
                common => form.divide(common),
            }
        }
        let ranges = &self.ranges;
        let interval = |form: &Linear| {
            form.interval(|variable| ranges.get(variable as usize).copied().unwrap_or(Interval::EVERYTHING))
        };
        self.not_negative.retain(|form| interval(form).lo.is_none_or(|lo| lo < 0));
        self.zero.sort_unstable_by(|left, right| (&left.terms, left.constant).cmp(&(&right.terms, right.constant)));
        self.zero.dedup();
        self.not_negative
            .sort_unstable_by(|left, right| (&left.terms, left.constant).cmp(&(&right.terms, right.constant)));
        // Of two with the same sum, the one with the smaller constant is stronger.
        self.not_negative.dedup_by(|later, kept| later.terms == kept.terms);
        Ok(())
    }

    /// Narrows the ranges of variables. Returns whether any changed.
    fn propagate(&mut self) -> Result<bool, Stop> {
        let mut changed = false;
        let mut ranges = std::mem::take(&mut self.ranges);
        let both = self.zero.iter().map(|form| (form, true)).chain(self.not_negative.iter().map(|form| (form, false)));
        for (form, equation) in both {
            changed |= narrow(form, equation, &mut ranges)?;
        }
        self.ranges = ranges;
        Ok(changed)
    }

    /// Substitutes the variables that have only one value.
    fn substitute_known_values(&mut self) -> Result<(), Stop> {
        let ranges = std::mem::take(&mut self.ranges);
        let known = |variable: Variable| match ranges.get(variable as usize) {
            Some(Interval { lo: Some(lo), hi: Some(hi) }) if lo == hi => Some(*lo),
            _ => None,
        };
        let forms = [&mut self.zero, &mut self.not_negative, &mut self.not_zero].into_iter().flatten();
        for form in forms.chain(self.xors.iter_mut().flatten()).chain(self.growths.iter_mut().flat_map(Growth::forms)) {
            if form.terms.iter().any(|(variable, _)| known(*variable).is_some()) {
                *form = form.with_values(known).ok_or(Stop::Open)?;
            }
        }
        self.ranges = ranges;
        Ok(())
    }

    /// Two exclusive ors that share two numbers have the same third number.
    fn undo_xors(&mut self) -> Result<(), Stop> {
        let mut kept: Vec<[Linear; 3]> = Vec::with_capacity(self.xors.len());
        for forms in std::mem::take(&mut self.xors) {
            let [left, right, found] = &forms;
            let known = forms.each_ref().map(|form| form.as_constant());
            let third = |one: i128, other: i128, form: &Linear| {
                if one < 0 || other < 0 { Err(Stop::Empty) } else { form.offset(-(one ^ other)).ok_or(Stop::Open) }
            };
            let zero = match known {
                [Some(one), Some(other), _] => Some(third(one, other, found)?),
                [Some(one), _, Some(other)] => Some(third(one, other, right)?),
                [_, Some(one), Some(other)] => Some(third(one, other, left)?),
                [Some(0), ..] => Some(found.plus(-1, right).ok_or(Stop::Open)?),
                [_, Some(0), _] => Some(found.plus(-1, left).ok_or(Stop::Open)?),
                [.., Some(0)] => Some(left.plus(-1, right).ok_or(Stop::Open)?),
                _ if left == right => Some(found.clone()),
                _ if left == found => Some(right.clone()),
                _ if right == found => Some(left.clone()),
                _ => None,
            };
            if let Some(zero) = zero {
                self.zero.push(zero);
                continue;
            }
            let mut same = false;
            for known in &kept {
                if let Some((one, other)) = thirds(known, &forms) {
                    self.zero.push(one.plus(-1, other).ok_or(Stop::Open)?);
                    same = true;
                    break;
                }
            }
            if !same {
                kept.push(forms);
            }
        }
        self.xors = kept;
        Ok(())
    }

    /// Drops the differences that are never 0, and turns those with a known sign into inequalities.
    fn decide_differences(&mut self) -> Result<(), Stop> {
        for form in std::mem::take(&mut self.not_zero) {
            let interval = self.interval(&form);
            match (interval.lo, interval.hi) {
                (Some(0), Some(0)) => return Err(Stop::Empty),
                (Some(lo), _) if lo > 0 => {}
                (_, Some(hi)) if hi < 0 => {}
                (Some(0), _) => self.not_negative.push(form.offset(-1).ok_or(Stop::Open)?),
                (_, Some(0)) => {
                    let turned = form.times(-1).and_then(|form| form.offset(-1));
                    self.not_negative.push(turned.ok_or(Stop::Open)?);
                }
                _ => self.not_zero.push(form),
            }
        }
        Ok(())
    }

    /// Splits equations `unit · whole + rest = 0` where the range of the rest contains only one multiple of the unit:
    /// then both parts are known (T1). Returns whether there was one.
    fn split_equations(&mut self) -> Result<bool, Stop> {
        let mut changed = false;
        let mut left = std::mem::take(&mut self.zero);
        while let Some(form) = left.pop() {
            match self.split(&form)? {
                Some(parts) => {
                    left.extend(parts);
                    changed = true;
                }
                None => self.zero.push(form),
            }
        }
        Ok(changed)
    }

    fn split(&self, form: &Linear) -> Result<Option<[Linear; 2]>, Stop> {
        let mut units: Vec<i128> = form.terms.iter().map(|(_, factor)| factor.abs()).filter(|unit| *unit > 1).collect();
        units.sort_unstable();
        units.dedup();
        for unit in units.into_iter().rev() {
            let (whole, rest): (Vec<_>, Vec<_>) =
                form.terms.iter().copied().partition(|(_, factor)| factor % unit == 0);
            if rest.is_empty() || whole.is_empty() {
                continue;
            }
            let rest = Linear { constant: form.constant, terms: rest };
            let Interval { lo: Some(lo), hi: Some(hi) } = self.interval(&rest) else { continue };
            let (first, last) = (Integer::div_ceil(&lo, &unit), Integer::div_floor(&hi, &unit));
            if first > last {
                return Err(Stop::Empty);
            }
            if first < last {
                continue;
            }
            let terms = whole.into_iter().map(|(variable, factor)| (variable, factor / unit)).collect();
            let whole = Linear { constant: first, terms };
            let rest = first.checked_mul(-unit).and_then(|by| rest.offset(by)).ok_or(Stop::Open)?;
            return Ok(Some([whole, rest]));
        }
        Ok(None)
    }

    /// Eliminates a variable by an equation. Returns whether there was an equation.
    fn eliminate(&mut self) -> Result<bool, Stop> {
        // A short equation with small factors enlarges the others least.
        let effort = |form: &Linear| (form.terms.iter().map(|(_, factor)| factor.abs()).min(), form.terms.len());
        let Some(place) = (0..self.zero.len()).min_by_key(|place| self.zero.get(*place).map(effort)) else {
            return Ok(false);
        };
        let form = self.zero.swap_remove(place);
        let least = form.terms.iter().map(|(_, factor)| factor.abs()).min().unwrap_or(1);
        let candidates = form.terms.iter().filter(|(_, factor)| factor.abs() == least);
        // The variable with the widest range loses the least information.
        let width = |variable: Variable| match self.range(variable) {
            Interval { lo: Some(lo), hi: Some(hi) } => hi.saturating_sub(lo),
            _ => i128::MAX,
        };
        let Some(&(variable, factor)) = candidates.max_by_key(|(variable, _)| width(*variable)) else {
            return Ok(true);
        };
        let value = if least == 1 {
            // factor · variable + rest = 0, so variable = −factor · rest.
            let rest = Linear { terms: without(&form, variable), ..form };
            rest.times(-factor).ok_or(Stop::Open)?
        } else {
            let found = self.with_smaller_factors(&form, variable, factor).ok_or(Stop::Open)?;
            self.zero.push(form);
            found
        };
        self.replace(variable, value).ok_or(Stop::Open)?;
        Ok(true)
    }

    /// The value of the variable with the least factor of an equation, in terms of a fresh variable: with `m =
    /// |factor| + 1`, reducing all factors modulo `m` into `−m/2..m/2` leaves ∓1 for the variable, and the sum is a
    /// multiple of `m` (Pugh). This shrinks the other factors of the equation.
    fn with_smaller_factors(&mut self, form: &Linear, variable: Variable, factor: i128) -> Option<Linear> {
        let modulus = factor.checked_abs()?.checked_add(1)?;
        let near = |value: i128| {
            let rest = value.rem_euclid(modulus);
            if rest < modulus - rest { rest } else { rest - modulus }
        };
        let terms = without(form, variable).into_iter().map(|(other, factor)| (other, near(factor)));
        let terms = terms.filter(|(_, factor)| *factor != 0).collect();
        let rest = Linear { constant: near(form.constant), terms };
        let multiple = Linear::variable(self.variable(Interval::EVERYTHING));
        rest.plus(-modulus, &multiple)?.times(factor.signum())
    }

    /// Replaces a variable everywhere; its range becomes conditions on the replacement.
    fn replace(&mut self, variable: Variable, by: Linear) -> Option<()> {
        for forms in [&mut self.zero, &mut self.not_negative, &mut self.not_zero] {
            for form in forms.iter_mut().filter(|form| form.factor(variable) != 0) {
                *form = form.replaced(variable, &by)?;
            }
        }
        let nested = self.xors.iter_mut().flatten().chain(self.growths.iter_mut().flat_map(Growth::forms));
        for form in nested.filter(|form| form.factor(variable) != 0) {
            *form = form.replaced(variable, &by)?;
        }
        let range = self.range(variable);
        if let Some(lo) = range.lo {
            self.not_negative.push(by.offset(lo.checked_neg()?)?);
        }
        if let Some(hi) = range.hi {
            self.not_negative.push(by.times(-1)?.offset(hi)?);
        }
        self.eliminated.push((variable, by));
        Some(())
    }
}

fn without(form: &Linear, variable: Variable) -> Vec<(Variable, i128)> {
    form.terms.iter().filter(|(other, _)| *other != variable).copied().collect()
}

/// The third numbers of two exclusive ors that have two numbers in common.
fn thirds<'f>(left: &'f [Linear; 3], right: &'f [Linear; 3]) -> Option<(&'f Linear, &'f Linear)> {
    let mut own: Vec<&Linear> = left.iter().collect();
    let mut theirs: Vec<&Linear> = right.iter().collect();
    own.retain(|form| match theirs.iter().position(|other| other == form) {
        Some(place) => {
            theirs.swap_remove(place);
            false
        }
        None => true,
    });
    match (own.as_slice(), theirs.as_slice()) {
        ([one], [other]) => Some((one, other)),
        ([], []) => Some((left.first()?, left.first()?)),
        _ => None,
    }
}

/// Narrows the ranges of the variables of a form that is 0 (`equation`) or not negative. Returns whether any changed.
fn narrow(form: &Linear, equation: bool, ranges: &mut [Interval]) -> Result<bool, Stop> {
    let range = |ranges: &[Interval], variable: Variable| {
        ranges.get(variable as usize).copied().unwrap_or(Interval::EVERYTHING)
    };
    let part = |ranges: &[Interval], (variable, factor): &(Variable, i128)| range(ranges, *variable).times(*factor);
    // The sums of the terms from each place on. A variable stands in one term, so that they do not change.
    let mut behind: SmallVec<[Interval; 8]> = smallvec![Interval::point(0); form.terms.len() + 1];
    for (place, term) in form.terms.iter().enumerate().rev() {
        behind[place] = behind[place + 1].plus(part(ranges, term));
    }
    let mut sum_before = Interval::point(form.constant);
    let mut changed = false;
    for (place, term) in form.terms.iter().enumerate() {
        let (variable, factor) = *term;
        let before = range(ranges, variable);
        let after = solved(factor, sum_before.plus(behind[place + 1]), equation, before).ok_or(Stop::Open)?;
        if after.lo.zip(after.hi).is_some_and(|(lo, hi)| lo > hi) {
            return Err(Stop::Empty);
        }
        if after != before
            && let Some(slot) = ranges.get_mut(variable as usize)
        {
            (*slot, changed) = (after, true);
        }
        sum_before = sum_before.plus(part(ranges, term));
    }
    Ok(changed)
}

/// The part of a range in which a variable lies where `factor · variable + rest` is not negative, or 0 (`equation`). `None` where a
/// number becomes too large.
fn solved(factor: i128, rest: Interval, equation: bool, range: Interval) -> Option<Interval> {
    let size = factor.checked_abs()?;
    // |factor| · variable is at least `least`, and at most `most`.
    let below = rest.hi.and_then(i128::checked_neg);
    let above = rest.lo.filter(|_| equation).and_then(i128::checked_neg);
    let turned = |end: Option<i128>| end.and_then(i128::checked_neg);
    let (least, most) = if factor > 0 { (below, above) } else { (turned(above), turned(below)) };
    // Most forms say nothing new. That is seen without a division, which takes longer than all the rest.
    let is_known = |known: Option<i128>, end: i128, holds: fn(&i128, &i128) -> bool| {
        known.and_then(|known| known.checked_mul(size)).is_some_and(|known| holds(&known, &end))
    };
    let least = least.filter(|least| !is_known(range.lo, *least, i128::ge));
    let most = most.filter(|most| !is_known(range.hi, *most, i128::le));
    let (lo, hi) = (least.map(|end| Integer::div_ceil(&end, &size)), most.map(|end| Integer::div_floor(&end, &size)));
    Some(range.intersect(Interval { lo, hi }))
}
