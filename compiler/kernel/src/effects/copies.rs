//! Which asynchronous copies are waited for, and where.
//!
//! A thread waits for all of its copies before each barrier and before it uses one of their elements itself, which placement has
//! made sure of. So a barrier orders copies as it orders stores. That leaves no copy on its way while the threads compute, except
//! for those that were begun since the last barrier. In a loop that fills a ring of stages, fewer copies have to be waited for: each
//! iteration commits its copies as one group, and a barrier waits until only the last groups are on their way, as many as are
//! shown to reach no element that is accessed before the next wait.

use std::collections::{BTreeMap, BTreeSet};

use super::conflicts::{Carried, Conflicts};
use super::placement::{Needed, Placement};
use super::regions::{List, Step, StepKind};
use super::uniform::BLOCK;
use crate::loops::{AccessId, LoopId};
use crate::typed::{AccessKind, CopyOrder, Memory};
use proofs::Relation;

/// The most groups that may be on their way at a barrier. Rings have few stages.
const MOST_PENDING: i64 = 7;

/// The most pairs of a copy and an access in a loop that are compared.
const MOST_PAIRS: usize = 256;

/// What stands before and after statements, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Orders {
    pub before: BTreeMap<usize, CopyOrder>,
    pub after: BTreeMap<usize, CopyOrder>,
}

/// The orders of the copies of a kernel whose barriers are placed.
pub(super) fn orders(conflicts: &Conflicts<'_, '_>, placement: &Placement<'_, '_>, body: &List) -> Orders {
    let mut orders = Orders::default();
    let is_copy = |access: &AccessId| kind_of(conflicts, *access) == Some(AccessKind::Copy);
    if !accesses_in(body).iter().any(is_copy) {
        return orders;
    }
    let all = CopyOrder::Wait { pending: 0 };
    orders.before.extend(placement.barriers.keys().chain(&placement.waits).map(|number| (*number, all)));
    let rings = Rings { conflicts, barriers: &placement.barriers, waits: &placement.waits };
    rings.list(body, &BTreeSet::new(), &mut orders);
    orders
}

/// Looks for loops that fill rings of stages.
struct Rings<'a, 'k> {
    conflicts: &'a Conflicts<'a, 'k>,
    barriers: &'a BTreeMap<usize, Needed>,
    waits: &'a BTreeSet<usize>,
}

/// A loop with one commit in each iteration.
struct Ring<'l> {
    number: LoopId,
    body: &'l List,
    /// The positions in the body of the statements that barriers stand before.
    barriers: Vec<usize>,
    /// The position of the statement that the commit stands after.
    commit: usize,
    /// The copies and the accesses of their arrays, each with its position.
    copies: Vec<(usize, AccessId)>,
    accesses: Vec<(usize, AccessId)>,
}

impl Rings<'_, '_> {
    /// `after` are the memories that are accessed after the list.
    fn list(&self, list: &List, after: &BTreeSet<Memory>, orders: &mut Orders) {
        let mut later = after.clone();
        for step in list.steps.iter().rev() {
            match &step.kind {
                StepKind::Loop { number, ends, body, .. } => {
                    // A loop that ends early commits a different number of times in each thread.
                    let ring = self.ring(*number, body).filter(|_| ends.len() == 2);
                    if let Some(ring) = ring.filter(|ring| self.is_last(ring, &later)) {
                        self.order(step, &ring, orders);
                    }
                }
                StepKind::Collective(_, body) => self.list(body, &later, orders),
                StepKind::Plain | StepKind::Branch { .. } | StepKind::Shuffle(..) => {}
            }
            later.extend(accesses_of(step).into_iter().filter_map(|access| self.memory(access)));
        }
    }

    fn memory(&self, access: AccessId) -> Option<Memory> {
        self.conflicts.regions.loops.access(access).map(|access| access.memory)
    }

    /// Whether nothing after the loop accesses what its copies reach.
    fn is_last(&self, ring: &Ring<'_>, later: &BTreeSet<Memory>) -> bool {
        let mut reached = ring.copies.iter().filter_map(|(_, copy)| self.memory(*copy));
        !reached.any(|memory| later.contains(&memory))
    }

