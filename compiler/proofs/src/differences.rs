//! Collisions of strided maps with known sizes, exactly (T2, T10).
//!
//! Two points collide if their difference `d` has `Σ sₖ·dₖ = 0` and every `|dₖ|` is below the extent. The search
//! takes the largest stride first: the range that the smaller ones can still compensate leaves few values to try.

use num_integer::Integer;

use super::Budget;
use super::strided::{StridedBox, Variable};

/// The recursion is as deep as there are variables.
const MOST_VARIABLES: usize = 1000;

/// Steps between two polls of cancellation.
const STEPS_BETWEEN_LOOKS: u64 = 1 << 12;

/// The result of the search for a difference.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Search {
    /// There is none: the map is injective, or free of races.
    None,
    /// One, in the order of the box's variables.
    Found(Vec<i128>),
    /// The steps ran out, or the question was cancelled.
    GaveUp,
    /// The sums overflow 128 bits.
    TooLarge,
}

/// Searches for a non-zero difference that changes no lower coordinate; with `race`, one between different threads.
pub(super) fn find(strided: &StridedBox<'_>, race: bool, budget: &Budget<'_>) -> Search {
    let mut order: Vec<usize> = (0..strided.variables.len()).collect();
    let largest = |number: &usize| {
        strided.variables.get(*number).map_or(0, |variable| variable.strides.iter().map(|s| s.abs()).max().unwrap_or(0))
    };
    order.retain(|number| strided.variables.get(*number).is_some_and(|variable| variable.count > 1));
    order.sort_by_key(|number| std::cmp::Reverse(largest(number)));
    for number in &order {
        let Some(variable) = strided.variables.get(*number) else {
            continue;
        };
        if largest(number) == 0 && (variable.thread || !race) {
            // A stride of zero on an extent above one.
            let mut difference = vec![0; strided.variables.len()];
            if let Some(place) = difference.get_mut(*number) {
                *place = 1;
            }
            return Search::Found(difference);
        }
    }
    order.retain(|number| largest(number) != 0);
    let variables: Vec<&Variable> = order.iter().filter_map(|number| strided.variables.get(*number)).collect();
    if variables.len() > MOST_VARIABLES {
        return Search::TooLarge;
    }
    let Some(mut depth_first) = DepthFirst::new(&variables, strided.lower_rank, race, budget) else {
        return Search::TooLarge;
    };
    match depth_first.search(0, false, false) {
        None => Search::GaveUp,
        Some(false) => Search::None,
        Some(true) => {
            let mut difference = vec![0; strided.variables.len()];
            for (number, value) in order.iter().zip(&depth_first.chosen) {
                if let Some(place) = difference.get_mut(*number) {
                    *place = *value;
                }
            }
            Search::Found(difference)
        }
    }
}

struct DepthFirst<'a> {
    variables: &'a [&'a Variable],
    race: bool,
    /// The steps left in the budget: one step is one lower coordinate.
    steps: u64,
    cancelled: &'a dyn Fn() -> bool,
    /// For each variable and lower coordinate: how far this and later variables can move the sum in either direction.
    reach: Vec<Vec<i128>>,
    /// The same for the greatest common divisor of their strides.
    divisors: Vec<Vec<i128>>,
    /// Whether any variable from this one on belongs to a thread.
    threads_left: Vec<bool>,
    sums: Vec<i128>,
    chosen: Vec<i128>,
}

