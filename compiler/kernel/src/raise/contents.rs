//! What is known of all elements of a memory, as of the array of a tile.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::ends::Ends;
use super::value::{ContentsId, ValueId};
use crate::intervals::of_type;
use crate::typed::Memory;
use dims::{Facts, Interval, Sym};
use elements::ElementType;
use maps::Range;

/// What is known of the elements of a memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    /// The interval of each of them.
    pub numbers: Interval,
    /// Their bounds as sizes.
    pub range: Range,
    /// The interval of each of them, of floats.
    pub(super) floats: Ends,
    /// The elements themselves, in order, if they are constants.
    pub(super) table: Option<Arc<[i64]>>,
    /// The runs of elements that are all different, while the block and `around` stay as they are.
    pub distinct: Vec<Distinct>,
    /// The iterators of the loops around the statement that stores the elements.
    pub(super) around: Vec<ValueId>,
}

/// Elements of a memory that lie `stride` apart, in runs of `extent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distinct {
    /// The distance of neighbours.
    pub stride: i64,
    /// How many belong to a run.
    pub extent: i64,
    /// Whether only those that are not negative are all different.
    pub of_naturals: bool,
}

impl Contents {
    /// These integers, in order; `None` if there are none.
    pub fn table(elements: &[i64]) -> Option<Self> {
        let different: BTreeSet<i64> = elements.iter().copied().collect();
        let extent = i64::try_from(elements.len()).ok()?;
        let distinct =
            (different.len() == elements.len()).then_some(Distinct { stride: 1, extent, of_naturals: false });
        let known = Self::between(*different.first()?, *different.last()?);
        Some(Self { table: Some(elements.into()), distinct: distinct.into_iter().collect(), ..known })
    }

    /// Integers from a number up to another one.
    pub fn between(low: i64, high: i64) -> Self {
        let range = Range { low: Some(Sym::constant(low)), high: Some(Sym::constant(high)) };
        Self::within(Interval::between(low.into(), high.into()), range)
    }

    /// Integers in an interval and a range.
    pub(super) fn within(numbers: Interval, range: Range) -> Self {
        Self { numbers, range, floats: Ends::ALL, table: None, distinct: Vec::new(), around: Vec::new() }
    }

    /// The same, with runs of elements that are all different, in the same iterations of the loops around the statement that
    /// stores them.
    #[must_use]
    pub fn with_distinct(self, distinct: Vec<Distinct>, around: Vec<ValueId>) -> Self {
        Self { distinct, around, ..self }
    }

    /// The same without them.
    #[must_use]
    pub fn without_distinct(self) -> Self {
        self.with_distinct(Vec::new(), Vec::new())
    }

    /// What is known of sums of up to this many elements, which are integers of a type; `None` if they may wrap.
    pub fn summed(&self, most: i64, element: ElementType) -> Option<Self> {
        let sums = self.numbers.union(self.numbers.times(most.into()));
        sums.lies_in(of_type(element)).then(|| Self::within(sums, Range::default()))
    }

    /// What is known of elements of which some are among these and some among others.
    pub fn union(&self, other: &Self, facts: &Facts) -> Self {
        let union = Self::within(self.numbers.union(other.numbers), self.range.union(&other.range, facts));
        Self { floats: self.floats.union(other.floats), ..union }
    }
}

/// What is known of memories.
#[derive(Clone, Default)]
pub(super) struct Memories {
    pub(super) all: Vec<Contents>,
    pub(super) current: FxHashMap<Memory, ContentsId>,
    /// Each memory of which something else became known, with what was known before.
    pub(super) replaced: Vec<(Memory, Option<ContentsId>)>,
}

/// What is known at the end of a branch of the memories that it changes.
pub(super) type Changed = BTreeMap<Memory, Option<ContentsId>>;
