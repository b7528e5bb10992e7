//! Whether elements of shared arrays may be read that nobody has written: then an array has to be cleared first.
//!
//! Stores that have surely happened are collected in the order of the text. A load reads what is written where its thread
//! has stored at the same coordinates, or where stores cover all that it can reach.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::meetings::Meetings;
use super::regions::{Effect, List, MOST_GUARDS, StepKind};
use super::uniform::BLOCK;
use super::values::{Node, ValueId};
use crate::dims::Sym;
use crate::maps::{CompiledMap, Domain};
use crate::proofs::{Budget, covers};

/// The most questions about coverage; an array is cleared where they are not enough.
const MOST_QUESTIONS: u32 = 128;

/// The most stores before a load that are looked at.
const MOST_STORES: usize = 64;

/// For each shared array, whether an element may be read that nobody wrote.
pub(super) fn unwritten(meetings: &Meetings<'_, '_>, body: &List, budget: &Budget<'_>) -> Vec<bool> {
    let arrays = meetings.regions.values.kernel.shared.len();
    let mut walk = Walk {
        meetings,
        budget,
        stores: Vec::new(),
        unwritten: vec![false; arrays],
        positions: FxHashMap::default(),
        left: MOST_QUESTIONS,
    };
    walk.list(body);
    walk.unwritten
}

struct Walk<'a, 'k> {
    meetings: &'a Meetings<'a, 'k>,
    budget: &'a Budget<'a>,
    /// The stores that have happened, whatever path led here.
    stores: Vec<usize>,
    unwritten: Vec<bool>,
    /// The positions that a store writes without a gap, by what is the same of it.
    positions: FxHashMap<usize, Option<(i64, i64)>>,
    left: u32,
}

impl Walk<'_, '_> {
    fn list(&mut self, list: &List) {
        for step in &list.steps {
            for access in &step.accesses {
                self.access(*access);
            }
            let before = self.stores.len();
            match &step.kind {
                StepKind::Plain => {}
                StepKind::Collective(body) => self.list(body),
                StepKind::Loop { body, iterations: (least, _), .. } => {
                    self.list(body);
                    if *least == 0 {
                        self.stores.truncate(before);
                    }
                }
                StepKind::Branch { condition, then, otherwise } => {
                    for list in [then, otherwise] {
                        self.list(list);
                        // A condition on the thread is one of the store's map; any other may not have held.
                        if self.meetings.uniform.is(*condition, BLOCK) {
                            self.stores.truncate(before);
                        }
                    }
                }
            }
        }
    }

    fn access(&mut self, number: usize) {
        let Some(effect) = self.meetings.regions.effects.get(number) else { return };
        if effect.store {
            self.stores.push(number);
            return;
        }
        if self.unwritten.get(effect.array.0 as usize) == Some(&false)
            && !self.is_written(effect)
            && let Some(unwritten) = self.unwritten.get_mut(effect.array.0 as usize)
        {
            *unwritten = true;
        }
    }

    fn is_written(&mut self, load: &Effect) -> bool {
        let regions = self.meetings.regions;
        let stores = self.stores.iter().rev().filter_map(|number| regions.effects.get(*number));
        let stores: Vec<&Effect> = stores.filter(|store| store.array == load.array).take(MOST_STORES).collect();
        stores.iter().any(|store| is_own(store, load))
            || self.cover_positions(load, &stores)
            || stores.iter().any(|store| self.covers_coordinates(load, store))
    }

    /// Whether stores leave no gap among the positions of the whole array, or among those that the load can reach.
    fn cover_positions(&mut self, load: &Effect, stores: &[&Effect]) -> bool {
        let mut runs: Vec<(i64, i64)> = stores.iter().filter_map(|store| self.positions(load, store)).collect();
        runs.sort_unstable();
        let arrays = &self.meetings.regions.values.kernel.shared;
        let Some(array) = arrays.get(load.array.0 as usize) else { return false };
        let whole = (0, array.length - 1);
        let built = self.meetings.regions.values.build(&self.meetings.side(load));
        let reached = built.and_then(|built| {
            let ranges = CompiledMap::new(&built.map, Domain::Tight).ok()?.lower_ranges()?;
            ranges.first().copied()
        });
        let (first, last) = reached.map_or(whole, |(first, last)| (first.max(whole.0), last.min(whole.1)));
        let mut next = first;
        for (low, high) in runs {
            if low <= next {
                next = next.max(high.saturating_add(1));
            }
        }
        next > last
    }

