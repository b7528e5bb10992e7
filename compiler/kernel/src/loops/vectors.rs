//! Loops whose contiguous elements can be loaded and stored as vectors.
//!
//! A loop with a known trip count can run several iterations at a time: first every access that is proven to reach
//! aligned vectors (T8) is loaded into an array, then the iterations run in order on the arrays, and then the arrays
//! that they wrote are stored. This only moves accesses, and only where nothing else in the loop can observe it: a
//! tensor that is written is accessed in one way only.
//!
//! At the edge of a tensor a mask may hold for only some elements of a vector. If each of its comparisons is monotone
//! along the vector, a vector is whole if they hold at its first and last element; other vectors are accessed element
//! by element.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::access::{Access, AccessId};
use super::node::{LoopId, Node, ValueId};
use super::{For, List, Loops, StepKind, Truth};
use crate::typed::{Memory, SharedArray};
use dims::{CompareOp, Interval};
use elements::ElementType;
use proofs::Budget;
use proofs::memory::{ElementSize, vector_width};

/// The most bytes of one tensor that a thread holds at a time, to avoid spills.
const MOST_BYTES: i64 = 64;
/// The most points that are enumerated for one access, for a map of known size.
const MOST_POINTS: u64 = 1 << 16;

/// How a loop over `0..count` runs with vectors.
#[derive(Clone, Debug)]
pub struct VectorLoop {
    /// The number of iterations.
    pub count: i64,
    /// How many iterations run at a time.
    pub step: i64,
    /// The vector accesses.
    pub groups: Vec<Group>,
}

/// The accesses of a loop that reach the same element in each iteration.
#[derive(Clone, Debug)]
pub struct Group {
    /// The accesses; they differ only in their position in the text.
    pub accesses: Vec<AccessId>,
    /// The type of the elements.
    pub element: ElementType,
    /// How many elements a vector has.
    pub width: i64,
    /// Whether the loop reads the element.
    pub is_loaded: bool,
    /// Whether the loop writes the element.
    pub is_stored: bool,
    /// If the mask may hold for a part of a vector: the comparisons that make a vector whole, each with the iteration
    /// within the vector at which it must hold.
    pub whole: Vec<(ValueId, i64)>,
    /// Whether the element's computation in the loop needs the mask; otherwise masking the vector stores is enough.
    pub needs_mask: bool,
}

/// One access in the loop.
struct Occurrence<'l> {
    id: AccessId,
    access: &'l Access,
    /// Whether it happens in every iteration in which its own mask holds.
    is_certain: bool,
    /// The statement that it belongs to.
    statement: usize,
}

/// Every loop of a kernel that can run with vectors; `poll` is called for each statement, and may
/// unwind to cancel the work.
pub fn vector_loops(loops: &Loops<'_>, poll: &dyn Fn()) -> BTreeMap<LoopId, VectorLoop> {
    let mut found = BTreeMap::new();
    let mut open: Vec<&List> = vec![&loops.body];
    while let Some(list) = open.pop() {
        for step in &list.steps {
            poll();
            if let StepKind::For(counted) = &step.kind
                && let Some(vectors) = loops.vector_loop(counted, poll)
            {
                found.insert(counted.id, vectors);
            }
            open.extend(step.kind.lists());
        }
    }
    found
}

impl VectorLoop {
    /// The index of the group that an access belongs to.
    pub fn group(&self, access: AccessId) -> Option<usize> {
        self.groups.iter().position(|group| group.accesses.contains(&access))
    }

    /// A store to an array needs no mask if nothing reads the array after it, and if its value reads only arrays, so
    /// that it can be computed without the mask.
    fn decide_masks(&mut self, all: &[Occurrence<'_>]) {
        let needs_mask = |group: &Group| {
            let own = || all.iter().filter(|found| group.accesses.contains(&found.id));
            let stores: BTreeSet<usize> =
                own().filter(|found| found.access.kind.writes()).map(|found| found.statement).collect();
            let first = stores.first().copied();
            let is_read_after = own().any(|found| !found.access.kind.writes() && Some(found.statement) > first);
            let reads_other = |found: &Occurrence<'_>| {
                !found.access.kind.writes() && stores.contains(&found.statement) && self.group(found.id).is_none()
            };
            first.is_some() && (is_read_after || all.iter().any(reads_other))
        };
        let needed: Vec<bool> = self.groups.iter().map(needs_mask).collect();
        for (group, needs_mask) in self.groups.iter_mut().zip(needed) {
            group.needs_mask = needs_mask;
        }
    }
}

