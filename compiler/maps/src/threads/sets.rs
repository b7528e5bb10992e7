//! Sets of threads, as runs of natural indices.

use std::fmt;
use std::ops::Range;

use super::{ThreadsError, Tiling};

/// A set of threads of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ThreadSet {
    /// Ascending, none empty, no two adjacent.
    runs: Vec<Range<i64>>,
}

impl ThreadSet {
    /// The set of the threads in these ranges, which may overlap and be empty.
    pub fn new(mut ranges: Vec<Range<i64>>) -> ThreadSet {
        ranges.retain(|range| range.start < range.end);
        ranges.sort_by_key(|range| range.start);
        let mut runs: Vec<Range<i64>> = Vec::with_capacity(ranges.len());
        for range in ranges {
            match runs.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => runs.push(range),
            }
        }
        ThreadSet { runs }
    }

    /// The runs, ascending, no two adjacent.
    pub fn runs(&self) -> &[Range<i64>] {
        &self.runs
    }

    /// How many threads there are.
    pub fn len(&self) -> i64 {
        self.runs.iter().map(|run| run.end.saturating_sub(run.start)).fold(0, i64::saturating_add)
    }

    /// Whether there is no thread.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Whether a thread is in the set.
    pub fn contains(&self, thread: i64) -> bool {
        let after = self.runs.partition_point(|run| run.end <= thread);
        self.runs.get(after).is_some_and(|run| run.contains(&thread))
    }

    /// The threads in ascending order.
    pub fn threads(&self) -> impl std::iter::Iterator<Item = i64> {
        self.runs.iter().cloned().flatten()
    }

    /// The first runs as text, and `…` for the others.
    pub fn first(&self, most: usize) -> String {
        let mut runs: Vec<String> =
            self.runs.iter().take(most).map(|run| format!("{}..{}", run.start, run.end)).collect();
        if self.runs.len() > most {
            runs.push("…".to_owned());
        }
        runs.join(", ")
    }
}

impl fmt::Display for ThreadSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.runs.as_slice() {
            [run] => write!(formatter, "{}..{}", run.start, run.end),
            _ => write!(formatter, "[{}]", self.first(16)),
        }
    }
}

impl Tiling {
    /// The threads that execute one iteration, given by the values of the iterators in their order.
    ///
    /// # Errors
    /// Too few or too many values, a value beyond the count of its iterator.
    pub fn threads(&self, values: &[i64]) -> Result<ThreadSet, ThreadsError> {
        if values.len() != self.iterators.len() {
            return Err(ThreadsError::Values { expected: self.iterators.len(), found: values.len() });
        }
        for (iterator, value) in self.iterators.iter().zip(values) {
            if !(0..iterator.count).contains(value) {
                let (name, count) = (iterator.name.to_string(), iterator.count);
                return Err(ThreadsError::Iteration { name, value: *value, count });
            }
        }
        Ok(self.threads_of(values))
    }

    /// The threads of an existing iteration; a missing value is 0.
    pub(super) fn threads_of(&self, values: &[i64]) -> ThreadSet {
        // From the fastest dimension to the slowest: the threads so far are repeated for each coordinate.
        let mut runs: Vec<Range<i64>> = std::iter::once(0..1).collect();
        for dimension in self.dimensions.iter().rev() {
            let mut start = 0;
            for operation in &dimension.operations {
                let value = operation.iterator.and_then(|number| values.get(number)).copied().unwrap_or(0);
                start += operation.linear_offset + value * operation.linear_box;
            }
            let taken = dimension.taken();
            let whole = matches!(runs.as_slice(), [run] if *run == (0..dimension.pitch));
            runs = if whole {
                std::iter::once(start..start + taken * dimension.pitch).collect()
            } else {
                let shifts = (0..taken).map(|coordinate| start + coordinate * dimension.pitch);
                shifts.flat_map(|by| runs.iter().map(move |run| run.start + by..run.end + by)).collect()
            };
        }
        ThreadSet::new(runs)
    }

    /// The threads of the first iteration.
    pub fn first_threads(&self) -> ThreadSet {
        self.threads_of(&[])
    }
}