    /// The first and the last position that a store writes, where it writes all between them.
    fn positions(&mut self, load: &Effect, store: &Effect) -> Option<(i64, i64)> {
        let common = store.loops.iter().any(|number| load.loops.contains(number));
        if common {
            return None;
        }
        if let Some(known) = self.positions.get(&store.like) {
            return *known;
        }
        let side = self.meetings.side(store);
        let found = self.all_threads(&side, store, load).and_then(|map| {
            let ranges = CompiledMap::new(&map, Domain::Tight).ok()?.lower_ranges()?;
            let (first, last) = *ranges.first()?;
            let slots = [Sym::constant(first)..Sym::constant(last.checked_add(1)?)];
            self.is_covered(&map, &slots).then_some((first, last))
        });
        self.positions.insert(store.like, found);
        found
    }

    fn is_covered(&mut self, map: &crate::maps::IndexMap, slots: &[std::ops::Range<Sym>]) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        covers(map, slots, self.meetings.regions.values.facts(), self.budget).is_proven()
    }

    /// The map of a side, where it says what all threads do in all iterations of the loops around the store alone.
    fn all_threads(
        &self,
        side: &super::forms::Side,
        store: &Effect,
        load: &Effect,
    ) -> Option<crate::maps::IndexMap> {
        let values = &self.meetings.regions.values;
        let built = values.build(side).filter(|built| built.exact)?;
        let free = |id: &ValueId| match values.node(*id) {
            Some(Node::Thread) => true,
            Some(Node::Iterator(number)) => store.loops.contains(number) && !load.loops.contains(number),
            _ => false,
        };
        let (found, ..) = values.values_of_side(side);
        found.iter().all(free).then_some(built.map)
    }

    /// Whether a store writes, in each dimension, either the coordinate that is read or all there are.
    fn covers_coordinates(&mut self, load: &Effect, store: &Effect) -> bool {
        if store.map != load.map {
            return false;
        }
        let given: BTreeSet<(ValueId, bool)> = load.guards.iter().copied().collect();
        let is_given = |guard: &(ValueId, bool)| given.contains(guard) && self.is_same(guard.0, load);
        let mut side = super::forms::Side {
            guards: store.guards.iter().copied().filter(|guard| !is_given(guard)).collect(),
            ..super::forms::Side::default()
        };
        let mut slots = Vec::new();
        for ((axis, own), theirs) in store.map.upper.iter().zip(&store.coordinates).zip(&load.coordinates) {
            if own == theirs && self.is_same(*own, load) {
                continue;
            }
            let Some(extent) = axis.extent.clone() else { return false };
            side.lower.push(self.meetings.form(*own));
            slots.push(Sym::zero()..extent);
        }
        match self.all_threads(&side, store, load) {
            Some(_) if slots.is_empty() => true,
            Some(map) => self.is_covered(&map, &slots),
            None => false,
        }
    }

    /// Whether a value is the same in all threads, where the load is.
    fn is_same(&self, id: ValueId, load: &Effect) -> bool {
        let loops = self.meetings.regions.values.get(id).map(|value| value.loops.clone());
        self.meetings.uniform.is(id, BLOCK)
            && loops.is_some_and(|loops| loops.iter().all(|number| load.loops.contains(number)))
    }
}

/// Whether a thread that comes to the load has stored there itself.
fn is_own(store: &Effect, load: &Effect) -> bool {
    store.map == load.map
        && store.coordinates == load.coordinates
        && store.guards.len() < MOST_GUARDS
        && store.guards.iter().all(|guard| load.guards.contains(guard))
        && store.loops.iter().all(|number| load.loops.contains(number))
}
