//! Where barriers are needed: a pass over the regions that tracks the accesses not ordered yet.
//!
//! A list of statements is visited in the order of the text. An access stays *pending* until a barrier orders it; a
//! barrier of a class orders it for the threads of one instance of that class. The body of a loop is visited once for
//! the accesses of one iteration, and then twice against the pending accesses of earlier iterations: those of the
//! iteration before, and those of any earlier one. So the cost does not depend on the numbers of threads and
//! iterations, and each loop around a statement adds only two passes over it.

mod ordering;

use std::collections::{BTreeMap, BTreeSet};

use super::conflicts::{Conflicts, Evidence};
use super::pending::{History, Pass, Pending};
use super::regions::{List, Step, StepKind};
use super::uniform::{BLOCK, Classes};
use crate::loops::{AccessId, LoopId, ValueId};
use crate::typed::{AccessKind, Memory, Scope};
use proofs::Relation;
use syntax::span::Span;

/// The most pairs of unordered accesses that are reported.
const MOST_PROBLEMS: usize = 8;

/// One access of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// Where it stands.
    pub span: Span,
    /// Whether it is a write.
    pub store: bool,
}

/// A barrier that is needed before a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Needed {
    pub scope: Scope,
    pub class: usize,
    pub before: Span,
    pub after: Span,
}

/// Two accesses that no barrier can order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unordered {
    pub memory: Memory,
    pub first: Accessed,
    pub second: Accessed,
    pub evidence: Evidence,
    /// The divergent `if` or loop that prevents a barrier, if that is the reason.
    pub divergence: Option<Span>,
}

/// A list of statements that the pass is in.
struct Level {
    scope: Scope,
    class: usize,
    /// The classes for which control flow is uniform here.
    together: Classes,
    /// The condition around the list, with the classes for which it is divergent.
    condition: Option<(Classes, Span)>,
    /// The current statement, and how many accesses were pending at its start.
    statement: usize,
    start: usize,
}

pub(super) struct Placement<'a, 'k> {
    conflicts: &'a Conflicts<'a, 'k>,
    pub barriers: BTreeMap<usize, Needed>,
    pub unordered: Vec<Unordered>,
    /// The statements before which threads wait for copies of their own.
    pub waits: BTreeSet<usize>,
    levels: Vec<Level>,
    /// Whether missing barriers are placed; otherwise the pass only detects them.
    places: bool,
    is_missing: bool,
}

impl<'a, 'k> Placement<'a, 'k> {
    pub fn new(conflicts: &'a Conflicts<'a, 'k>) -> Placement<'a, 'k> {
        Placement {
            conflicts,
            barriers: BTreeMap::new(),
            unordered: Vec::new(),
            waits: BTreeSet::new(),
            levels: Vec::new(),
            places: true,
            is_missing: false,
        }
    }

    /// Places the barriers of a body.
    pub fn run(&mut self, body: &List) {
        let mut pass = Pass { pending: History::default(), carried: None, outermost: 0, adds: true };
        self.list(body, Classes::MAX, None, &mut pass);
    }

    /// Removes every barrier without which the others suffice.
    pub fn without_superfluous(&mut self, body: &List) {
        /// Each barrier takes another pass.
        const MOST_BARRIERS: usize = 64;
        if !(2..=MOST_BARRIERS).contains(&self.barriers.len()) {
            return;
        }
        let numbers: Vec<usize> = self.barriers.keys().copied().collect();
        for number in numbers {
            let (barriers, waits) = (self.barriers.clone(), self.waits.clone());
            let mut fewer = Placement { places: false, barriers, waits, ..Placement::new(self.conflicts) };
            fewer.barriers.remove(&number);
            fewer.run(body);
            if !fewer.is_missing {
                self.barriers = fewer.barriers;
            }
        }
    }

    /// Finds again where threads wait for copies of their own, now that all barriers are there.
    pub fn wait_again(&mut self, body: &List) {
        if !std::mem::take(&mut self.waits).is_empty() {
            self.run(body);
        }
    }

