//! Goes through a kernel as one block would, all threads statement by statement, with index arithmetic only.
//!
//! Values that only a run could tell are not known; a condition or a number of iterations that is not known is taken
//! both ways. So what is found covers every run, and where sizes are known it is exactly what happens.

mod branches;
mod loops;
mod together;

use std::collections::BTreeMap;
use std::rc::Rc;

use super::alike::Alike;
use super::memory::{Arrays, Elements, Place};
use super::steps::Step;
use super::touches::Touch;
use super::values::{Thread, Value};
use super::{Block, Needed, Problem};
use crate::typed::{Access, Expr, ExprKind, Local, Memory, Scope, SharedId, StatementKind};
use syntax::span::Span;

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
