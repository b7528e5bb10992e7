//! Checks for races, and for outputs that are not fully written.
//!
//! Each element of a written tensor belongs to one thread: every access may reach only elements that no other thread
//! writes, unless barriers order those of a block ([`exchanged`](super::exchanged)). If a view's map has no race,
//! neither have all accesses through that view together; a tensor with a single store is judged by that store.

use std::collections::BTreeMap;
use std::sync::Arc;

use smol_str::format_smolstr;

use super::atomic_fixes::atomically;
use super::claims::{AccessRecord, Scattered};
use super::executor::executor;
use super::pairs::{Among, Common, Conflict, Meeting};
use super::prover::Prover;
use super::raised::Composed;
use super::shifted;
use super::view::View;
use crate::diagnostics::{self, Atomically, Element, Elsewhere, Race, RaceDoubt, Remedy, Storing, Way};
use dims::{Facts, Sym, Symbol};
use kernel::raise::UniformValue;
use kernel::typed::{AccessKind, Claim, Memory, Obligation, ParamKind};
use maps::row_major::digits;
use maps::shapes::Shape;
use maps::{Affine, AxisRole, IndexMap, MapError, Term, TermId};
use proofs::{Counterexample, CounterexampleKind, Verdict};
use syntax::span::Span;

impl<'db> Prover<'db> {
    /// Checks every tensor that the kernel writes.
    pub(super) fn check_races(&mut self, records: &[&'db AccessRecord]) {
        let mut of: BTreeMap<Memory, Vec<&AccessRecord>> = BTreeMap::new();
        for record in records {
            of.entry(record.memory).or_default().push(record);
        }
        for (id, param) in self.typed.memories.params.entries() {
            let memory = Memory::Param(id);
            if !matches!(param.kind, ParamKind::Tensor { mutable: true, .. }) {
                continue;
            }
            let mine = of.remove(&memory).unwrap_or_default();
            if mine.iter().any(|record| record.kind.writes()) {
                self.check_tensor(memory, &mine);
            }
            self.check_written(memory, &mine);
        }
        for (memory, mine) in of {
            self.check_scattered_in_block(memory, &mine);
        }
    }

    pub(super) fn check_tensor(&mut self, memory: Memory, records: &[&AccessRecord]) {
        if records.iter().any(|record| record.scattered.is_some()) {
            return self.check_scattered(memory, records);
        }
        let launched = &self.typed.launched;
        if launched.blocks.as_constant() == Some(1) && launched.threads.as_constant() == Some(1) {
            return;
        }
        if let Some(regions) = self.regions(records) {
            return self.check_regions(memory, &regions);
        }
        let store = records.iter().find(|record| record.kind == AccessKind::Store).or_else(|| {
            // Atomic accesses meet no harm among themselves.
            let others = records.iter().any(|record| record.kind == AccessKind::Load);
            records.iter().find(|record| others && record.kind.is_atomic() && record.kind.writes())
        });
        let Some(store) = store else { return };
        let same = |other: &&&AccessRecord| same_access(store, other);
        let is_alone = store.kind == AccessKind::Store && records.iter().all(|other| same(&other));
        if !is_alone && (self.only_conditions_differ(store, records) || self.are_shifted(records)) {
            return;
        }
        self.unless_exchanged(memory, records, |prover| match is_alone {
            true => prover.check_access(memory, store),
            false => prover.check_conflict(memory, store, records),
        });
    }

    /// Reports a conflict between two accesses of a tensor in different threads.
    fn check_conflict(&mut self, memory: Memory, store: &AccessRecord, records: &[&AccessRecord]) {
        let [first, second] = match self.conflict(records, Among::Threads) {
            Conflict::Never => return,
            Conflict::At([first, second], meeting) if second.kind.writes() => {
                self.report_meeting(memory, [first, second], &meeting);
                return;
            }
            Conflict::At(pair, _) | Conflict::Open(pair) => pair,
        };
        if self.is_decided_otherwise(memory, records) {
            return;
        }
        match self.all_of_view(store, records) {
            // All that the threads may reach through the view, of which the accesses reach a part.
            Some(map) => match proofs::race_free(&map, &self.evaluator.facts, &self.evaluator.budget()) {
                Verdict::Proven { .. } => {}
                Verdict::Refuted { .. } => self.race_between(memory, first, second),
                open @ Verdict::Open { .. } => self.race_open(memory, &map, store.span, open),
            },
            None => self.race_between(memory, first, second),
        }
    }

    /// The map that reaches everything of the view through which all accesses go.
    fn all_of_view(&self, store: &AccessRecord, records: &[&AccessRecord]) -> Option<IndexMap> {
        let view = store.view.as_ref()?;
        let is_shared = |other: &&AccessRecord| {
            other.view.as_ref().is_some_and(|other| Arc::ptr_eq(view, other) || self.same_owner(view, other))
        };
        records.iter().all(is_shared).then(|| view.all.clone())?
    }

    /// Whether all accesses differ only in the conditions around them, and the map without conditions has no race: both
    /// branches of an `if`, for example. Conditions only remove elements.
    fn only_conditions_differ(&self, store: &AccessRecord, records: &[&AccessRecord]) -> bool {
        let reach = store.reach();
        records.iter().all(|other| other.reach().map == reach.map && other.reach().uniform == reach.uniform)
            && self.is_race_free(&reach.map, &reach.uniform)
    }

    /// Whether all accesses are shifted copies of one, and their union has no race.
    fn are_shifted(&self, records: &[&AccessRecord]) -> bool {
        let reaches: [fn(&AccessRecord) -> &Composed; 3] =
            [AccessRecord::reach, AccessRecord::without_data, |record| &record.composed];
        reaches.into_iter().any(|reach| {
            let composed: Vec<&Composed> = records.iter().map(|record| reach(record)).collect();
            let maps: Vec<&IndexMap> = composed.iter().map(|composed| &composed.map).collect();
            let united = shifted::united(&maps, &self.evaluator.facts);
            let same = composed.iter().all(|other| other.uniform == composed[0].uniform);
            let uniform = if same { composed[0].uniform.as_slice() } else { &[] };
            united.is_some_and(|map| self.is_race_free(&map, uniform))
        })
    }

    /// Whether a map has no race if each `uniform` coordinate has the same value in all threads: such a coordinate
    /// shifts the elements of all threads by the same distance.
    pub(super) fn is_race_free(&self, map: &IndexMap, uniform: &[UniformValue]) -> bool {
        let is_uniform =
            |id: &TermId| matches!(map.term(*id), Some(Term::Coordinate(axis)) if is_axis_of(uniform, *axis as usize));
        let mut unmoved = map.clone();
        for lower in &mut unmoved.lower {
            lower.value.terms.retain(|(term, _)| !is_uniform(term));
        }
        let (facts, budget) = (&self.evaluator.facts, self.evaluator.budget().for_proofs());
        let is_free = |map: &IndexMap| proofs::race_free(map, facts, &budget).is_proven();
        // A uniform coordinate inside a quotient or a remainder, `(i + by) % N`, is one number for all threads, whichever it is.
        let has_uniform = |form: &Affine| form.terms.iter().any(|(term, _)| is_uniform(term));
        let is_inside = unmoved.terms.iter().any(|term| match term {
            Term::Coordinate(_) => false,
            Term::Digit { of, .. } => has_uniform(of),
            Term::Xor(left, right) => has_uniform(left) || has_uniform(right),
        });
        is_free(&unmoved) || is_inside && with_symbols(map, uniform, facts).is_ok_and(|map| is_free(&map))
    }

    /// Whether two views give every thread the same elements.
    fn same_owner(&self, left: &View, right: &View) -> bool {
        left.bound == right.bound
            && left.local_rank == right.local_rank
            && proofs::equal(&left.map, &right.map, &self.evaluator.facts, &self.evaluator.budget().for_proofs())
                .is_proven()
    }

    /// Checks the only way in which a tensor is accessed.
    fn check_access(&mut self, memory: Memory, record: &AccessRecord) {
        let Composed { map, exact, uniform, .. } = &*record.composed;
        if !uniform.is_empty() && self.is_race_free(map, uniform) {
            return;
        }
        let proven = proofs::race_free(map, &self.evaluator.facts, &self.evaluator.budget().for_proofs()).is_proven();
        if proven || self.are_apart([record, record]) || self.is_decided_otherwise(memory, &[record]) {
            return;
        }
        match proofs::race_free(map, &self.evaluator.facts, &self.evaluator.budget()) {
            _ if !*exact => {
                let name = self.typed.memories.name(memory);
                let doubt = doubt_of(record);
                let atomically = self.atomically(record);
                let found = diagnostics::race_unproven(record.span, &name, record.storing(), &doubt, atomically);
                self.proven.diagnostics.push(found);
            }
            Verdict::Proven { .. } => {}
            ref refuted @ Verdict::Refuted { ref counterexample, .. } => {
                let remedy = refuted.obligation().map(|fact| self.evaluator.remedy(vec![fact.clone()]));
                self.report_race(memory, record, &record.composed, counterexample, remedy);
            }
            open @ Verdict::Open { .. } => self.race_open(memory, map, record.span, open),
        }
    }

    /// Reports two threads that write one element by one store.
    pub(super) fn report_race(
        &mut self,
        memory: Memory,
        store: &AccessRecord,
        composed: &Composed,
        counterexample: &Counterexample,
        remedy: Option<Remedy>,
    ) {
        let CounterexampleKind::Collision { first, second, lower } = &counterexample.kind else { return };
        let sizes = &counterexample.sizes;
        let threads = [first, second].map(|point| executor(composed, point, sizes).for_block(store.of_block));
        let element = self.element(memory, lower.first().copied().unwrap_or(0), sizes);
        self.note_refuted(memory, &composed.map, counterexample, store.span);
        let found = Race { threads, element, sizes, other: None };
        let name = self.typed.memories.name(memory);
        let is_alike =
            matches!(store.storing(), Storing::Thread) && differ_by_unused_threads(&composed.map, [first, second]);
        let (storing, atomically) = match is_alike {
            true => (Storing::Alike, None),
            false => (store.storing(), self.atomically(store)),
        };
        self.proven.diagnostics.push(diagnostics::race(store.span, &name, storing, found, remedy, atomically));
    }

    /// Reports two threads that write one element by two stores.
    pub(super) fn report_meeting(&mut self, memory: Memory, [store, other]: [&AccessRecord; 2], meeting: &Meeting) {
        let Meeting { threads, lower, common, sizes } = meeting;
        let element = match (common, &store.view) {
            (Common::Element, _) => self.element(memory, lower.first().copied().unwrap_or(0), sizes),
            (Common::Coordinates, None) => Element::Index(lower.clone()),
            (Common::Coordinates, Some(view)) => {
                let point = maps::evaluate(&view.map, lower, &|symbol| sizes.get(symbol).copied());
                let position = point.ok().and_then(|point| point.lower.first().copied());
                self.element(memory, position.unwrap_or(0), sizes)
            }
        };
        let [first, second] = threads.clone();
        let threads = [first.for_block(store.of_block), second.for_block(other.of_block)];
        let other = (other.span != store.span).then_some(other.span);
        let name = self.typed.memories.name(memory);
        let atomically = self.atomically(store).filter(|_| other.is_none());
        let found = Race { threads, element, sizes, other };
        self.proven.diagnostics.push(diagnostics::race(store.span, &name, store.storing(), found, None, atomically));
    }

    /// Reports a race that is neither proven nor refuted; it is asked about again at launch.
    pub(super) fn race_open(&mut self, memory: Memory, map: &IndexMap, span: Span, verdict: Verdict) {
        let remedy = verdict.obligation().map(|fact| self.evaluator.remedy(vec![fact.clone()]));
        let Verdict::Open { reason, deeper, .. } = verdict else { return };
        let name = self.typed.memories.name(memory);
        self.proven.diagnostics.push(diagnostics::race_open(span, &name, &reason, remedy, deeper));
        let map = Arc::new(map.clone());
        self.proven.obligations.push(Obligation { memory, map, claim: Claim::RaceFree, span });
    }

    /// A store of a thread as an atomic access.
    fn atomically(&self, store: &AccessRecord) -> Option<Atomically> {
        let is_of_thread = matches!(store.storing(), Storing::Thread) && !store.kind.is_atomic();
        is_of_thread.then(|| atomically(self.evaluator.item.tokens(self.evaluator.db), store.span))?
    }

    fn race_between(&mut self, memory: Memory, store: &AccessRecord, other: &AccessRecord) {
        let name = self.typed.memories.name(memory);
        let way = match &other.view {
            _ if other.of_tile => Way::Tile,
            Some(_) => Way::View,
            None if !other.kind.writes() && store.coordinates == other.coordinates => Way::SameIndex,
            None => Way::Index,
        };
        let elsewhere = Elsewhere { span: other.span, way };
        // One store alone may meet itself in other threads.
        let doubt = if other.span == store.span { doubt_of(store) } else { RaceDoubt::Written(elsewhere) };
        self.proven.diagnostics.push(match other.kind.writes() {
            true => diagnostics::race_unproven(store.span, &name, store.storing(), &doubt, None),
            false => diagnostics::race_read(store.span, &name, &elsewhere, store.kind.is_atomic()),
        });
    }

    /// Warns about an output that is not fully written. Stores under conditions that masks cannot state are not judged.
    fn check_written(&mut self, memory: Memory, records: &[&AccessRecord]) {
        // Errors elsewhere may be the reason for a missing store.
        if self.is_unfinished() {
            return;
        }
        let spans = memory.param().and_then(|param| self.typed.record.param_spans.get(param));
        let Some((span, element)) = spans.copied() else { return };
        let name = self.typed.memories.name(memory);
        if !records.iter().any(|record| record.kind.writes()) {
            if let Some(word) = self.typed.memories.element_of(memory) {
                self.proven.outputs.push(diagnostics::never_written(span, &name, element, word));
            }
            return;
        }
        let [store] = records else { return };
        let Some(reached) = store.reached() else { return };
        if store.kind != AccessKind::Store || !reached.exact {
            return;
        }
        let Ok(size) = (Shape { dims: self.typed.memories.shape(memory) }).size() else { return };
        let slots = [Sym::zero()..size];
        let verdict = proofs::covers(&reached.map, &slots, &self.evaluator.facts, &self.evaluator.budget());
        let remedy = verdict.obligation().map(|fact| self.evaluator.remedy(vec![fact.clone()]));
        if let Verdict::Refuted { counterexample, .. } = verdict
            && let CounterexampleKind::Unwritten { lower } = &counterexample.kind
        {
            let element = self.element(memory, lower.first().copied().unwrap_or(0), &counterexample.sizes);
            self.note_refuted(memory, &reached.map, &counterexample, store.span);
            let found = diagnostics::not_fully_written(store.span, &name, &element, &counterexample.sizes, remedy);
            self.proven.outputs.push(found);
        }
    }

    /// The element at a position in the tensor's storage.
    fn element(&self, memory: Memory, position: i64, sizes: &BTreeMap<Symbol, i64>) -> Element {
        let known = |dim: &Sym| dim.evaluate(&|symbol| sizes.get(symbol).copied()).ok();
        let dims: Option<Vec<i64>> = self.typed.memories.shape(memory).iter().map(known).collect();
        let Some(dims) = dims.filter(|dims| dims.iter().all(|dim| *dim > 0)) else {
            return Element::Index(vec![position]);
        };
        // A position beyond the tensor counts on along the slowest dimension.
        let mut digits = digits(position, dims.iter().skip(1).rev().copied());
        let mut index: Vec<i64> = digits.by_ref().collect();
        index.extend((!dims.is_empty()).then_some(digits.rest()));
        index.reverse();
        Element::Index(index)
    }
}

impl AccessRecord {
    /// The map to the elements that the access reaches, if it is known.
    pub(super) fn reached(&self) -> Option<&Composed> {
        match &self.scattered {
            Some(scattered) => scattered.points.as_deref(),
            None => Some(&self.composed),
        }
    }