    /// The loop as one with copies, if all of its barriers are the block's and stand between the statements of its body.
    fn ring<'l>(&self, number: LoopId, body: &'l List) -> Option<Ring<'l>> {
        let mut ring = Ring { number, body, barriers: Vec::new(), commit: 0, copies: Vec::new(), accesses: Vec::new() };
        for (position, step) in body.steps.iter().enumerate() {
            let inside = numbers_in(step);
            let is_waited = |number: &usize| self.barriers.contains_key(number) || self.waits.contains(number);
            if inside.iter().any(is_waited) || self.waits.contains(&step.number) {
                return None;
            }
            match self.barriers.get(&step.number) {
                Some(needed) if needed.class == BLOCK => ring.barriers.push(position),
                Some(_) => return None,
                None => {}
            }
            for access in accesses_of(step) {
                if kind_of(self.conflicts, access) == Some(AccessKind::Copy) {
                    ring.copies.push((position, access));
                    ring.commit = position;
                }
                ring.accesses.push((position, access));
            }
        }
        let reached: BTreeSet<Memory> = ring.copies.iter().filter_map(|(_, copy)| self.memory(*copy)).collect();
        ring.accesses.retain(|(_, access)| self.memory(*access).is_some_and(|memory| reached.contains(&memory)));
        let is_ring = !ring.barriers.is_empty() && !ring.copies.is_empty();
        (is_ring && ring.copies.len().saturating_mul(ring.accesses.len()) <= MOST_PAIRS).then_some(ring)
    }

    /// Waits for as few groups as possible in a ring, and for all copies around it.
    fn order(&self, around: &Step, ring: &Ring<'_>, orders: &mut Orders) {
        let Some(pending) = (1..=MOST_PENDING).rev().find(|pending| self.may_be_pending(ring, *pending)) else {
            return;
        };
        let Ok(pending) = u32::try_from(pending) else { return };
        for step in ring.barriers.iter().filter_map(|position| ring.body.steps.get(*position)) {
            orders.before.insert(step.number, CopyOrder::Wait { pending });
        }
        if let Some(step) = ring.body.steps.get(ring.commit) {
            orders.after.insert(step.number, CopyOrder::Commit);
        }
        // The groups that are counted are those of the loop.
        orders.before.insert(around.number, CopyOrder::Wait { pending: 0 });
        orders.after.insert(around.number, CopyOrder::Wait { pending: 0 });
    }

    /// Whether so many groups may be on their way at every barrier of the loop.
    fn may_be_pending(&self, ring: &Ring<'_>, pending: i64) -> bool {
        ring.accesses.iter().all(|(position, access)| {
            let on_their_way = on_their_way(ring, *position, pending);
            ring.copies.iter().filter(|(_, copy)| self.memory(*copy) == self.memory(*access)).all(|(from, copy)| {
                (0..on_their_way).all(|back| {
                    // Copies behind the access have not begun in the same iteration.
                    let carried: Carried = Some((ring.number, Relation::Ahead(back)));
                    back == 0 && (from > position || copy == access)
                        || !self.conflicts.may_meet(*copy, *access, carried, Relation::Any)
                })
            })
        })
    }
}

/// How many iterations, the own one included, have copies that may be on their way at a statement of the body, if so many groups may
/// be pending at each barrier.
fn on_their_way(ring: &Ring<'_>, position: usize, pending: i64) -> i64 {
    // A barrier stands before its statement, and the commit after its own.
    let is_after_commit = |barrier: usize| i64::from(barrier > ring.commit);
    match ring.barriers.iter().rev().find(|barrier| **barrier <= position) {
        Some(barrier) => pending + 1 - is_after_commit(*barrier),
        // The last one of the iteration before.
        None => pending + 2 - ring.barriers.last().map_or(0, |barrier| is_after_commit(*barrier)),
    }
}

fn kind_of(conflicts: &Conflicts<'_, '_>, access: AccessId) -> Option<AccessKind> {
    conflicts.regions.loops.access(access).map(|access| access.kind)
}

/// The lists within a statement.
fn lists(step: &Step) -> Vec<&List> {
    match &step.kind {
        StepKind::Plain | StepKind::Shuffle(..) => Vec::new(),
        StepKind::Loop { body, .. } | StepKind::Collective(_, body) => vec![body],
        StepKind::Branch { then, otherwise, .. } => vec![then, otherwise],
    }
}

/// The numbers of the statements within a statement.
fn numbers_in(step: &Step) -> Vec<usize> {
    lists(step)
        .into_iter()
        .flat_map(|list| &list.steps)
        .flat_map(|step| [vec![step.number], numbers_in(step)].concat())
        .collect()
}

/// The accesses of a statement and of those within it.
fn accesses_of(step: &Step) -> Vec<AccessId> {
    let inner = lists(step).into_iter().flat_map(accesses_in);
    step.accesses.iter().copied().chain(inner).collect()
}

fn accesses_in(list: &List) -> Vec<AccessId> {
    list.steps.iter().flat_map(accesses_of).collect()
}
