//! Whether elements of shared arrays may be read before they are written: then the array has to be cleared first.
//!
//! A load reads a written element if its thread has stored to the same coordinates before, or if stores that precede
//! it in the text, or in the previous iteration, cover everything that it can reach.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::conflicts::{Carried, Conflict, Conflicts};
use super::regions::{List, StepKind};
use super::uniform::BLOCK;
use crate::loops::{Access, AccessId, LoopId, MOST_GUARDS, Node, Side, ValueId};
use crate::typed::AccessKind;
use dims::{CompareOp, Sym};
use maps::{Affine, CompiledMap, Domain, IndexMap};
use proofs::{Budget, Relation, covers};

/// The most questions about coverage; beyond them, arrays are cleared.
const MOST_QUESTIONS: u32 = 128;

/// The most stores before a load that are considered.
const MOST_STORES: usize = 64;

/// For each shared array, whether an element may be read before it is written.
pub(super) fn unwritten(conflicts: &Conflicts<'_, '_>, body: &List, budget: &Budget<'_>) -> Vec<bool> {
    let arrays = conflicts.regions.loops.values.kernel.shared.len();
    let mut walk = Walk {
        conflicts,
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
    conflicts: &'a Conflicts<'a, 'k>,
    budget: &'a Budget<'a>,
    /// The stores that precede in the text.
    stores: Vec<AccessId>,
    unwritten: Vec<bool>,
    /// The gapless range of positions that a store writes, by its representative.
    positions: FxHashMap<AccessId, Option<(i64, i64)>>,
    left: u32,
}

impl Walk<'_, '_> {
    fn list(&mut self, list: &List) {
        for step in &list.steps {
            for access in &step.accesses {
                self.access(*access);
            }
            match &step.kind {
                StepKind::Plain | StepKind::Shuffle(..) => {}
                StepKind::Collective(_, body) | StepKind::Loop { body, .. } => self.list(body),
                StepKind::Branch { then, otherwise, .. } => {
                    self.list(then);
                    self.list(otherwise);
                }
            }
        }
    }

    fn access(&mut self, number: AccessId) {
        (self.conflicts.poll)();
        let Some(effect) = self.conflicts.regions.loops.access(number) else { return };
        let Some(array) = effect.array() else { return };
        // What threads pass to each other, they write before each time.
        if self.conflicts.regions.exchanged_by(effect).is_some() {
            return;
        }
        // An atomic access reads the element before it writes it.
        if matches!(effect.kind, AccessKind::Store | AccessKind::Copy) {
            self.stores.push(number);
            return;
        }
        if self.unwritten.get(array.0 as usize) == Some(&false)
            && !self.is_written(effect)
            && let Some(unwritten) = self.unwritten.get_mut(array.0 as usize)
        {
            *unwritten = true;
        }
    }

    fn is_written(&mut self, load: &Access) -> bool {
        let regions = self.conflicts.regions;
        let stores = self.stores.iter().rev().filter_map(|number| regions.loops.access(*number));
        let stores: Vec<&Access> = stores.filter(|store| store.memory == load.memory).take(MOST_STORES).collect();
        stores.iter().any(|store| is_own(store, load))
            || self.are_positions_covered(load, &stores)
            || self.are_coordinates_covered(load)
    }

    /// Whether stores cover all positions that the load can reach.
    fn are_positions_covered(&mut self, load: &Access, stores: &[&Access]) -> bool {
        let mut runs: Vec<(i64, i64)> = stores.iter().filter_map(|store| self.positions(load, store)).collect();
        let regions = self.conflicts.regions;
        let shared = load.array().and_then(|array| regions.loops.values.kernel.shared.get(array));
        let Some(array) = shared else { return false };
        let ranges = self.conflicts.side(load).and_then(|side| self.lower_ranges(side));
        let (first, last) = ranges.and_then(|ranges| ranges.first().copied()).unwrap_or((0, i64::MAX));
        leave_no_gap(&mut runs, (first.max(0), array.known_length().map_or(last, |length| last.min(length - 1))))
    }

    /// The first and the last position that a store writes, if it writes all between them.
    fn positions(&mut self, load: &Access, store: &Access) -> Option<(i64, i64)> {
        let side = self.conflicts.side(store)?;
        if store.guards.len() >= MOST_GUARDS || !self.is_free(&side, store, load) {
            return None;
        }
        if let Some(known) = self.positions.get(&store.representative) {
            return *known;
        }
        let built = self.conflicts.regions.loops.values.build(&side).filter(|built| built.exact);
        let found = built.and_then(|built| self.run(&built.map));
        self.positions.insert(store.representative, found);
        found
    }

    fn is_covered(&mut self, map: &IndexMap, slots: &[Range<Sym>]) -> bool {
        if self.ask().is_none() {
            return false;
        }
        covers(map, slots, self.conflicts.regions.loops.values.facts(), &self.budget.for_proofs()).is_proven()
    }

    /// Whether the coordinates that a load can reach have been written, in the same iteration of the loops around it
    /// or in the previous one of some loop.
    fn are_coordinates_covered(&mut self, load: &Access) -> bool {
        let before = self.stores.clone();
        if self.cover_coordinates(load, &before, None) {
            return true;
        }
        let accesses = &self.conflicts.regions.loops.accesses;
        load.loops.iter().rev().any(|around| {
            let within = |access: &&Access| {
                matches!(access.kind, AccessKind::Store | AccessKind::Copy)
                    && access.array().is_some()
                    && access.loops.contains(around)
            };
            let stores = (0..).map(AccessId).zip(accesses).filter(|(_, access)| within(access));
            let stores: Vec<AccessId> = stores.map(|(number, _)| number).collect();
            self.has_iteration_before(load, *around)
                && self.cover_coordinates(load, &stores, Some((*around, Relation::Ahead(1))))
        })
    }

    /// Whether a load in a loop never happens in the first iteration.
    fn has_iteration_before(&self, load: &Access, number: LoopId) -> bool {
        let values = &self.conflicts.regions.loops.values;
        let Some([low, _]) = values.bounds_of_loop(number) else { return false };
        let iterator = values.ids().find(|id| values.node(*id) == Some(&Node::Iterator(number)));
        let [iterator, low] = [iterator, Some(low)].map(|id| id.and_then(|id| self.conflicts.form(id)));
        let is_first = iterator.zip(low).and_then(|(iterator, low)| iterator.checked_sub(&low).ok());
        let Some(side) = self.conflicts.side(load) else { return false };
        let mut side = Side { reached: None, ..side };
        side.comparisons.extend(is_first.map(|form| (form, CompareOp::Le)));
        !side.comparisons.is_empty()
            && self.conflicts.related((load, &side), (load, &side), None, &[]) == Conflict::Never
    }

    /// Whether in each dimension stores write either the coordinate that is read or all that may be read.
    fn cover_coordinates(&mut self, load: &Access, stores: &[AccessId], carried: Carried) -> bool {
        let regions = self.conflicts.regions;
        let mut runs: BTreeMap<usize, Vec<(i64, i64)>> = BTreeMap::new();
        let stores = stores.iter().rev().filter_map(|number| regions.loops.access(*number));
        for store in stores.filter(|store| store.memory == load.memory && store.map == load.map).take(MOST_STORES) {
            let Some((dimensions, map)) = self.left_open(load, store, carried) else { continue };
            let Some(wanted) = self.reached(load, &dimensions) else {
                // Where sizes decide what is read, all that the dimensions have.
                let extent = |dimension: &usize| load.map.upper.get(*dimension)?.extent.clone();
                let slots = dimensions.iter().map(|dimension| Some(Sym::zero()..extent(dimension)?));
                let slots: Option<Vec<Range<Sym>>> = slots.collect();
                if slots.is_some_and(|slots| self.is_covered(&map, &slots)) {
                    return true;
                }
                continue;
            };
            let slots = wanted.iter().map(|(first, last)| Sym::constant(*first)..Sym::constant(last.saturating_add(1)));
            if dimensions.is_empty() || self.is_covered(&map, &slots.collect::<Vec<_>>()) {
                return true;
            }
            if let ([dimension], [(first, last)]) = (dimensions.as_slice(), wanted.as_slice())
                && let Some(run) = self.run(&map)
            {
                let runs = runs.entry(*dimension).or_default();
                runs.push(run);
                if leave_no_gap(runs, (*first, *last)) {
                    return true;
                }
            }
        }
        false
    }

    /// The dimensions in which a store does not write exactly the coordinate that a load reads, and the map from all
    /// threads to their coordinates in these. `None` if the store may not have happened.
    fn left_open(&mut self, load: &Access, store: &Access, carried: Carried) -> Option<(Vec<usize>, IndexMap)> {
        if store.guards.len() >= MOST_GUARDS {
            return None;
        }
        let mut side = Side::default();
        for guard in store.guards.iter() {
            let own = Side { guards: vec![*guard], ..Side::default() };
            if self.is_free(&own, store, load) {
                side.guards.push(*guard);
                continue;
            }
            // A guard that is uniform must hold wherever the load happens.
            let fails = Side { guards: vec![(guard.0, !guard.1)], ..Side::default() };
            let given = Side { reached: None, ..self.conflicts.side(load)? };
            let is_same = self.conflicts.uniform.is(guard.0, BLOCK);
            let holds = || self.conflicts.related((store, &fails), (load, &given), carried, &[]) == Conflict::Never;
            let is_given = carried.is_none() && load.guards.contains(guard);
            if !is_same || !(is_given || self.ask().is_some() && holds()) {
                return None;
            }
        }
        let mut dimensions = Vec::new();
        for (dimension, (own, theirs)) in store.coordinates.iter().zip(&load.coordinates).enumerate() {
            let (left, right) = (self.conflicts.form(*own), self.conflicts.form(*theirs));
            let is_same = self.conflicts.uniform.is(*own, BLOCK) && self.conflicts.uniform.is(*theirs, BLOCK);
            let reads_it = || {
                let given = self.conflicts.side(load).zip(left.clone()).zip(right);
                given.is_some_and(|((given, left), right)| {
                    let own = Side { lower: vec![left], ..Side::default() };
                    let given = Side { lower: vec![right], reached: None, ..given };
                    self.conflicts.related((store, &own), (load, &given), carried, &[Relation::Different])
                        == Conflict::Never
                })
            };
            if is_same && (carried.is_none() && own == theirs || self.ask().is_some() && reads_it()) {
                continue;
            }
            dimensions.push(dimension);
            side.lower.push(left?);
        }
        // If no dimension is left, the store must not depend on which threads are active.
        if dimensions.is_empty() && !side.guards.is_empty() || !self.is_free(&side, store, load) {
            return None;
        }
        let built = self.conflicts.regions.loops.values.build(&side).filter(|built| built.exact)?;
        Some((dimensions, built.map))
    }

    fn ask(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    /// The least and the greatest coordinate that a load reaches in some dimensions.
    fn reached(&self, load: &Access, dimensions: &[usize]) -> Option<Vec<(i64, i64)>> {
        let coordinate = |dimension: &usize| load.coordinates.get(*dimension).and_then(|id| self.conflicts.form(*id));
        let lower: Option<Vec<Affine>> = dimensions.iter().map(coordinate).collect();
        self.lower_ranges(Side { lower: lower?, reached: None, ..self.conflicts.side(load)? })
    }

    /// The least and the greatest number that each lower coordinate of a side has. Conditions that sizes or unbounded values decide
    /// are left out, which can only widen them: what they guard mostly lies inside whatever they are.
    fn lower_ranges(&self, mut side: Side) -> Option<Vec<(i64, i64)>> {
        let values = &self.conflicts.regions.loops.values;
        let compiled = |side: &Side| CompiledMap::new(&values.build(side)?.map, Domain::Tight).ok();
        if let Some(map) = compiled(&side) {
            return map.lower_ranges();
        }
        let conjuncts = |(condition, holds): (ValueId, bool)| match holds {
            true => values.conjuncts(condition),
            false => vec![condition],
        };
        let guards = std::mem::take(&mut side.guards)
            .into_iter()
            .flat_map(|guard| conjuncts(guard).into_iter().map(move |condition| (condition, guard.1)));
        let is_decided =
            |guard: &(ValueId, bool)| compiled(&Side { guards: vec![*guard], ..Side::default() }).is_some();
        side.guards = guards.filter(is_decided).collect();
        compiled(&side)?.lower_ranges()
    }

    /// The range that a map of one lower coordinate fills, if it has no gaps.
    fn run(&mut self, map: &IndexMap) -> Option<(i64, i64)> {
        let ranges = CompiledMap::new(map, Domain::Tight).ok()?.lower_ranges()?;
        let (first, last) = *ranges.first()?;
        let slots = [Sym::constant(first)..Sym::constant(last.checked_add(1)?)];
        self.is_covered(map, &slots).then_some((first, last))
    }

    /// Whether a side depends only on the thread and on iterators of loops around the store alone.
    fn is_free(&self, side: &Side, store: &Access, load: &Access) -> bool {
        let values = &self.conflicts.regions.loops.values;
        let (found, ..) = values.values_of_side(side);
        found.iter().all(|id| match values.node(*id) {
            Some(Node::Thread) => true,
            Some(Node::Iterator(number)) => store.loops.contains(number) && !load.loops.contains(number),
            _ => false,
        })
    }
}

/// Whether the runs cover all numbers from the first to the last.
fn leave_no_gap(runs: &mut [(i64, i64)], (first, last): (i64, i64)) -> bool {
    runs.sort_unstable();
    let mut next = first;
    for (low, high) in runs {
        if *low <= next {
            next = next.max(high.saturating_add(1));
        }
    }
    next > last
}

/// Whether a thread that executes the load has stored to the same coordinates itself.
fn is_own(store: &Access, load: &Access) -> bool {
    store.map == load.map
        && store.coordinates == load.coordinates
        && store.guards.len() < MOST_GUARDS
        && store.guards.iter().all(|guard| load.guards.contains(guard))
        && store.loops.iter().all(|number| load.loops.contains(number))
}
