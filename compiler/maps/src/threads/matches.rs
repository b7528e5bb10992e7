//! Whether one unit of threads executes each iteration of a tiling.

use crate::row_major;
use std::collections::BTreeSet;
use std::fmt;

use smol_str::SmolStr;

use super::typing::{TypedUnit, Typing};
use super::{ThreadSet, ThreadsError, Tiling, Unit};

/// Whether the threads of every iteration are such a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Match {
    /// They are.
    Proven(Matched),
    /// They are not.
    Refuted(Mismatch),
}

/// Why the threads of every iteration are a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matched {
    /// On common dimensions an iteration takes as much of each as the unit does.
    Domain {
        /// The unit.
        unit: Unit,
        /// The extents of the common dimensions.
        domain: Vec<i64>,
        /// How much of each an iteration takes.
        taken: Vec<i64>,
    },
    /// All iterations, as many as this, were compared with the unit.
    EveryIteration {
        /// The unit.
        unit: Unit,
        /// How many there are.
        iterations: i64,
    },
}

impl fmt::Display for Matched {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Matched::Domain { unit, domain, taken } => {
                let (domain, taken) = (tuple(domain), tuple(taken));
                write!(formatter, "on the domain {domain} an iteration takes {taken}, as `{unit}` does")
            }
            Matched::EveryIteration { unit, iterations } => {
                write!(formatter, "each of the {iterations} iterations has the threads of one `{unit}`")
            }
        }
    }
}

/// Why the threads of an iteration are no unit of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The launch has no such unit.
    NoSuchUnit(ThreadsError),
    /// An iteration has other threads.
    Threads {
        /// The unit.
        unit: Unit,
        /// How many threads the unit has; `None`: any number.
        needed: Option<i64>,
        /// The iteration.
        iteration: Iteration,
        /// The threads of that iteration.
        threads: ThreadSet,
    },
}

/// One iteration of a tiling: each iterator with its value. Empty where the tiling has no iterators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration(pub Vec<(SmolStr, i64)>);

impl fmt::Display for Iteration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, (name, value)) in self.0.iter().enumerate() {
            let separator = if position == 0 { "" } else { ", " };
            write!(formatter, "{separator}{name} = {value}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::NoSuchUnit(error) => write!(formatter, "{error}"),
            Mismatch::Threads { unit, needed, iteration, threads } => {
                let there = match (iteration.0.is_empty(), threads.len()) {
                    (true, 1) => format!("there is 1, {}", threads.first(4)),
                    (true, count) => format!("there are {count}, {}", threads.first(4)),
                    (false, count) => format!("iteration {iteration} has {count}, {}", threads.first(4)),
                };
                match needed {
                    Some(1) => write!(formatter, "`{unit}` needs 1 thread; {there}"),
                    Some(needed) => write!(formatter, "`{unit}` needs {needed} threads; {there}"),
                    None => write!(formatter, "`{unit}` is any number of threads; {there}"),
                }?;
                match needed.is_none_or(|needed| needed == threads.len()) {
                    true => write!(formatter, ", but they do not lie as those of a `{unit}`"),
                    false => Ok(()),
                }
            }
        }
    }
}

impl Match {
    /// Whether they are.
    pub fn is_proven(&self) -> bool {
        matches!(self, Match::Proven(_))
    }
}

impl Tiling {
    /// Whether the threads of every iteration are such a unit. A unit that covers only a part of the cluster means
    /// one such part.
    pub fn matches(&self, unit: &Unit) -> Match {
        let typed = TypedUnit::new(unit, self.launch, Typing::Unitary).and_then(|typed| typed.aligned(unit.name()));
        let typed = match typed {
            Ok(typed) => typed,
            Err(error) => return Match::Refuted(Mismatch::NoSuchUnit(error)),
        };
        match self.on_common_dimensions(&typed, unit) {
            Some((tiling, typed)) => tiling.compare(&typed, unit),
            None => self.check_every_iteration(&typed, unit),
        }
    }

    /// The tiling and the unit split to the same dimensions, where that is possible.
    fn on_common_dimensions(&self, typed: &TypedUnit, unit: &Unit) -> Option<(Tiling, TypedUnit)> {
        let (mut tiling, mut typed) = (self.clone(), typed.clone());
        tiling.complete(&typed.pitches(), unit.name()).ok()?;
        let pitches: Vec<i64> = tiling.dimensions.iter().map(|dimension| dimension.pitch).collect();
        typed.complete(&pitches, unit.name()).ok()?;
        Some((tiling, typed))
    }

    /// On common dimensions an iteration is a unit if both take the same number of coordinates of each.
    fn compare(&self, typed: &TypedUnit, unit: &Unit) -> Match {
        let mut dimensions = self.dimensions.iter().zip(&typed.dimensions);
        if dimensions.all(|(dimension, of_unit)| of_unit.taken.is_none_or(|taken| taken == dimension.taken())) {
            let (domain, taken) = (self.domain(), self.taken());
            return Match::Proven(Matched::Domain { unit: unit.clone(), domain, taken });
        }
        self.mismatch(typed, unit, vec![0; self.iterators.len()], self.first_threads())
    }

    /// The definition itself: the threads of an iteration are all combinations of some coordinates of each dimension.
    fn check_every_iteration(&self, typed: &TypedUnit, unit: &Unit) -> Match {
        let mut values = vec![0; self.iterators.len()];
        loop {
            let threads = self.threads_of(&values);
            if !is_unit(&threads, typed) {
                return self.mismatch(typed, unit, values, threads);
            }
            if !self.advance(&mut values) {
                break;
            }
        }
        Match::Proven(Matched::EveryIteration { unit: unit.clone(), iterations: self.iterations() })
    }

    /// Advances to the next iteration, the last iterator fastest; `false` after the last one.
    pub fn advance(&self, values: &mut [i64]) -> bool {
        row_major::advance(values, self.iterators.iter().map(|iterator| iterator.count))
    }

    fn mismatch(&self, typed: &TypedUnit, unit: &Unit, iteration: Vec<i64>, threads: ThreadSet) -> Match {
        let named = self.iterators.iter().zip(iteration).map(|(iterator, value)| (iterator.name.clone(), value));
        let iteration = Iteration(named.collect());
        let needed = typed.dimensions.iter().map(|dimension| dimension.taken).product();
        Match::Refuted(Mismatch::Threads { unit: unit.clone(), needed, iteration, threads })
    }
}

/// Whether a set of threads is the product of coordinates that the unit takes.
fn is_unit(threads: &ThreadSet, typed: &TypedUnit) -> bool {
    let mut combinations: i64 = 1;
    for (dimension, pitch) in typed.dimensions.iter().zip(typed.pitches()) {
        let coordinates: BTreeSet<i64> = threads.threads().map(|thread| thread / pitch % dimension.extent).collect();
        let count = i64::try_from(coordinates.len()).unwrap_or(i64::MAX);
        if dimension.taken.is_some_and(|taken| taken != count) {
            return false;
        }
        combinations = combinations.saturating_mul(count);
    }
    combinations == threads.len()
}

fn tuple(numbers: &[i64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    format!("({})", numbers.join(", "))
}