impl Loops<'_> {
    /// The plan for a loop; `None` if it has no vector accesses.
    fn vector_loop(&self, counted: &For, poll: &dyn Fn()) -> Option<VectorLoop> {
        let [low, high] = counted.ends.map(|end| self.known(end));
        let count = high.filter(|count| low == Some(0) && *count > 1)?;
        let all = self.occurrences(&counted.body)?;
        let mut groups = self.groups(&all);
        for group in &mut groups {
            (group.width, group.whole) = self.width(group, counted, count, poll);
        }
        groups.retain(|group| group.width > 1);
        let largest = groups.iter().map(|group| ElementSize::from(group.element).bytes()).max()?;
        let step = groups.iter().map(|group| group.width).max()?.min(MOST_BYTES / largest);
        for group in &mut groups {
            group.width = group.width.min(step);
            group.whole.iter_mut().for_each(|(_, iteration)| *iteration = (*iteration).min(group.width - 1));
        }
        let mut vectors = VectorLoop { count, step, groups };
        vectors.decide_masks(&all);
        Some(vectors)
    }

    /// The value as a known number.
    fn known(&self, id: ValueId) -> Option<i64> {
        self.values.form(id)?.as_constant()?.as_constant()
    }

    /// The accesses of a body; `None` if it has other statements than assignments and stores.
    fn occurrences(&self, body: &List) -> Option<Vec<Occurrence<'_>>> {
        let mut all = Vec::new();
        for (statement, step) in body.steps.iter().enumerate() {
            let mask = match &step.kind {
                StepKind::Assign { .. } => None,
                StepKind::Store { access, .. } => self.access(*access)?.mask,
                _ => return None,
            };
            for id in &step.accesses {
                let access = self.access(*id)?;
                // The operands of a masked store are computed only where its mask holds. What is in shared memory wherever the mask
                // holds or not may be read all the same.
                let is_needed = mask.is_none() || access.mask == mask || self.is_always_in_block(access);
                let is_certain = access.unconditional && is_needed;
                all.push(Occurrence { id: *id, access, is_certain, statement });
            }
        }
        Some(all)
    }

    /// Whether an access reaches an element of a shared array whatever conditions hold.
    fn is_always_in_block(&self, access: &Access) -> bool {
        let array = access.array().and_then(|array| self.values.kernel.shared.get(array));
        let length = array.and_then(SharedArray::known_length);
        let all = length.map(|length| Interval { lo: Some(0), hi: Some(i128::from(length) - 1) });
        access.mask.is_none() && all.is_some_and(|all| self.values.range(access.offset).lies_in(all))
    }

    /// The accesses that can be moved before and after the iterations.
    fn groups(&self, all: &[Occurrence<'_>]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut ways: BTreeMap<Memory, usize> = BTreeMap::new();
        for Occurrence { id, access, .. } in all {
            let Some(element) = self.values.kernel.element(access.memory) else { continue };
            let is_same = |group: &Group| group.accesses.first().is_some_and(|first| self.is_same(*first, access));
            let place = groups.iter().position(is_same).unwrap_or_else(|| {
                *ways.entry(access.memory).or_default() += 1;
                groups.push(Group {
                    accesses: Vec::new(),
                    element,
                    width: 1,
                    is_loaded: false,
                    is_stored: false,
                    whole: Vec::new(),
                    needs_mask: false,
                });
                groups.len() - 1
            });
            if let Some(group) = groups.get_mut(place) {
                group.accesses.push(*id);
                group.is_loaded |= !access.kind.writes();
                group.is_stored |= access.kind.writes();
            }
        }
        let memory_of = |group: &Group| group.accesses.first().and_then(|first| Some(self.access(*first)?.memory));
        let written: BTreeSet<Memory> =
            all.iter().filter(|found| found.access.kind.writes()).map(|found| found.access.memory).collect();
        groups.retain(|group| {
            // Another access may reach the same element, so the order must be kept.
            let is_alone =
                memory_of(group).is_some_and(|memory| !written.contains(&memory) || ways.get(&memory) == Some(&1));
            is_alone && all.iter().any(|found| found.is_certain && group.accesses.contains(&found.id))
        });
        groups
    }

    /// Whether two accesses reach the same elements under the same condition.
    fn is_same(&self, first: AccessId, other: &Access) -> bool {
        self.access(first).is_some_and(|one| {
            (one.memory, one.offset, one.mask) == (other.memory, other.offset, other.mask)
                && one.coordinates == other.coordinates
                && one.map == other.map
        })
    }

    /// The proven vector width over successive iterations, and the conditions for a vector to be whole.
    fn width(&self, group: &Group, counted: &For, count: i64, poll: &dyn Fn()) -> (i64, Vec<(ValueId, i64)>) {
        let single = (1, Vec::new());
        let Some(access) = group.accesses.first().and_then(|first| self.access(*first)) else { return single };
        let mut parts = [Some(access.offset), access.mask].into_iter().flatten();
        if !parts.all(|part| self.is_settled(part, counted.id)) {
            return single;
        }
        let masked = self.proven_width(access, counted, count, poll);
        let Some(mask) = access.mask.filter(|_| masked == 1) else { return (masked, Vec::new()) };
        let mut open = access.clone();
        Arc::make_mut(&mut open.map).masks.clear();
        let width = self.proven_width(&open, counted, count, poll);
        self.whole(mask, counted, width).map_or(single, |whole| (width, whole))
    }

    fn proven_width(&self, access: &Access, counted: &For, count: i64, poll: &dyn Fn()) -> i64 {
        // Registers have no addresses.
        if self.values.kernel.is_held_by_thread(access.memory) {
            return 1;
        }
        let Some(element) = self.values.kernel.element(access.memory) else { return 1 };
        let Some(map) = self.values.reached(access, counted) else { return 1 };
        let cancelled = || {
            poll();
            false
        };
        let budget = Budget { points: MOST_POINTS, ..Budget::editing(&cancelled) };
        let found = vector_width(&map, element.into(), self.values.facts(), &budget);
        let mut width = found.map_or(1, |found| found.width);
        while count % width != 0 {
            width /= 2;
        }
        width
    }

    /// The comparisons of a mask, each with the iteration within a vector at which it fails first. `None` if that is
    /// not known.
    fn whole(&self, mask: ValueId, counted: &For, width: i64) -> Option<Vec<(ValueId, i64)>> {
        let mut whole = Vec::new();
        for condition in self.values.conjuncts(mask) {
            let Truth::Compare(form, op) = &self.values.get(condition)?.truth else { return None };
            let slope = self.values.slope(form, counted.id)?;
            let fails_last = match op {
                _ if slope == 0 => false,
                CompareOp::Lt | CompareOp::Le => slope > 0,
                CompareOp::Gt | CompareOp::Ge => slope < 0,
                CompareOp::Eq | CompareOp::Ne => return None,
            };
            whole.push((condition, if fails_last { width - 1 } else { 0 }));
        }
        Some(whole)
    }

    /// Whether an index grows by one from each iteration of a loop to the next.
    pub fn moves_with(&self, id: ValueId, counted: LoopId) -> bool {
        let form = self.values.form(id).filter(|_| self.values.element(id) == ElementType::I64);
        form.and_then(|form| self.values.slope(&form, counted)) == Some(1)
    }

    /// Whether a value depends only on the iteration of a loop and on values from before the loop.
    fn is_settled(&self, id: ValueId, within: LoopId) -> bool {
        let (mut open, mut seen) = (vec![id], BTreeSet::new());
        while let Some(id) = open.pop() {
            let Some(value) = self.values.get(id).filter(|_| seen.insert(id)) else { continue };
            match &value.node {
                Node::Load(_) | Node::Shuffled(_) => return false,
                Node::Merge(_) if value.loops.contains(&within) => return false,
                node => open.extend(node.operands()),
            }
        }
        true
    }
}
