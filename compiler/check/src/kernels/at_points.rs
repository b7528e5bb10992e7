//! Accesses whose indices no map states, but which can be computed in every thread: bounds and races are decided by going through all
//! of them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::checker::Checker;
use super::claims::{AccessRecord, Below};
use super::executor::{executor, is_thread};
use super::pairs::{Among, Common, Conflict, Meeting};
use super::pointwise::Pointwise;
use super::prover::Prover;
use super::raised::Composed;
use crate::diagnostics::{Executor, Indexed};
use dims::Sym;
use kernel::raise::ValueId;
use kernel::typed::{Claim, Memory};
use maps::{CompiledMap, Domain};

/// The most accesses of a tensor that are gone through.
const MOST_ACCESSES: usize = 16;
/// The most points of an access that a map states.
const MOST_POINTS: u128 = 1 << 14;

/// What an index does in all threads.
pub(super) enum AtPoints {
    /// It stays inside.
    Inside,
    /// This thread leaves, with this index.
    Leaves(Executor, i64),
}

/// An element that an access reaches.
struct Visit {
    element: i64,
    thread: [i64; 2],
    /// The number of the point.
    point: usize,
}

impl Checker<'_> {
    /// The indices of an access of a tensor in every thread, if no map states them and they can be computed.
    pub(super) fn pointwise(&mut self, access: &AccessRecord, indices: &[ValueId]) -> Option<Arc<Pointwise>> {
        let is_direct = access.view.is_none() && access.is_of_thread() && access.memory.param().is_some();
        if access.composed.exact || !access.executed || !is_direct {
            return None;
        }
        let points = self.raiser.points(indices)?;
        let name = |local| Some(self.locals.get(local)?.name.clone());
        let names = points.iterators.iter().map(|local| name(*local)).collect::<Option<Vec<SmolStr>>>()?;
        Some(Arc::new(Pointwise { points, names }))
    }
}

impl Prover<'_> {
    /// What the index of a claim does in all threads, if that is known.
    pub(super) fn at_points(&self, Below { claim, indexed, .. }: &Below, record: &AccessRecord) -> Option<AtPoints> {
        let (Claim::WithinView(bound), Indexed::Index { position, .. }) = (claim, indexed) else { return None };
        let (bound, pointwise) = (bound.as_constant()?, record.pointwise.as_ref()?);
        for point in pointwise.points.iter() {
            let index = *point.values.get(*position)?;
            if !(0..bound).contains(&index) {
                return pointwise.points.exact.then(|| AtPoints::Leaves(pointwise.executor(&point), index));
            }
        }
        Some(AtPoints::Inside)
    }

    /// Whether it is known that accesses do not conflict, or where two of them do, once all points are gone through, or those at a
    /// choice are told apart by its alternatives.
    pub(super) fn is_decided_otherwise(&mut self, memory: Memory, records: &[&AccessRecord]) -> bool {
        if self.is_decided_by_points(memory, records) {
            return true;
        }
        let Some(all) = with_alternatives(records) else { return false };
        match self.conflict(&all, Among::Threads) {
            Conflict::Never => true,
            Conflict::At([first, second], meeting) if second.kind.writes() => {
                self.report_meeting(memory, [first, second], &meeting);
                true
            }
            Conflict::At(..) | Conflict::Open(_) => false,
        }
    }

    /// Whether it is known that no two threads meet in accesses of a tensor, or which do.
    fn is_decided_by_points(&mut self, memory: Memory, records: &[&AccessRecord]) -> bool {
        if records.len() > MOST_ACCESSES || records.iter().all(|record| record.pointwise.is_none()) {
            return false;
        }
        // For each element, the accesses that have reached it, each with two threads at most: one of them is not a third one.
        let mut reached: FxHashMap<i64, Vec<(usize, [i64; 2], usize)>> = FxHashMap::default();
        for (number, access) in records.iter().enumerate() {
            self.evaluator.db.unwind_if_revision_cancelled();
            let Some(visits) = self.visits(memory, access) else { return false };
            for Visit { element, thread, point } in visits {
                let before = reached.entry(element).or_default();
                let meets = |(other, own, _): &&(usize, [i64; 2], usize)| {
                    *own != thread && records[*other].kind.conflicts_with(access.kind)
                };
                if let Some((other, _, first)) = before.iter().find(meets) {
                    return self.report_at_points(memory, [(records[*other], *first), (access, point)], element);
                }
                let mut own = before.iter().filter(|(other, ..)| *other == number);
                if own.clone().count() < 2 && own.all(|(_, own, _)| *own != thread) {
                    before.push((number, thread, point));
                }
            }
        }
        true
    }

    /// Reports that two accesses write an element in two threads, if they are executed there.
    fn report_at_points(&mut self, memory: Memory, meet: [(&AccessRecord, usize); 2], element: i64) -> bool {
        let executors = meet.map(|(access, point)| executor_at(access, point).filter(|_| access.kind.writes()));
        let [Some(first), Some(second)] = executors else { return false };
        let meeting =
            Meeting { threads: [first, second], lower: vec![element], common: Common::Element, sizes: BTreeMap::new() };
        self.report_meeting(memory, meet.map(|(access, _)| access), &meeting);
        true
    }

    /// The elements that an access reaches, in every thread.
    fn visits(&self, memory: Memory, access: &AccessRecord) -> Option<Vec<Visit>> {
        let Some(pointwise) = &access.pointwise else {
            return of_map(&access.composed).filter(|_| access.composed.exact && access.is_of_thread());
        };
        let shape = self.typed.memories.shape(memory);
        let extents = shape.iter().skip(1).map(Sym::as_constant).collect::<Option<Vec<i64>>>()?;
        let visit = |(point, found): (usize, kernel::raise::Point<'_>)| {
            let (first, rest) = found.values.split_first()?;
            let next = |element: i64, (extent, index): (&i64, &i64)| element.checked_mul(*extent)?.checked_add(*index);
            let element = extents.iter().zip(rest).try_fold(*first, next)?;
            Some(Visit { element, thread: found.thread, point })
        };
        pointwise.points.iter().enumerate().map(visit).collect()
    }
}