    fn list(&mut self, list: &List, together: Classes, condition: Option<(Classes, Span)>, pass: &mut Pass) {
        let (scope, class) = (list.scope, list.class);
        self.levels.push(Level { scope, class, together, condition, statement: 0, start: 0 });
        for step in &list.steps {
            if self.has_seen_enough() {
                break;
            }
            let start = pass.pending.len();
            if let Some(level) = self.levels.last_mut() {
                (level.statement, level.start) = (step.number, start);
            }
            if let Some(barrier) = self.barriers.get(&step.number) {
                pass.order(start, barrier.class);
            }
            if self.waits.contains(&step.number) {
                pass.land(start);
            }
            self.step(step, together, pass);
        }
        self.levels.pop();
    }

    fn has_seen_enough(&self) -> bool {
        self.unordered.len() >= MOST_PROBLEMS || (!self.places && self.is_missing)
    }

    fn step(&mut self, step: &Step, together: Classes, pass: &mut Pass) {
        for access in &step.accesses {
            self.access(*access, pass);
        }
        let uniform = |id: &ValueId| self.conflicts.uniform.classes(*id);
        match &step.kind {
            StepKind::Plain | StepKind::Shuffle(..) => {}
            StepKind::Collective(_, body) => self.list(body, together, None, pass),
            StepKind::Loop { number, ends, iterations, body } => {
                let same = ends.iter().map(uniform).fold(Classes::MAX, |all, one| all & one);
                let (together, condition) = (together & same, Some((!same, step.span)));
                self.repeat((*number, *iterations), body, (together, condition), pass);
            }
            StepKind::Branch { condition, then, otherwise } => {
                let same = uniform(condition);
                if otherwise.steps.is_empty() && self.only_exchanges(then) {
                    // No barrier stands inside, so the accesses before are ordered as they were.
                    self.list(then, together & same, Some((!same, step.span)), pass);
                    return;
                }
                self.branch(same, [then, otherwise], together & same, Some((!same, step.span)), pass);
            }
        }
    }

    /// Whether statements only access arrays for exchange, as the store of the first lane of a warp does.
    fn only_exchanges(&self, list: &List) -> bool {
        let regions = self.conflicts.regions;
        let is_exchange = |access: &AccessId| {
            regions.loops.access(*access).is_some_and(|access| regions.exchanged_by(access).is_some())
        };
        list.steps.iter().all(|step| matches!(step.kind, StepKind::Plain) && step.accesses.iter().all(is_exchange))
    }

    /// A branch whose condition is uniform for some classes.
    fn branch(
        &mut self,
        same: Classes,
        [then, otherwise]: [&List; 2],
        together: Classes,
        condition: Option<(Classes, Span)>,
        pass: &mut Pass,
    ) {
        let before = pass.pending.clone();
        self.list(then, together, condition, pass);
        let after = std::mem::replace(&mut pass.pending, before.clone());
        self.order_by_what_is_around(pass);
        let (was, of_then) = after.split_at(before.len().min(after.len()));
        // Threads with different values of the condition run both sides concurrently.
        if same & (1 << BLOCK) == 0 && !otherwise.steps.is_empty() {
            let classes = (0..self.conflicts.regions.classes.len()).filter(|class| same & (1 << class) != 0);
            let classes: Vec<usize> = classes.collect();
            pass.pending.extend(of_then.iter().map(|pending| {
                // Its thread comes by on one side only.
                let (is_over, is_across, is_landed) = (false, true, true);
                let mut across = Pending { ordered: Vec::new(), is_over, is_across, is_landed, ..pending.clone() };
                classes.iter().for_each(|class| across.order(*class));
                across
            }));
        }
        let start = pass.pending.len();
        self.list(otherwise, together, condition, pass);
        let end = start.min(pass.pending.len());
        let of_otherwise = pass.pending.split_off(end);
        pass.pending.truncate(before.len());
        pass.pending.iter_mut().zip(was).for_each(|(mine, other)| mine.join(other));
        pass.pending.extend(of_then.iter().cloned());
        pass.pending.extend(of_otherwise);
    }

