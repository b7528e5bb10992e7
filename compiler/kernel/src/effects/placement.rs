//! Where barriers are needed: a pass over the regions that tracks the accesses not ordered yet.
//!
//! A list of statements is visited in the order of the text. An access stays *pending* until a barrier orders it; a
//! barrier of a class orders it for the threads of one instance of that class. The body of a loop is visited once for
//! the accesses of one iteration, and then twice against the pending accesses of earlier iterations: those of the
//! iteration before, and those of any earlier one. So the cost does not depend on the numbers of threads and
//! iterations, and each loop around a statement adds only two passes over it.

use std::collections::{BTreeMap, BTreeSet};

use super::conflicts::{Conflict, Conflicts, Evidence, Pairs};
use super::pending::{History, Pass, Pending};
use super::regions::{List, Step, StepKind};
use super::uniform::{BLOCK, Classes};
use crate::loops::{AccessId, LoopId, ValueId};
use crate::typed::{AccessKind, Scope, SharedId};
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
    pub array: SharedId,
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

    /// Orders a pending access before another one. Where that is impossible, it reports why, unless both do no harm to
    /// each other.
    fn separate(&mut self, place: usize, access: AccessId, is_needed: bool, pass: &mut Pass) {
        let Some(pending) = pass.pending.get(place) else { return };
        let (first, is_across) = (pending.access, pending.is_across);
        let mut pairs = Pairs { apart: pending.ordered.clone(), together: None };
        let mut conflict = self.conflicts.ask(first, access, pass.carried, &pairs);
        if conflict == Conflict::Never {
            return;
        }
        let mut divergence = None;
        for (class, level) in self.candidates(place, is_across, pass) {
            let inner = Pairs { together: Some(class), ..pairs.clone() };
            if class != BLOCK && self.conflicts.ask(first, access, pass.carried, &inner) == Conflict::Never {
                continue;
            }
            if let Some(condition) = self.divergence_at(level, class) {
                divergence = divergence.or(Some(condition));
                continue;
            }
            self.is_missing = true;
            if !self.places {
                return;
            }
            self.place(level, first, access, pass);
            if class == BLOCK {
                return;
            }
            if !pairs.apart.contains(&class) {
                pairs.apart.push(class);
            }
            conflict = self.conflicts.ask(first, access, pass.carried, &pairs);
            if conflict == Conflict::Never {
                return;
            }
        }
        if is_needed {
            self.is_missing = true;
            self.report(first, access, conflict, divergence);
        }
    }

    /// Lets threads wait for their copies before another access of the same thread reaches an element of them.
    fn land(&mut self, place: usize, access: AccessId, pass: &mut Pass) {
        let Some(pending) = pass.pending.get(place).filter(|pending| !pending.is_landed) else { return };
        let first = pending.access;
        if first == access && pass.carried.is_none()
            || !self.conflicts.may_meet(first, access, pass.carried, Relation::EQUAL)
        {
            return;
        }
        // The outermost one, so that no loop around the access waits again in each iteration.
        let begun = self.levels.iter().skip(pass.outermost).find(|level| place < level.start);
        let Some((statement, start)) = begun.map(|level| (level.statement, level.start)) else {
            self.is_missing = true;
            self.report(first, access, Conflict::Open, None);
            return;
        };
        self.is_missing = true;
        if self.places {
            self.waits.insert(statement);
            pass.land(start);
        }
    }

    /// Orders a pending access of an array for exchange before another one, among threads of one instance: they run the
    /// statements around it together, wherever these stand. Those of different instances do not meet, nor do those on the two sides of a branch,
    /// whose condition is the same for all of an instance.
    fn separate_exchange(&mut self, place: usize, access: AccessId, class: usize, pass: &mut Pass) {
        let Some(pending) = pass.pending.get(place) else { return };
        if pending.ordered.contains(&class) {
            pass.pending.close(place);
            return;
        }
        if pending.is_across {
            return;
        }
        let first = pending.access;
        let begun = || self.levels.iter().skip(pass.outermost).rev().filter(|level| place < level.start);
        let of_all = begun().find(|level| level.together & (1 << class) != 0);
        // No statement has both a store and a load of such an array.
        let Some(level) = of_all.or_else(|| begun().next()) else { return };
        self.is_missing = true;
        if !self.places {
            return;
        }
        let (statement, start) = (level.statement, level.start);
        let loops = &self.conflicts.regions.loops;
        let (Some(before), Some(after)) = (loops.access(first), loops.access(access)) else { return };
        let array = after.array().and_then(|array| loops.values.kernel.shared.get(array));
        let Some(scope) = array.and_then(|array| array.exchanged_by) else { return };
        let needed = Needed { scope, class, before: before.span, after: after.span };
        self.barriers.entry(statement).or_insert(needed);
        pass.order(start, class);
    }

    /// The lists where a barrier would order a pending access before the current one: of each class the outermost
    /// list that has begun a new statement since, the innermost class first.
    fn candidates(&self, place: usize, is_across: bool, pass: &Pass) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        if is_across {
            return found;
        }
        let levels = self.levels.iter().enumerate().skip(pass.outermost).rev();
        for (number, level) in levels.filter(|(_, level)| place < level.start) {
            match found.iter_mut().find(|(class, _)| *class == level.class) {
                Some(known) => known.1 = number,
                None => found.push((level.class, number)),
            }
        }
        found.retain(|(class, _)| self.conflicts.regions.classes.get(*class).is_some_and(|class| !class.is_thread));
        found
    }

    /// The condition that is divergent for the threads of a class on the way to a list.
    fn divergence_at(&self, level: usize, class: usize) -> Option<Span> {
        let here = self.levels.get(level)?;
        if here.together & (1 << class) != 0 {
            return None;
        }
        let conditions = self.levels.iter().take(level + 1).filter_map(|level| level.condition);
        conditions.filter(|(divided, _)| divided & (1 << class) != 0).map(|(_, span)| span).next()
    }

    fn place(&mut self, level: usize, first: AccessId, second: AccessId, pass: &mut Pass) {
        let loops = &self.conflicts.regions.loops;
        let (Some(level), Some(first), Some(second)) =
            (self.levels.get(level), loops.access(first), loops.access(second))
        else {
            return;
        };
        let needed = Needed { scope: level.scope, class: level.class, before: first.span, after: second.span };
        self.barriers.entry(level.statement).or_insert(needed);
        pass.order(level.start, level.class);
    }

    fn report(&mut self, first: AccessId, second: AccessId, conflict: Conflict, divergence: Option<Span>) {
        let loops = &self.conflicts.regions.loops;
        let (Some(one), Some(other)) = (loops.access(first), loops.access(second)) else { return };
        let accessed = |number: AccessId| {
            loops.access(number).map(|access| Accessed { span: access.span, store: access.kind.writes() })
        };
        let (Some(first), Some(second)) = (accessed(first), accessed(second)) else { return };
        let evidence = match conflict {
            Conflict::Certain(witness) => Evidence::Witness(witness),
            // Whether the condition is the same for all threads is not known then.
            _ if divergence.is_some() && self.conflicts.uniform.is_cut_short => Evidence::OutOfSteps,
            // A possible pair is named for a divergent barrier, but not for a race.
            Conflict::Possible(witness) if divergence.is_some() => Evidence::Witness(witness),
            Conflict::Never | Conflict::Open | Conflict::Possible(_) => Evidence::Open,
            Conflict::OutOfSteps => Evidence::OutOfSteps,
        };
        let is_known = |known: &Unordered| {
            let spans = [known.first.span, known.second.span];
            // That the steps ran out is said once.
            spans == [one.span, other.span]
                || spans == [other.span, one.span]
                || [known.evidence, evidence] == [Evidence::OutOfSteps; 2]
        };
        if !self.unordered.iter().any(is_known) {
            let Some(array) = one.array() else { return };
            self.unordered.push(Unordered { array, first, second, evidence, divergence });
        }
    }
}
