//! What is known of all elements of a memory, as of the array of a tile.
//!
//! A load is made of what is known of the memory where it is read, so it keeps that when the memory is assigned something else.
//! Where two branches join, what both know holds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::bounds::MOST_BOUNDED;
use super::floats::{self, Ends};
use super::{Raiser, ValueId};
use crate::intervals::of_type;
use crate::typed::{Expr, Memory};
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

/// The number of some contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ContentsId(u32);

/// What is known of memories.
#[derive(Clone, Default)]
pub(super) struct Memories {
    all: Vec<Contents>,
    current: FxHashMap<Memory, ContentsId>,
    /// Each memory of which something else became known, with what was known before.
    replaced: Vec<(Memory, Option<ContentsId>)>,
}

/// What is known at the end of a branch of the memories that it changes.
pub(super) type Changed = BTreeMap<Memory, Option<ContentsId>>;

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
    fn within(numbers: Interval, range: Range) -> Self {
        Self { numbers, range, floats: floats::ALL, table: None, distinct: Vec::new(), around: Vec::new() }
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

impl Raiser {
    /// Says what is known of all elements of a memory from the current statement on; `None` if that is nothing.
    pub fn know_contents(&mut self, memory: Memory, contents: Option<Contents>) {
        let id = contents.map(|contents| {
            self.memories.all.push(contents);
            ContentsId(self.memories.all.len() as u32 - 1)
        });
        self.set_contents(memory, id);
    }

    /// What is known of a value, if it is stored as the elements of a memory.
    pub fn contents_of(&mut self, value: ValueId) -> Contents {
        let range = self.bounds_of_operand(value, &mut MOST_BOUNDED.clone());
        Contents::within(self.numbers(value), range)
    }

    /// What is known of floats, if they are stored as the elements of a memory; `None` if that is nothing.
    pub fn contents_of_floats(&mut self, float: &Expr) -> Option<Contents> {
        let floats = self.ends(float);
        (floats != floats::ALL).then(|| Contents { floats, ..Contents::within(Interval::EVERYTHING, Range::default()) })
    }

    /// What is known of a memory here.
    pub(super) fn contents_here(&self, memory: Memory) -> Option<ContentsId> {
        self.memories.current.get(&memory).copied()
    }

    pub(super) fn contents(&self, ContentsId(id): ContentsId) -> &Contents {
        &self.memories.all[id as usize]
    }

    /// The number of changes so far.
    pub(super) fn contents_changed(&self) -> usize {
        self.memories.replaced.len()
    }

    /// What is known now of the memories that have changed since then, and makes the changes undone.
    pub(super) fn take_contents_since(&mut self, mark: usize) -> Changed {
        let replaced = self.memories.replaced.split_off(mark);
        let changed = replaced.iter().map(|(memory, _)| (*memory, self.contents_here(*memory))).collect();
        for (memory, before) in replaced.into_iter().rev() {
            self.restore_contents(memory, before);
        }
        changed
    }

    /// Joins what two branches know of the memories that one of them changes.
    pub(super) fn join_contents(&mut self, one: &Changed, other: &Changed) {
        for memory in one.keys().chain(other.keys()) {
            let before = self.contents_here(*memory);
            let at_end = |changed: &Changed| changed.get(memory).copied().unwrap_or(before);
            let joined = match [one, other].map(at_end) {
                [first, second] if first == second => first,
                [Some(first), Some(second)] => {
                    let union = self.contents(first).union(self.contents(second), &self.facts);
                    self.know_contents(*memory, Some(union));
                    continue;
                }
                _ => None,
            };
            self.set_contents(*memory, joined);
        }
    }

    fn set_contents(&mut self, memory: Memory, contents: Option<ContentsId>) {
        self.memories.replaced.push((memory, self.contents_here(memory)));
        self.restore_contents(memory, contents);
    }

    fn restore_contents(&mut self, memory: Memory, contents: Option<ContentsId>) {
        match contents {
            Some(contents) => drop(self.memories.current.insert(memory, contents)),
            None => drop(self.memories.current.remove(&memory)),
        }
    }
}
