//! Whether a system of conditions on integers has a solution.
//!
//! The conditions are equations and inequalities between sums of variables, differences that are not zero, and
//! exclusive ors. Floor division and remainder by numbers are linear forms over fresh variables. A system is
//! *reduced* to a fixed point (`reduce`): bounds are propagated, common divisors removed, equations split whose small
//! terms cannot compensate the large ones (T1), and variables eliminated by equations (Pugh, "The Omega test", CACM
//! 1992). The rest is shown empty by its real shadow (Fourier and Motzkin, `shadow`), or its variables are split one
//! by one (`search`). Every step is counted; when the steps run out, the answer is open.

mod bits;
mod growing;
mod linear;
mod reduce;
mod search;
mod shadow;

#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use dims::{Interval, effort};
use growing::Growth;

pub use linear::{Linear, Variable};

/// A conjunction of conditions on integer variables.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The range of each variable.
    ranges: Vec<Interval>,
    /// Each is 0.
    zero: Vec<Linear>,
    /// None is negative.
    not_negative: Vec<Linear>,
    /// None is 0.
    not_zero: Vec<Linear>,
    /// Triples of non-negative numbers whose exclusive or is 0.
    xors: Vec<[Linear; 3]>,
    /// The quotient and the remainder of each division made so far, so that equal divisions share them.
    divided: FxHashMap<(Linear, i128), [Variable; 2]>,
    /// What is known of products and quotients that are variables. A solution need not keep it.
    growths: Vec<Growth>,
    /// Variables that equations have eliminated, in order of elimination.
    eliminated: Vec<(Variable, Linear)>,
}

/// Whether a system has a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It has none.
    Empty,
    /// This one: the values of the variables.
    Solution(Vec<i128>),
    /// The steps ran out, or a number overflowed 128 bits.
    Open,
}

/// The remaining steps, and cancellation.
pub struct Steps<'a> {
    left: u64,
    cancelled: &'a dyn Fn() -> bool,
}

impl<'a> Steps<'a> {
    /// A number of steps; `cancelled` is polled now and then.
    pub fn new(left: u64, cancelled: &'a dyn Fn() -> bool) -> Steps<'a> {
        Steps { left, cancelled }
    }

    /// How many are left.
    pub fn left(&self) -> u64 {
        self.left
    }

    fn spend(&mut self, steps: usize) -> Result<(), Stop> {
        self.left = self.left.checked_sub(steps as u64 + 1).ok_or(Stop::Open)?;
        if (self.cancelled)() || !effort::spend(steps as u64 + 1) {
            self.left = 0;
            return Err(Stop::Open);
        }
        Ok(())
    }
}

/// Why reducing a system ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// There is no solution.
    Empty,
    /// The steps ran out, or a number overflowed 128 bits.
    Open,
}

impl System {
    /// A fresh variable with values in an interval.
    pub fn variable(&mut self, range: Interval) -> Variable {
        let number = self.ranges.len() as Variable;
        self.ranges.push(range);
        number
    }

    /// The known range of a variable.
    pub fn range(&self, variable: Variable) -> Interval {
        self.ranges.get(variable as usize).copied().unwrap_or(Interval::EVERYTHING)
    }

    /// The interval of a form's values.
    pub fn interval(&self, form: &Linear) -> Interval {
        form.interval(|variable| self.range(variable))
    }

    /// `left = right`
    pub fn equal(&mut self, left: &Linear, right: &Linear) -> Option<()> {
        self.zero.push(left.plus(-1, right)?);
        Some(())
    }

    /// `left <= right`
    pub fn at_most(&mut self, left: &Linear, right: &Linear) -> Option<()> {
        self.not_negative.push(right.plus(-1, left)?);
        Some(())
    }

    /// `left != right`
    pub fn different(&mut self, left: &Linear, right: &Linear) -> Option<()> {
        self.not_zero.push(left.plus(-1, right)?);
        Some(())
    }

