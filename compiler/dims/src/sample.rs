//! Small assignments that satisfy the facts, in a fixed order, for the search for counterexamples.

use std::collections::{BTreeMap, BTreeSet};

use super::known::Known;
use super::{Fact, Facts, Symbol, effort};

/// Assignments tried before the iterator ends, whether they satisfy the facts or not.
const MOST_ATTEMPTS: usize = 4000;
/// The attempts with many connected symbols: this number, divided by the square of the number of symbols and facts. With
/// twice as many, an attempt costs twice as much, and it satisfies all facts even less often.
const MOST_PRODUCTS: usize = 400_000;
/// The attempts at least.
const FEWEST_ATTEMPTS: usize = 8;
/// How many steps above the least value are tried first; sizes in programs are small, round, or next to round
/// numbers.
const FIRST_STEPS: [i128; 5] = [0, 1, 2, 3, 4];
const LATER_STEPS: [i128; 16] = [5, 6, 7, 8, 9, 15, 16, 17, 31, 63, 64, 127, 255, 1023, 65_535, 1 << 31];

impl Facts {
    /// Assignments that satisfy the facts, small ones first, always in the same order. Each gives a value to the
    /// given symbols and to those that facts connect to them.
    pub fn sample(&self, symbols: &BTreeSet<Symbol>) -> Samples<'_> {
        self.sample_near(symbols, &[])
    }

    /// The same, also trying values at and next to the given ones.
    pub fn sample_near(&self, symbols: &BTreeSet<Symbol>, hints: &[i64]) -> Samples<'_> {
        let related = self.related(symbols);
        let about: Vec<&Fact> = self.stated.iter().filter(|fact| fact.mentions(&related)).collect();
        let (defined, free): (Vec<Symbol>, Vec<Symbol>) =
            related.into_iter().partition(|symbol| self.definition(symbol).is_some());
        let connected = (free.len() + defined.len() + about.len()).max(1);
        let attempts = MOST_ATTEMPTS.min(MOST_PRODUCTS / connected.saturating_mul(connected)).max(FEWEST_ATTEMPTS);
        let candidates: Vec<Vec<i64>> =
            free.iter().map(|symbol| candidates(self.known(symbol), hints, attempts)).collect();
        let indices = vec![0; free.len()];
        Samples {
            facts: self,
            about,
            free,
            defined,
            candidates,
            indices: Some(indices),
            attempts,
            cost: connected as u64,
        }
    }
}

/// The values to try for one symbol, as many as there are attempts.
fn candidates(known: Known, hints: &[i64], attempts: usize) -> Vec<i64> {
    let step = |count: &i128| known.modulus.checked_mul(*count)?.checked_add(known.lo);
    let mut values: Vec<i128> = FIRST_STEPS[..3].iter().filter_map(step).collect();
    values.extend(known.hi);
    for hint in hints {
        // The value of the residue class at or above the hint, and its neighbours.
        if let Ok(near) = known.raise(i128::from(*hint)) {
            values.extend([near.lo, near.lo - known.modulus, near.lo.saturating_add(known.modulus)]);
        }
    }
    values.extend(FIRST_STEPS[3..].iter().filter_map(step));
    values.extend(known.hi.map(|hi| hi - known.modulus));
    values.extend(LATER_STEPS.iter().filter_map(step));
    let mut candidates: Vec<i64> = Vec::with_capacity(values.len().min(attempts));
    for value in values {
        let possible = value >= known.lo && known.hi.is_none_or(|hi| value <= hi);
        if let Ok(value) = i64::try_from(value)
            && possible
            && !candidates.contains(&value)
        {
            candidates.push(value);
        }
        if candidates.len() == attempts {
            break;
        }
    }
    candidates
}

/// The iterator behind [`Facts::sample`].
pub struct Samples<'f> {
    facts: &'f Facts,
    /// The facts that mention the symbols.
    about: Vec<&'f Fact>,
    /// Symbols that have values of their own, ascending.
    free: Vec<Symbol>,
    /// Symbols whose values follow from those of others.
    defined: Vec<Symbol>,
    candidates: Vec<Vec<i64>>,
    /// The candidate of each free symbol that is tried next; combinations come in the order of their sums.
    indices: Option<Vec<usize>>,
    attempts: usize,
    /// What one attempt costs: a value for each symbol and each fact.
    cost: u64,
}

impl Samples<'_> {
    /// The same, trying no more than this many assignments, whether they satisfy the facts or not.
    pub(super) fn within(mut self, attempts: usize) -> Self {
        self.attempts = self.attempts.min(attempts);
        self
    }

    fn current(&self, indices: &[usize]) -> Option<BTreeMap<Symbol, i64>> {
        let value_of = |symbol: &Symbol| {
            let place = self.free.binary_search(symbol).ok()?;
            self.candidates.get(place)?.get(*indices.get(place)?).copied()
        };
        // Most combinations contradict a fact at once: the rest is not computed for them.
        if self.about.iter().any(|fact| fact.holds_with(&value_of) == Some(false)) {
            return None;
        }
        let mut assignment = BTreeMap::new();
        for ((symbol, candidates), index) in self.free.iter().zip(&self.candidates).zip(indices) {
            assignment.insert(symbol.clone(), *candidates.get(*index)?);
        }
        for symbol in &self.defined {
            let definition = self.facts.definition(symbol)?;
            let value = definition.evaluate(&|symbol| assignment.get(symbol).copied()).ok()?;
            if value < symbol.least() {
                return None;
            }
            assignment.insert(symbol.clone(), value);
        }
        self.about.iter().all(|fact| fact.holds(&assignment) == Some(true)).then_some(assignment)
    }

    /// The next combination with the same sum, or the first with the next sum.
    fn next_indices(&self, mut indices: Vec<usize>) -> Option<Vec<usize>> {
        let last_of = |position: usize| self.candidates[position].len().saturating_sub(1);
        let sum: usize = indices.iter().sum();
        // Move one unit from a later position to an earlier one, and pack the rest behind it to the right.
        let mut behind = 0;
        for position in (0..indices.len()).rev() {
            if behind > 0 && indices[position] < last_of(position) {
                indices[position] += 1;
                return self.pack(indices, position + 1, behind - 1);
            }
            behind += indices[position];
        }
        self.pack(indices, 0, sum + 1)
    }

    /// Spreads an amount over the positions from `start`, as far to the right as it goes; `None` if it does not fit.
    fn pack(&self, mut indices: Vec<usize>, start: usize, mut amount: usize) -> Option<Vec<usize>> {
        for position in (start..indices.len()).rev() {
            let last = self.candidates[position].len().saturating_sub(1);
            indices[position] = amount.min(last);
            amount -= indices[position];
        }
        (amount == 0).then_some(indices)
    }
}

impl Iterator for Samples<'_> {
    type Item = BTreeMap<Symbol, i64>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(indices) = self.indices.take() {
            self.attempts = self.attempts.checked_sub(1)?;
            if !effort::spend(self.cost) {
                return None;
            }
            let found = self.current(&indices);
            self.indices = self.next_indices(indices);
            if found.is_some() {
                return found;
            }
        }
        None
    }
}
