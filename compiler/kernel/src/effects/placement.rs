//! Where barriers are needed: a pass over the regions with the accesses that are not yet ordered.
//!
//! A list of statements is gone through in the order of the text. Whatever was accessed before stays *pending* until a
//! barrier orders it; a barrier of a class orders it for the threads that are in one instance of that class. The body of a
//! loop is gone through once for the accesses of one iteration, and then twice against what earlier iterations have left
//! pending: the iteration before, and any earlier one. So the cost depends neither on threads nor on iterations, and
//! each loop around a statement adds two passes over it and no more.

use std::collections::BTreeMap;

use super::meetings::{Meeting, Meetings, Pairs, Witness};
use super::pending::{History, Pass, Pending};
use super::regions::{List, Step, StepKind};
use super::uniform::{BLOCK, Classes};
use crate::loops::{AccessId, LoopId, ValueId};
use crate::typed::{Scope, SharedId};
use proofs::Relation;
use syntax::span::Span;

/// The most pairs of accesses of which it is said that no barrier helps.
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

/// Two accesses that no barrier keeps apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unordered {
    pub array: SharedId,
    pub first: Accessed,
    pub second: Accessed,
    pub witness: Option<Witness>,
    /// The `if` or the loop that keeps threads from coming to the barrier together, where that is why.
    pub divided_by: Option<Span>,
}

/// Where a pass is in a list of statements.
struct Level {
    scope: Scope,
    class: usize,
    /// The classes whose threads all come here together.
    together: Classes,
    /// What decided who comes here, with the classes that it divides.
    condition: Option<(Classes, Span)>,
    /// The statement, and how many accesses were pending when it began.
    statement: usize,
    start: usize,
}

pub(super) struct Placement<'a, 'k> {
    meetings: &'a Meetings<'a, 'k>,
    pub barriers: BTreeMap<usize, Needed>,
    pub unordered: Vec<Unordered>,
    levels: Vec<Level>,
    /// Whether barriers that are missing are placed; else it is only found out whether some are.
    places: bool,
    is_missing: bool,
}