    /// The quotient and the remainder of a division by a positive number, rounded down.
    pub fn divided(&mut self, of: &Linear, by: i128) -> Option<[Linear; 2]> {
        let interval = self.interval(of);
        let quotient = interval.divide(Interval::point(by));
        if let (Some(lo), Some(hi)) = (quotient.lo, quotient.hi)
            && lo == hi
        {
            return Some([Linear::constant(lo), of.offset(lo.checked_mul(-by)?)?]);
        }
        let key = (of.clone(), by);
        let [quotient, remainder] = match self.divided.get(&key) {
            Some(known) => *known,
            None => {
                let found = [self.variable(quotient), self.variable(Interval { lo: Some(0), hi: Some(by - 1) })];
                self.divided.insert(key, found);
                let [quotient, remainder] = found.map(Linear::variable);
                let whole = remainder.plus(by, &quotient)?;
                self.equal(of, &whole)?;
                found
            }
        };
        Some([Linear::variable(quotient), Linear::variable(remainder)])
    }

    /// The exclusive or of two numbers that are not negative.
    pub fn xor(&mut self, left: &Linear, right: &Linear) -> Option<Linear> {
        let mut forms = [left.clone(), right.clone()];
        forms.sort_by(|left, right| (left.constant, &left.terms).cmp(&(right.constant, &right.terms)));
        let [left, right] = &forms;
        if let Some([_, _, known]) = self.xors.iter().find(|[one, other, _]| (one, other) == (left, right)) {
            return Some(known.clone());
        }
        let bits = self.bits(left).zip(self.bits(right)).map(|(left, right)| left.max(right));
        let hi = bits.and_then(|bits| 1i128.checked_shl(bits)).map(|end| end - 1);
        let found = Linear::variable(self.variable(Interval { lo: Some(0), hi }));
        for (one, other, sum) in [(left, right, &found), (left, &found, right), (right, &found, left)] {
            self.at_most(sum, &one.plus(1, other)?)?;
        }
        let zero = Linear::constant(0);
        self.at_most(&zero, left)?;
        self.at_most(&zero, right)?;
        self.xors.push([left.clone(), right.clone(), found.clone()]);
        Some(found)
    }

    /// How many bits the values of a form have at most, where none is negative.
    fn bits(&self, form: &Linear) -> Option<u32> {
        let most = self.interval(form).hi?.max(0);
        Some(i128::BITS - most.leading_zeros())
    }

    /// Whether the system has a solution.
    pub fn solve(mut self, steps: &mut Steps<'_>) -> Answer {
        let whole = self.clone();
        let found = match self.reduce(steps).and_then(|()| self.take_xors_apart()) {
            Ok(()) => search::solution(self, steps),
            Err(stop) => Err(stop),
        };
        match found {
            Ok(mut solution) if whole.holds(&solution) => {
                // Variables added while solving are not part of the answer.
                solution.truncate(whole.ranges.len());
                Answer::Solution(solution)
            }
            Ok(_) | Err(Stop::Open) => Answer::Open,
            Err(Stop::Empty) => Answer::Empty,
        }
    }

    /// Whether values meet all conditions.
    fn holds(&self, values: &[i128]) -> bool {
        let value = |form: &Linear| form.value(|variable| values.get(variable as usize).copied());
        let inside = |(range, value): (&Interval, &i128)| {
            range.lo.is_none_or(|lo| lo <= *value) && range.hi.is_none_or(|hi| *value <= hi)
        };
        let even = |forms: &[Linear; 3]| {
            let [Some(left), Some(right), Some(found)] = forms.each_ref().map(value) else { return false };
            left >= 0 && right >= 0 && left ^ right == found
        };
        self.ranges.iter().zip(values).all(inside)
            && self.zero.iter().all(|form| value(form) == Some(0))
            && self.not_negative.iter().all(|form| value(form).is_some_and(|value| value >= 0))
            && self.not_zero.iter().all(|form| value(form).is_some_and(|value| value != 0))
            && self.xors.iter().all(even)
    }
}