/// Accesses with those at a choice told apart by its alternatives; `None` if there is no choice.
pub(super) fn with_alternatives<'r>(records: &[&'r AccessRecord]) -> Option<Vec<&'r AccessRecord>> {
    let of = |record: &&'r AccessRecord| match record.alternatives.as_slice() {
        [] => vec![*record],
        alternatives => alternatives.iter().collect(),
    };
    let has_choice = records.iter().any(|record| !record.alternatives.is_empty());
    has_choice.then(|| records.iter().flat_map(of).collect())
}

/// The elements that a map reaches, if its sizes are known and it has few points.
fn of_map(Composed { map, .. }: &Composed) -> Option<Vec<Visit>> {
    let compiled = CompiledMap::new(map, Domain::Tight).ok().filter(|compiled| compiled.points() <= MOST_POINTS)?;
    let mut ids = (0..map.upper.len()).filter(|axis| is_thread(map.upper[*axis].role));
    let (block, thread) = (ids.next()?, ids.next()?);
    let mut visits = Vec::new();
    let walked = compiled.visit(&|| false, |chunk| {
        for (lane, element) in chunk.lower(0).iter().enumerate().take(chunk.length) {
            let id = |axis: usize| chunk.coordinate(axis).get(lane).copied();
            if let (Some(true), Some(block), Some(thread)) = (chunk.valid().get(lane), id(block), id(thread)) {
                let point = usize::try_from(chunk.first).unwrap_or(usize::MAX).saturating_add(lane);
                visits.push(Visit { element: *element, thread: [block, thread], point });
            }
        }
        ControlFlow::Continue(())
    });
    walked.ok().map(|()| visits)
}

/// Who executes a point of an access; `None` if that is not known.
fn executor_at(access: &AccessRecord, point: usize) -> Option<Executor> {
    match &access.pointwise {
        Some(pointwise) => {
            let found = pointwise.points.iter().nth(point).filter(|_| pointwise.points.exact)?;
            Some(pointwise.executor(&found))
        }
        None => {
            let compiled = CompiledMap::new(&access.composed.map, Domain::Tight).ok()?;
            Some(executor(&access.composed, &compiled.coordinates(point as u128), &BTreeMap::new()))
        }
    }
}
