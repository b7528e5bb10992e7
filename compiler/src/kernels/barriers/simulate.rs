//! Goes through a kernel as one block would, all threads statement by statement, with index arithmetic only.
//!
//! Values that only a run could tell are not known; a condition or a number of iterations that is not known is taken
//! both ways. So what is found covers every run, and where sizes are known it is exactly what happens.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::alike::Alike;
use super::memory::{Arrays, Elements, Place};
use super::steps::Step;
use super::touches::Touch;
use super::values::{Thread, Value, period};
use super::{Block, Needed, Problem};
use crate::kernels::collectives;
use crate::kernels::typed::{Access, CollectiveId, Expr, ExprKind, Local, Memory, Scope, SharedId, StatementKind};
use crate::syntax::span::Span;

/// Statements of threads that are gone through before loops count as unknown.
pub(super) const MOST_STATEMENTS: i64 = 1 << 20;

/// Statements that are gone through after something wrong was found.
const MOST_AFTER_PROBLEM: i64 = 128;

/// Statements of threads that are gone through before loops of unknown length are no place for barriers. Each of those in
/// each other multiplies how often the innermost is gone through.
const MOST_IN_ALL: i64 = 1 << 22;

/// Where the threads are in a list of statements.
struct Level {
    /// Who runs the list together, by thread: the number of the collective, where the thread runs it.
    instances: Rc<[Option<u32>]>,
    scope: Scope,
    /// A condition or the ends of a loop that not all threads of a collective see alike.
    divided_by: Option<Span>,
    /// The statement where they are, and when they came there.
    statement: usize,
    start: u64,
}

/// The state of the walk.
pub(super) struct Simulation<'k> {
    block: &'k Block<'k>,
    /// The id of the block.
    id: Value,
    /// The values of each thread's variables.
    locals: Vec<Vec<Value>>,
    /// Which threads see one value of a variable, whatever it is.
    alike: Vec<Alike>,
    pub arrays: Arrays,
    levels: Vec<Level>,
    time: u64,
    /// How many more statements may be gone through; below zero where loops of unknown length are gone through after that.
    left: i64,
    /// How many branches are around the place that each thread may or may not have taken.
    unsure: u32,
    /// The barriers that are needed, by the statement that they come before.
    pub needed: &'k mut BTreeMap<usize, Needed>,
    pub problems: Vec<Problem>,
    /// Arrays of which an element may be read that nobody wrote.
    pub unwritten: Vec<bool>,
}