    /// Who stores.
    fn storing(&self) -> Storing {
        match &self.scattered {
            Some(Scattered { last, .. }) => Storing::Scattered(*last),
            None if self.tile.is_some() => Storing::Tile,
            None if self.of_block => Storing::Block,
            None => Storing::Thread,
        }
    }

    /// A map that reaches a superset of the access's elements, in the same threads.
    fn reach(&self) -> &Composed {
        self.unconditional.as_ref().unwrap_or(&self.composed)
    }

    /// A map that reaches every element of the access for any data.
    fn without_data(&self) -> &Composed {
        self.without_data.as_ref().unwrap_or(&self.composed)
    }
}

/// Whether a coordinate stands for a value that is uniform across the launch.
fn is_axis_of(uniform: &[UniformValue], axis: usize) -> bool {
    uniform.iter().filter(|known| known.everywhere).flat_map(|known| &known.axes).any(|(known, _)| *known == axis)
}

/// A map with a symbol in the place of each uniform coordinate.
fn with_symbols(map: &IndexMap, uniform: &[UniformValue], facts: &Facts) -> Result<IndexMap, MapError> {
    let is_uniform = |axis: usize| is_axis_of(uniform, axis);
    let axes = map.upper.iter().enumerate();
    let upper = axes.filter(|(axis, _)| !is_uniform(*axis)).map(|(_, axis)| axis.clone()).collect();
    maps::with_coordinates(map, upper, facts, |builder| {
        let mut place = 0;
        let coordinate = |axis: usize| {
            if is_uniform(axis) {
                // No name in a program has a space.
                let symbol = Symbol::coordinate(format_smolstr!("uniform {axis}"), 0);
                return Ok(Affine::constant(Sym::symbol(symbol)));
            }
            place += 1;
            builder.coordinate(place - 1)
        };
        (0..map.upper.len()).map(coordinate).collect()
    })
}

/// Whether two accesses are one, at two places. Equal maps over different values that all threads share, `p` and `q`, are two.
fn same_access(left: &AccessRecord, right: &AccessRecord) -> bool {
    let [one, other] = [left, right].map(|record| &record.composed);
    one.map == other.map
        && one.uniform == other.uniform
        && left.coordinates == right.coordinates
        && left.owner == right.owner
}

/// Whether two points of one block differ only in coordinates on which no element depends: then all threads write the same one.
/// The first coordinate of threads is the block.
fn differ_by_unused_threads(map: &IndexMap, [first, second]: [&[i64]; 2]) -> bool {
    let is_used =
        |axis: usize| map.terms.iter().any(|term| matches!(term, Term::Coordinate(used) if *used as usize == axis));
    let block = map.upper.iter().position(|axis| axis.role == AxisRole::Thread);
    let mut differing =
        first.iter().zip(second).enumerate().filter(|(_, (one, other))| one != other).map(|(axis, _)| axis);
    differing.all(|axis| Some(axis) != block && !is_used(axis))
}

/// Why it is not known which elements threads write by a store.
fn doubt_of(store: &AccessRecord) -> RaceDoubt {
    if store.composed.of_data { RaceDoubt::Data } else { RaceDoubt::Formula }
}