impl<'a, 'k> Placement<'a, 'k> {
    pub fn new(meetings: &'a Meetings<'a, 'k>) -> Placement<'a, 'k> {
        Placement {
            meetings,
            barriers: BTreeMap::new(),
            unordered: Vec::new(),
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

    /// Leaves out every barrier without which the others are enough.
    pub fn without_superfluous(&mut self, body: &List) {
        /// Each barrier takes another pass.
        const MOST_BARRIERS: usize = 64;
        if !(2..=MOST_BARRIERS).contains(&self.barriers.len()) {
            return;
        }
        let numbers: Vec<usize> = self.barriers.keys().copied().collect();
        for number in numbers {
            let mut fewer =
                Placement { places: false, barriers: self.barriers.clone(), ..Placement::new(self.meetings) };
            fewer.barriers.remove(&number);
            fewer.run(body);
            if !fewer.is_missing {
                self.barriers = fewer.barriers;
            }
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
        let uniform = |id: &ValueId| self.meetings.uniform.classes(*id);
        match &step.kind {
            StepKind::Plain => {}
            StepKind::Collective(body) => self.list(body, together, None, pass),
            StepKind::Loop { number, ends, iterations, body } => {
                let same = ends.iter().map(uniform).fold(Classes::MAX, |all, one| all & one);
                let (together, condition) = (together & same, Some((!same, step.span)));
                self.repeat((*number, *iterations), body, (together, condition), pass);
            }
            StepKind::Branch { condition, then, otherwise } => {
                let same = uniform(condition);
                self.branch(same, [then, otherwise], (together & same, Some((!same, step.span))), pass);
            }
        }
    }

    /// A branch whose condition is uniform for some classes.
    fn branch(
        &mut self,
        same: Classes,
        [then, otherwise]: [&List; 2],
        (together, condition): (Classes, Option<(Classes, Span)>),
        pass: &mut Pass,
    ) {
        let before = pass.pending.clone();
        self.list(then, together, condition, pass);
        let after = std::mem::replace(&mut pass.pending, before.clone());
        self.order_by_what_is_around(pass);
        let (was, of_then) = after.split_at(before.len().min(after.len()));
        // Threads that see the condition differently run both sides at the same time.
        if same & (1 << BLOCK) == 0 && !otherwise.steps.is_empty() {
            let classes = (0..self.meetings.regions.classes.len()).filter(|class| same & (1 << class) != 0);
            let classes: Vec<usize> = classes.collect();
            pass.pending.extend(of_then.iter().map(|pending| {
                let mut across = Pending { ordered: Vec::new(), is_over: false, is_across: true, ..pending.clone() };
                classes.iter().for_each(|class| across.order(*class));
                across
            }));
        }
        let start = pass.pending.len();
        self.list(otherwise, together, condition, pass);
        let end = start.min(pass.pending.len());
        let of_otherwise = pass.pending.split_off(end);
        pass.pending.truncate(before.len());
        pass.pending.iter_mut().zip(was).for_each(|(mine, other)| mine.meet(other));
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
                // What the iteration before has left, and what is left of it an iteration later.
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

    /// Counts in the barriers before the statements that the pass is in, which may have been placed since it came there.
    fn order_by_what_is_around(&self, pass: &mut Pass) {
        for level in self.levels.iter().skip(pass.outermost) {
            if let Some(barrier) = self.barriers.get(&level.statement) {
                pass.order(level.start, barrier.class);
            }
        }
    }

    fn access(&mut self, number: AccessId, pass: &mut Pass) {
        (self.meetings.poll)();
        let loops = &self.meetings.regions.loops;
        let Some(access) = loops.access(number) else { return };
        let before = pass.pending.open();
        let own = pass.adds.then_some(pass.pending.len());
        if pass.adds {
            pass.pending.push(Pending { access: number, ordered: Vec::new(), is_over: false, is_across: false });
        }
        for place in before.iter().copied().chain(own) {
            let Some(pending) = pass.pending.get(place).filter(|pending| !pending.is_over) else { continue };
            let Some(earlier) = loops.access(pending.access) else { continue };
            if earlier.memory == access.memory && (earlier.store || access.store) && !self.has_seen_enough() {
                self.separate(place, number, pass);
            }
        }
        if !pass.adds {
            return;
        }
        // What meets an access met the same access before it, and what orders this one orders that one too.
        for place in before {
            let same = pass.pending.get(place).is_some_and(|pending| {
                let like = loops.access(pending.access).map(|access| access.like);
                like == Some(access.like) && pending.ordered.is_empty() && !pending.is_across
            });
            if same {
                pass.pending.close(place);
            }
        }
    }

    /// Sees to it that a pending access is over before another one begins, or says why that cannot be.
    fn separate(&mut self, place: usize, access: AccessId, pass: &mut Pass) {
        let Some(pending) = pass.pending.get(place) else { return };
        let (first, is_across) = (pending.access, pending.is_across);
        let mut pairs = Pairs { apart: pending.ordered.clone(), together: None };
        let mut meeting = self.meetings.ask(first, access, pass.carried, &pairs);
        if meeting == Meeting::Never {
            return;
        }
        let mut divided_by = None;
        for (class, level) in self.candidates(place, is_across, pass) {
            let inner = Pairs { together: Some(class), ..pairs.clone() };
            if class != BLOCK && self.meetings.ask(first, access, pass.carried, &inner) == Meeting::Never {
                continue;
            }
            if let Some(condition) = self.divider(level, class) {
                divided_by = divided_by.or(Some(condition));
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
            meeting = self.meetings.ask(first, access, pass.carried, &pairs);
            if meeting == Meeting::Never {
                return;
            }
        }
        self.is_missing = true;
        self.report(first, access, meeting, divided_by);
    }

    /// The lists where a barrier would order a pending access before the present one: of each class the outermost that has
    /// begun a new statement since, the innermost class first.
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
        found.retain(|(class, _)| self.meetings.regions.classes.get(*class).is_some_and(|class| !class.is_thread));
        found
    }

    /// The condition that keeps the threads of a class from coming to a list together.
    fn divider(&self, level: usize, class: usize) -> Option<Span> {
        let here = self.levels.get(level)?;
        if here.together & (1 << class) != 0 {
            return None;
        }
        let conditions = self.levels.iter().take(level + 1).filter_map(|level| level.condition);
        conditions.filter(|(divided, _)| divided & (1 << class) != 0).map(|(_, span)| span).next()
    }

    fn place(&mut self, level: usize, first: AccessId, second: AccessId, pass: &mut Pass) {
        let loops = &self.meetings.regions.loops;
        let (Some(level), Some(first), Some(second)) =
            (self.levels.get(level), loops.access(first), loops.access(second))
        else {
            return;
        };
        let needed = Needed { scope: level.scope, class: level.class, before: first.span, after: second.span };
        self.barriers.entry(level.statement).or_insert(needed);
        pass.order(level.start, level.class);
    }

    fn report(&mut self, first: AccessId, second: AccessId, meeting: Meeting, divided_by: Option<Span>) {
        let loops = &self.meetings.regions.loops;
        let (Some(one), Some(other)) = (loops.access(first), loops.access(second)) else { return };
        let accessed =
            |number: AccessId| loops.access(number).map(|access| Accessed { span: access.span, store: access.store });
        let (Some(first), Some(second)) = (accessed(first), accessed(second)) else { return };
        let witness = match meeting {
            Meeting::Meet(witness) => Some(witness),
            // Who would have to wait for whom is said of threads that may come there; a race is not.
            Meeting::Maybe(witness) => Some(witness).filter(|_| divided_by.is_some()),
            Meeting::Never | Meeting::Open => None,
        };
        let known = |known: &Unordered| {
            let spans = [known.first.span, known.second.span];
            spans == [one.span, other.span] || spans == [other.span, one.span]
        };
        if !self.unordered.iter().any(known) {
            let Some(array) = one.array() else { return };
            self.unordered.push(Unordered { array, first, second, witness, divided_by });
        }
    }
}