impl<'k> Simulation<'k> {
    pub fn new(block: &'k Block<'k>, rank: i64, needed: &'k mut BTreeMap<usize, Needed>) -> Simulation<'k> {
        Simulation {
            block,
            id: if block.one_cluster { Value::Known(rank) } else { Value::residue(rank, block.cluster) },
            locals: vec![vec![Value::Known(0); block.locals]; block.threads as usize],
            alike: vec![Alike::everywhere(block.threads); block.locals],
            arrays: Arrays::new(block.shared),
            levels: Vec::new(),
            time: 0,
            left: MOST_STATEMENTS,
            unsure: 0,
            needed,
            problems: Vec::new(),
            unwritten: vec![false; block.shared.len()],
        }
    }

    /// Runs the whole body.
    pub fn run(&mut self, body: &[Step<'k>]) {
        let all: Vec<u32> = (0..self.block.threads).collect();
        let instances: Rc<[Option<u32>]> = all.iter().map(|_| Some(0)).collect();
        self.list(body, &all, instances, Scope::Block, None);
    }

    /// Runs a list of statements in some threads.
    fn list(
        &mut self,
        list: &[Step<'k>],
        threads: &[u32],
        instances: Rc<[Option<u32>]>,
        scope: Scope,
        divided_by: Option<Span>,
    ) {
        if threads.is_empty() {
            return;
        }
        let instances = of(threads, &instances);
        self.levels.push(Level { instances, scope, divided_by, statement: 0, start: 0 });
        for step in list {
            if self.has_seen_enough() {
                break;
            }
            self.time += 1;
            self.left = self.left.saturating_sub(threads.len() as i64);
            let time = self.time;
            if let Some(level) = self.levels.last_mut() {
                (level.statement, level.start) = (step.number, time);
                if let Some(needed) = self.needed.get(&step.number).copied() {
                    // Another iteration, or another block of the cluster, needs the barrier where all threads come by.
                    let instances = level.instances.clone();
                    if let Some(condition) = level.divided_by {
                        let Needed { array, first, second, .. } = needed;
                        let problem = Problem::Unreached { array, first, second, condition };
                        self.report(problem);
                    }
                    self.arrays.wait(time, instances);
                }
            }
            self.step(step, threads);
        }
        self.levels.pop();
    }

    fn step(&mut self, step: &Step<'k>, threads: &[u32]) {
        match &step.statement.kind {
            StatementKind::Assign { local, value } => {
                self.expression(value, threads);
                self.assign(*local, value, threads);
            }
            StatementKind::Store { access, value } => {
                self.expression(value, threads);
                self.parts(access, threads);
                self.touch(access, true, threads);
            }
            StatementKind::If { condition, .. } => {
                self.expression(condition, threads);
                self.branches(step, condition, threads);
            }
            StatementKind::For { local, low, high, .. } => {
                self.expression(low, threads);
                self.expression(high, threads);
                self.count(step, *local, (low, high), threads);
            }
            StatementKind::Barrier(_) => {}
        }
    }

    fn thread(&self, id: u32) -> Thread<'_> {
        Thread { id: i64::from(id), block: self.id, locals: self.locals.get(id as usize).map_or(&[], Vec::as_slice) }
    }

    fn value(&self, expr: &Expr, thread: u32) -> Option<i64> {
        self.thread(thread).value(expr).known()
    }

    /// Whether the threads of each collective see one value of an expression, whatever it is.
    fn is_alike(&self, expr: &Expr, threads: &[u32], instances: &Rc<[Option<u32>]>) -> bool {
        let agree = |expr: &Expr| {
            let values: Option<Vec<_>> = threads.iter().map(|&thread| self.value(expr, thread).map(Some)).collect();
            values.is_some_and(|values| self.agree(threads, &values, instances))
        };
        let (mut reads, mut of_thread, mut others) = (false, false, Vec::new());
        expr.walk(&mut |inner| match &inner.kind {
            ExprKind::Load(_) => reads = true,
            ExprKind::ThreadId => of_thread = true,
            ExprKind::Local(local) => {
                let known = self.alike.get(local.0 as usize);
                if !known.is_some_and(|known| known.holds_within(instances, threads)) {
                    others.push(inner);
                }
            }
            _ => {}
        });
        // What is not alike by its parts may be so by the values that it is known to have.
        !reads && (!of_thread && others.into_iter().all(agree) || agree(expr))
    }

    /// What is known of a variable that gets the value of these expressions in these threads.
    fn found_alike(&self, values: &[&Expr], threads: &[u32]) -> Alike {
        let together = self.levels.iter().all(|level| level.divided_by.is_none());
        match self.levels.last() {
            Some(level) if together && values.iter().all(|value| self.is_alike(value, threads, &level.instances)) => {
                Alike::within(&level.instances)
            }
            _ => Alike::nowhere(),
        }
    }

    fn set(&mut self, local: Local, thread: u32, value: Value) {
        if let Some(slot) = self.locals.get_mut(thread as usize).and_then(|locals| locals.get_mut(local.0 as usize)) {
            *slot = value;
        }
    }

    fn assign(&mut self, local: Local, value: &Expr, threads: &[u32]) {
        let found = self.found_alike(&[value], threads);
        if let Some(alike) = self.alike.get_mut(local.0 as usize) {
            *alike = found;
        }
        for &thread in threads {
            let value = self.thread(thread).value(value);
            self.set(local, thread, value);
        }
    }

    /// The accesses of shared arrays in an expression.
    fn expression(&mut self, expr: &'k Expr, threads: &[u32]) {
        let mut loads: Vec<&'k Access> = Vec::new();
        expr.walk(&mut |inner| {
            if let ExprKind::Load(access) = &inner.kind {
                loads.push(access);
            }
        });
        loads.into_iter().for_each(|access| self.touch(access, false, threads));
    }

    fn parts(&mut self, access: &'k Access, threads: &[u32]) {
        let mut parts: Vec<&'k Expr> = Vec::new();
        access.expressions(&mut |part| parts.push(part));
        parts.into_iter().for_each(|part| self.expression(part, threads));
    }

    fn touch(&mut self, access: &Access, store: bool, threads: &[u32]) {
        let Memory::Shared(array) = access.memory else { return };
        for &thread in threads {
            let happens = access.mask.as_ref().map_or(Some(1), |mask| self.value(mask, thread));
            if happens == Some(0) {
                continue;
            }
            let elements = Elements::at(self.thread(thread).position(access));
            let place = Place { array, elements, certain: happens.is_some() && self.unsure == 0 };
            let touch = Touch { thread, store, span: access.span, time: self.time };
            if !store
                && self.arrays.reads_unwritten(place)
                && let Some(unwritten) = self.unwritten.get_mut(array.0 as usize)
            {
                *unwritten = true;
            }
            for (met, element) in self.arrays.conflicts(place, &touch) {
                // A barrier for one of them may have ordered others.
                if !self.arrays.is_over(&met, thread) {
                    self.separate((array, element), met, touch);
                }
            }
            self.arrays.note(place, touch);
        }
    }

    /// Sees to it that an access is over before another one begins, or says why that cannot be.
    fn separate(&mut self, (array, element): (SharedId, Option<usize>), first: Touch, second: Touch) {
        if self.problems.iter().any(|known| known.spans() == (first.span, second.span)) {
            return;
        }
        let instance = |level: &Level, thread: u32| level.instances.get(thread as usize).copied().flatten();
        let apart = |level: &&Level| {
            let together = instance(level, first.thread);
            first.time < level.start && together.is_some() && together == instance(level, second.thread)
        };
        let found = self.levels.iter().rev().find(|level| apart(level) && level.divided_by.is_none());
        if let Some(level) = found {
            let needed = Needed { scope: level.scope, array, first, second };
            let (number, start, instances) = (level.statement, level.start, level.instances.clone());
            self.needed.entry(number).or_insert(needed);
            self.arrays.wait(start, instances);
            return;
        }
        let divided_by = self.levels.iter().rev().find(|level| apart(level)).and_then(|level| level.divided_by);
        let problem = match divided_by {
            Some(condition) => Problem::Unreached { array, first, second, condition },
            None => Problem::Conflict { array, element, first, second },
        };
        self.report(problem);
    }

    /// How many statements of threads were gone through, as long as nothing was wrong.
    pub fn spent(&self) -> i64 {
        MOST_STATEMENTS - self.left
    }

    /// Whether something is wrong, and enough was looked at to say what.
    fn has_seen_enough(&self) -> bool {
        self.left < 0 && !self.problems.is_empty()
    }

    /// Remembers a problem, unless there is one of the same two accesses. Others are looked for a little longer.
    fn report(&mut self, problem: Problem) {
        if !self.problems.iter().any(|other| other.spans() == problem.spans()) {
            self.problems.push(problem);
        }
        self.left = self.left.min(MOST_AFTER_PROBLEM * i64::from(self.block.threads));
    }

    fn branches(&mut self, step: &Step<'k>, condition: &Expr, threads: &[u32]) {
        let [then, otherwise] = &step.lists;
        let Some(level) = self.levels.last() else { return };
        let (scope, instances, divided_by) = (level.scope, level.instances.clone(), level.divided_by);
        if let Some(collective) = narrowed(then, scope) {
            // Which threads go in is known of every collective, whatever `if`s are around it.
            let inside: Vec<u32> =
                threads.iter().copied().filter(|&thread| self.value(condition, thread) != Some(0)).collect();
            let instances = self.instances(collective, &inside);
            return self.list(then, &inside, instances, Scope::Threads(collective), divided_by);
        }
        let values: Vec<Option<i64>> = threads.iter().map(|&thread| self.value(condition, thread)).collect();
        if values.iter().all(Option::is_some) {
            let side = |wanted: bool| {
                let chosen = threads.iter().zip(&values).filter(|(_, value)| (**value != Some(0)) == wanted);
                chosen.map(|(thread, _)| *thread).collect::<Vec<u32>>()
            };
            let agree = self.agree(threads, &values, &instances);
            let divided_by = divided_by.or((!agree).then_some(step.statement.span));
            let (holds, fails) = (side(true), side(false));
            self.list(then, &holds, instances.clone(), scope, divided_by);
            return self.list(otherwise, &fails, instances, scope, divided_by);
        }
        let alike = self.is_alike(condition, threads, &instances);
        let divided_by = divided_by.or((!alike).then_some(step.statement.span));
        // Of some threads it may be known which way they do not go, whatever the rest of the condition comes to.
        let may = |excluded: fn(i64) -> bool| {
            let going = threads.iter().zip(&values).filter(|(_, value)| !value.is_some_and(excluded));
            going.map(|(thread, _)| *thread).collect::<Vec<u32>>()
        };
        let sides = [may(|value| value == 0), may(|value| value != 0)];
        self.both(step, threads, &sides, (instances, scope, divided_by));
    }

    /// Takes both sides of a branch from the same place, each in the threads that may go there.
    fn both(
        &mut self,
        step: &Step<'k>,
        threads: &[u32],
        [going_in, passing_by]: &[Vec<u32>; 2],
        (instances, scope, divided_by): (Rc<[Option<u32>]>, Scope, Option<Span>),
    ) {
        let (before, time, common) = (self.arrays.clone(), self.time, self.arrays.waits());
        let (locals, alike) = (self.locals.clone(), self.alike.clone());
        let [then, otherwise] = &step.lists;
        self.unsure += u32::from(divided_by.is_some());
        self.list(then, going_in, instances.clone(), scope, divided_by);
        let (middle, other_alike) = (self.time, std::mem::replace(&mut self.alike, alike));
        if divided_by.is_some() {
            // Some threads go one way and some the other at the same time, so what one side did meets the other side.
            self.locals.clone_from(&locals);
            self.list(otherwise, passing_by, instances, scope, divided_by);
            self.unsure -= 1;
            self.arrays.or_before(&before, time);
        } else {
            let after = std::mem::replace(&mut self.arrays, before);
            if !is_one_collective(&instances) {
                // Other collectives may have gone the other way at the same time. They wait for nobody here.
                self.time += 1;
                self.arrays.also_touched(&after, [time, self.time], instances.clone());
            }
            self.locals.clone_from(&locals);
            self.list(otherwise, passing_by, instances, scope, divided_by);
            self.arrays.or_other(&after, common, [time, middle]);
        }
        both_alike(&mut self.alike, &other_alike);
        self.forget_assigned(step, threads);
    }

    /// Whether the threads of each collective have the same value.
    fn agree(&self, threads: &[u32], values: &[Option<i64>], instances: &Rc<[Option<u32>]>) -> bool {
        let mut first: BTreeMap<u32, Option<i64>> = BTreeMap::new();
        threads.iter().zip(values).all(|(thread, value)| {
            let instance = instances.get(*thread as usize).copied().flatten();
            instance.is_some_and(|instance| first.entry(instance).or_insert(*value) == value)
        })
    }

    /// The number of the iteration that each of the threads executes.
    fn instances(&self, collective: CollectiveId, threads: &[u32]) -> Rc<[Option<u32>]> {
        let mut instances = vec![None; self.block.threads as usize];
        let number = self.block.collectives.get(collective.0 as usize).map(collectives::instance);
        for &thread in threads {
            let value = number.as_ref().and_then(|number| self.value(number, thread));
            if let Some(slot) = instances.get_mut(thread as usize) {
                *slot = value.and_then(|value| u32::try_from(value).ok());
            }
        }
        instances.into()
    }

    fn count(&mut self, step: &Step<'k>, local: Local, (low, high): (&Expr, &Expr), threads: &[u32]) {
        let Some(level) = self.levels.last() else { return };
        let (scope, instances, divided_by) = (level.scope, level.instances.clone(), level.divided_by);
        let ends = |expr: &Expr| threads.iter().map(|&thread| self.value(expr, thread)).collect::<Vec<_>>();
        let (lows, highs) = (ends(low), ends(high));
        let known: Option<Vec<(i64, i64)>> =
            lows.iter().zip(&highs).map(|(low, high)| Some(((*low)?, (*high)?))).collect();
        let first = known.as_ref().and_then(|known| known.iter().map(|(low, _)| *low).min());
        let last = known.as_ref().and_then(|known| known.iter().map(|(_, high)| *high).max());
        let agree = self.agree(threads, &lows, &instances) && self.agree(threads, &highs, &instances);
        let alike = self.is_alike(low, threads, &instances) && self.is_alike(high, threads, &instances);
        let divided_by = divided_by.or((!(alike || known.is_some() && agree)).then_some(step.statement.span));
        let found = self.found_alike(&[low, high], threads);
        if let Some(alike) = self.alike.get_mut(local.0 as usize) {
            *alike = found;
        }
        let body = &step.lists[0];
        let cost =
            |trips: i64| trips.max(0).checked_mul(i64::try_from(step.size).ok()?)?.checked_mul(threads.len() as i64);
        if let (Some(known), Some(first), Some(last)) = (known, first, last)
            && last.checked_sub(first).and_then(cost).is_some_and(|cost| cost <= self.left)
        {
            for iteration in first..last {
                let inside = known.iter().zip(threads).filter(|((low, high), _)| (*low..*high).contains(&iteration));
                let inside: Vec<u32> = inside.map(|(_, thread)| *thread).collect();
                inside.iter().for_each(|&thread| self.set(local, thread, Value::Known(iteration)));
                self.list(body, &inside, instances.clone(), scope, divided_by);
            }
            return;
        }
        let start = lows.first().copied().flatten().filter(|_| lows.iter().all(|low| *low == lows[0]));
        self.unknown_count(step, local, start, threads, (instances, scope, divided_by));
    }

    /// A loop whose number of iterations is not known. Of the iterator only remainders are, so after twice as many
    /// iterations as there are remainders every pair of them has met, at every distance that matters: what is farther
    /// apart has all barriers of a round in between. They are counted from the first iteration before which no variable
    /// is found to differ among threads that did not differ before.
    fn unknown_count(
        &mut self,
        step: &Step<'k>,
        local: Local,
        start: Option<i64>,
        threads: &[u32],
        (instances, scope, divided_by): (Rc<[Option<u32>]>, Scope, Option<Span>),
    ) {
        let body = &step.lists[0];
        let modulus = match &step.statement.kind {
            StatementKind::For { body, .. } if start.is_some() => period(body),
            _ => 1,
        };
        // Without barriers in it, one round shows what meets: accesses do so in whatever order they come.
        let too_long = self.left < MOST_STATEMENTS - MOST_IN_ALL;
        let (modulus, rounds) = if too_long { (1, 1) } else { (modulus, 2 * modulus) };
        let divided_by = divided_by.or(too_long.then_some(step.statement.span));
        let mut left = self.arrays.clone();
        let (mut round, mut alike) = (0i64, 0);
        while alike < rounds && !self.has_seen_enough() {
            let (time, before) = (self.time, self.alike.clone());
            self.forget_assigned(step, threads);
            let value = Value::residue(start.unwrap_or(0).rem_euclid(modulus) + round % modulus, modulus);
            threads.iter().for_each(|&thread| self.set(local, thread, value));
            self.list(body, threads, instances.clone(), scope, divided_by);
            left.or_after(&self.arrays, time);
            both_alike(&mut self.alike, &before);
            alike = if self.alike == before { alike + 1 } else { 0 };
            round += 1;
        }
        self.forget_assigned(step, threads);
        self.arrays = left;
    }

    /// Forgets the values of the variables that a statement may assign.
    fn forget_assigned(&mut self, step: &Step<'k>, threads: &[u32]) {
        let mut assigned = Vec::new();
        crate::kernels::typed::Statement::walk(std::slice::from_ref(step.statement), &mut |statement| {
            if let StatementKind::Assign { local, .. } | StatementKind::For { local, .. } = &statement.kind {
                assigned.push(*local);
            }
        });
        for local in assigned {
            threads.iter().for_each(|&thread| self.set(local, thread, Value::UNKNOWN));
        }
    }
}

/// Of two ways that lead here, both must leave a variable alike.
fn both_alike(mine: &mut [Alike], other: &[Alike]) {
    mine.iter_mut().zip(other).for_each(|(mine, other)| mine.meet(other));
}

/// Whether all threads that are in a collective are in the same one.
fn is_one_collective(instances: &Rc<[Option<u32>]>) -> bool {
    let mut found = instances.iter().flatten();
    let first = found.next();
    found.all(|instance| Some(instance) == first)
}

/// What the instances are of these threads; the others are in none.
fn of(threads: &[u32], instances: &Rc<[Option<u32>]>) -> Rc<[Option<u32>]> {
    if threads.len() == instances.len() {
        return instances.clone();
    }
    let mut there = vec![None; instances.len()];
    for &thread in threads {
        if let (Some(slot), Some(instance)) = (there.get_mut(thread as usize), instances.get(thread as usize)) {
            *slot = *instance;
        }
    }
    there.into()
}

/// The collective that a branch lets in, where it is one that narrows and not an `if` of the program.
fn narrowed(then: &[Step<'_>], scope: Scope) -> Option<CollectiveId> {
    match then.first()?.statement.scope {
        Scope::Threads(collective) if Scope::Threads(collective) != scope => Some(collective),
        _ => None,
    }
}