impl<'a> DepthFirst<'a> {
    /// `None` if the reach leaves 128 bits.
    fn new(variables: &'a [&'a Variable], rank: usize, race: bool, budget: &'a Budget<'a>) -> Option<DepthFirst<'a>> {
        let count = variables.len();
        let (mut reach, mut divisors) = (vec![vec![0i128; rank]; count + 1], vec![vec![0i128; rank]; count + 1]);
        let mut threads_left = vec![false; count + 1];
        for (number, variable) in variables.iter().enumerate().rev() {
            *threads_left.get_mut(number)? = *threads_left.get(number + 1)? || variable.thread;
            for (axis, stride) in variable.strides.iter().enumerate() {
                let beyond = *reach.get(number + 1)?.get(axis)?;
                let most = stride.abs().checked_mul(variable.count - 1)?.checked_add(beyond)?;
                *reach.get_mut(number)?.get_mut(axis)? = most;
                let divisor = *divisors.get(number + 1)?.get(axis)?;
                *divisors.get_mut(number)?.get_mut(axis)? = divisor.gcd(stride);
            }
        }
        // Sums stay within the initial reach; the headroom makes the unchecked arithmetic below safe.
        let fits = reach.iter().flatten().all(|most| *most < 1 << 100);
        fits.then(|| DepthFirst {
            variables,
            race,
            steps: budget.steps,
            cancelled: budget.cancelled,
            reach,
            divisors,
            threads_left,
            sums: vec![0; rank],
            chosen: vec![0; count],
        })
    }

    /// Whether there is a difference; `None` if the search gave up. `started`: an earlier variable differs.
    fn search(&mut self, number: usize, started: bool, thread: bool) -> Option<bool> {
        self.spend()?;
        let Some(variable) = self.variables.get(number) else {
            return Some(started && (thread || !self.race) && self.sums.iter().all(|sum| *sum == 0));
        };
        let threads_left = self.threads_left.get(number).copied().unwrap_or(false);
        if self.race && !thread && !threads_left {
            return Some(false);
        }
        let Some(choices) = self.choices(number, variable, started) else {
            return Some(false);
        };
        let Choices { first, last, step } = choices;
        let mut value = first;
        while value <= last {
            self.spend()?;
            if self.fits(number, variable, value) {
                self.shift(variable, value);
                if let Some(place) = self.chosen.get_mut(number) {
                    *place = value;
                }
                let found =
                    self.search(number + 1, started || value != 0, thread || (variable.thread && value != 0))?;
                if found {
                    return Some(true);
                }
                self.shift(variable, -value);
            }
            value += step;
        }
        if let Some(place) = self.chosen.get_mut(number) {
            *place = 0;
        }
        Some(false)
    }

    fn spend(&mut self) -> Option<()> {
        let before = self.steps;
        self.steps = before.checked_sub(self.sums.len().max(1) as u64)?;
        let looks_up = before / STEPS_BETWEEN_LOOKS != self.steps / STEPS_BETWEEN_LOOKS;
        (!looks_up || !(self.cancelled)()).then_some(())
    }

    fn shift(&mut self, variable: &Variable, by: i128) {
        for (sum, stride) in self.sums.iter_mut().zip(&variable.strides) {
            *sum += stride * by;
        }
    }

    /// Whether later variables can still compensate the sum after this choice, in every lower coordinate.
    fn fits(&self, number: usize, variable: &Variable, value: i128) -> bool {
        let (Some(reach), Some(divisors)) = (self.reach.get(number + 1), self.divisors.get(number + 1)) else {
            return false;
        };
        let axes = self.sums.iter().zip(&variable.strides).zip(reach.iter().zip(divisors));
        axes.into_iter().all(|((sum, stride), (reach, divisor))| {
            let left = sum + stride * value;
            left.abs() <= *reach && (if *divisor == 0 { left == 0 } else { left % divisor == 0 })
        })
    }

    /// The values of a variable that pass the intervals and one congruence.
    fn choices(&self, number: usize, variable: &Variable, started: bool) -> Option<Choices> {
        // A difference and its negation are equivalent: the first non-zero component is taken positive.
        let mut first = if started { 1 - variable.count } else { 0 };
        let mut last = variable.count - 1;
        let mut congruence: (i128, i128) = (0, 1);
        for (axis, stride) in variable.strides.iter().enumerate() {
            if *stride == 0 {
                continue;
            }
            let sum = *self.sums.get(axis)?;
            let reach = *self.reach.get(number + 1)?.get(axis)?;
            let divisor = *self.divisors.get(number + 1)?.get(axis)?;
            // −reach ≤ sum + stride · value ≤ reach
            let (low, high) = if *stride > 0 { (-reach - sum, reach - sum) } else { (sum - reach, sum + reach) };
            let size = stride.abs();
            first = first.max(Integer::div_ceil(&low, &size));
            last = last.min(Integer::div_floor(&high, &size));
            if divisor != 0 {
                // stride · value ≡ −sum modulo divisor
                let bezout = stride.mod_floor(&divisor).extended_gcd(&divisor);
                if sum.mod_floor(&bezout.gcd) != 0 {
                    return None;
                }
                let modulus = divisor / bezout.gcd;
                if modulus > congruence.1 && modulus < 1 << 60 {
                    let start = (-sum / bezout.gcd).mod_floor(&modulus);
                    congruence = ((start * bezout.x.mod_floor(&modulus)).mod_floor(&modulus), modulus);
                }
            }
        }
        let (residue, step) = congruence;
        let first = first + (residue - first).mod_floor(&step);
        Some(Choices { first, last, step })
    }
}

struct Choices {
    first: i128,
    last: i128,
    step: i128,
}