    fn repeat(
        &mut self,
        (number, (least, most)): (LoopId, (i128, Option<i128>)),
        body: &List,
        (together, condition): (Classes, Option<(Classes, Span)>),
        pass: &mut Pass,
    ) {
        let before = pass.pending.clone();
        loop {
            self.list(body, together, condition, pass);
            let barriers = self.barriers.len();
            if pass.adds {
                // What the previous iteration left pending, and what of it is still pending an iteration later.
                let mut left: Vec<Pending> = pass.pending.iter().skip(before.len()).cloned().collect();
                for (relation, count) in [(Relation::Ahead(1), 2), (Relation::AtLeast(2), 3)] {
                    left.retain(|pending| !pending.is_over);
                    if left.is_empty() || most.is_some_and(|most| most < count) {
                        break;
                    }
                    let carried = Some((number, relation));
                    let mut again = Pass { pending: left.into(), carried, outermost: self.levels.len(), adds: false };
                    self.list(body, together, condition, &mut again);
                    left = again.pending.all;
                }
            }
            if barriers == self.barriers.len() || self.has_seen_enough() {
                break;
            }
            pass.pending.clone_from(&before);
            self.order_by_what_is_around(pass);
        }
        if least == 0 {
            pass.pending.iter_mut().zip(before.all).for_each(|(pending, before)| *pending = before);
            self.order_by_what_is_around(pass);
        }
    }

    /// Applies the barriers before the enclosing statements, which may have been placed after the pass entered them.
    fn order_by_what_is_around(&self, pass: &mut Pass) {
        for level in self.levels.iter().skip(pass.outermost) {
            if let Some(barrier) = self.barriers.get(&level.statement) {
                pass.order(level.start, barrier.class);
            }
            if self.waits.contains(&level.statement) {
                pass.land(level.start);
            }
        }
    }

    fn access(&mut self, number: AccessId, pass: &mut Pass) {
        (self.conflicts.poll)();
        let loops = &self.conflicts.regions.loops;
        let Some(access) = loops.access(number) else { return };
        let before = pass.pending.open();
        let own = pass.adds.then_some(pass.pending.len());
        if pass.adds {
            pass.pending.push(Pending {
                access: number,
                ordered: Vec::new(),
                is_over: false,
                is_across: false,
                is_landed: false,
            });
        }
        for place in before.iter().copied().chain(own) {
            let Some(pending) = pass.pending.get(place).filter(|pending| !pending.is_over) else { continue };
            let Some(earlier) = loops.access(pending.access) else { continue };
            if let Some(class) = self.conflicts.regions.exchanged_by(access) {
                if earlier.memory == access.memory && earlier.kind.conflicts_with(access.kind) {
                    self.separate_exchange(place, number, class, pass);
                }
                continue;
            }
            if earlier.kind == AccessKind::Copy && earlier.memory == access.memory {
                self.land(place, number, pass);
            }
            let Some(pending) = pass.pending.get(place).filter(|pending| !pending.is_over) else { continue };
            let Some(earlier) = loops.access(pending.access) else { continue };
            let [conflicts, is_seen] = [earlier.kind.conflicts_with(access.kind), earlier.kind.is_seen_by(access.kind)];
            if earlier.memory == access.memory && (conflicts || is_seen) && !self.has_seen_enough() {
                self.separate(place, number, conflicts, pass);
            }
        }
        if !pass.adds {
            return;
        }
        // An equal earlier access is redundant: whatever conflicts with it conflicts with this one, and whatever
        // orders this one orders it too.
        for place in before {
            let same = pass.pending.get(place).is_some_and(|pending| {
                let representative = loops.access(pending.access).map(|access| access.representative);
                representative == Some(access.representative) && pending.ordered.is_empty() && !pending.is_across
            });
            if same {
                pass.pending.close(place);
            }
        }
    }
}
