//! The threads of a block: where their loop stands, and whether they run in lanes.
//!
//! Threads of a block do not wait for each other, so their loop may stand anywhere around a thread's statements. Where
//! neighbouring threads touch neighbouring elements it is interchanged with the loops whose ends are uniform, so that
//! memory is walked in long runs. Where each thread walks over a few neighbouring elements, and the next thread over
//! the next ones, the two loops become one.

use std::collections::HashSet;

use cranelift_codegen::ir::Value;
use kernel::typed::{Constant, Expr, ExprKind, Local, Statement, StatementKind};

use super::dependence::{own_accesses, reads_before_assignment};
use super::emitter::{Emitter, register_type, zero};
use super::estimate::{constant_trips, trips};
use super::forms::Atom;
use super::launch_table::LaunchValue;
use super::plan::{LoopKind, Plan, cheapest_plan, scalar_cost};
use super::region::Loop;

/// A loop over few threads is not worth moving inwards.
const FEW_THREADS: i64 = 16;

/// How the loop over the threads and the loop of each thread that is all their work are nested.
enum Order<'k> {
    /// As they are written: each thread does its work.
    ThreadsOutside,
    /// Each iteration is run for all threads.
    ThreadsInside(OwnLoop<'k>),
    /// One loop over so many iterations of every thread.
    Flat(OwnLoop<'k>, i64, Box<Plan<'k>>),
}

/// A loop that each thread runs.
#[derive(Clone, Copy)]
struct OwnLoop<'k> {
    iterator: Local,
    low: &'k Expr,
    high: &'k Expr,
    body: &'k [Statement],
}

impl<'k> Emitter<'k, '_> {
    /// Runs the statements for every thread of the blocks in a range.
    pub fn blocks(&mut self, first: Value, last: Value, body: &'k [Statement]) {
        let atom = self.forms.id(Atom::BlockId);
        let order = self.order_of_loops(body);
        if let Order::ThreadsInside(own) = order
            && self.walks_on(&own)
        {
            self.outer_loop(&own, |emitter| {
                emitter.nest.push(atom);
                emitter.count(emitter.block, first, last, |emitter| emitter.threads(own.body));
                emitter.nest.pop();
            });
            return;
        }
        self.nest.push(atom);
        self.count(self.block, first, last, |emitter| emitter.threads_in_order(order, body));
        self.nest.pop();
    }

    /// Runs the statements for every thread of the block.
    pub fn threads(&mut self, body: &'k [Statement]) {
        let order = self.order_of_loops(body);
        self.threads_in_order(order, body);
    }

    fn threads_in_order(&mut self, order: Order<'k>, body: &'k [Statement]) {
        match order {
            Order::Flat(own, trips, plan) => self.flat_threads(&own, trips, *plan),
            Order::ThreadsInside(own) => self.outer_loop(&own, |emitter| emitter.threads(own.body)),
            Order::ThreadsOutside => match self.split_of(body) {
                Some(split) => self.threads_by_digits(split, body),
                None => self.threads_by_id(body),
            },
        }
    }

    fn threads_by_id(&mut self, body: &'k [Statement]) {
        let (low, high) = self.thread_ends();
        let (low, high) = (self.launch_value(low), self.launch_value(high));
        let atom = self.forms.id(Atom::ThreadId);
        let plan = self.threads_plan(body);
        let trips = self.thread_count();
        self.region(&Loop { counter: self.thread, atom, low, high, trips, body, fresh: true }, plan);
    }

    /// Runs a thread's loop around the loop over the threads.
    fn outer_loop(&mut self, own: &OwnLoop<'k>, body: impl FnOnce(&mut Self)) {
        let (low, high) = (self.expression(own.low), self.expression(own.high));
        let counter = self.locals[own.iterator.0 as usize];
        let atom = self.atom_of(own.iterator);
        self.nest.push(atom);
        self.outer_counters.push(own.iterator);
        self.count(counter, low, high, body);
        self.outer_counters.pop();
        self.nest.pop();
    }

    /// How to nest the loop over the threads and the loop that a thread's work consists of.
    fn order_of_loops(&mut self, body: &'k [Statement]) -> Order<'k> {
        let [statement] = body else { return Order::ThreadsOutside };
        let StatementKind::For { local: iterator, low, high, body: inner } = &statement.kind else {
            return Order::ThreadsOutside;
        };
        let own = OwnLoop { iterator: *iterator, low, high, body: inner };
        if !self.may_interchange(&own) {
            return Order::ThreadsOutside;
        }
        let outside = self.threads_cost(body);
        let inside = trips(low, high) * self.threads_cost(inner);
        if let Some((trips, plan)) = self.flat_plan(&own)
            && self.forms.options.prefers(trips as f64 * plan.cost, outside.min(inside), 0.95)
        {
            return Order::Flat(own, trips, Box::new(plan));
        }
        if self.forms.options.prefers(inside, outside, 1.05) {
            Order::ThreadsInside(own)
        } else {
            Order::ThreadsOutside
        }
    }

    /// Whether a loop may be interchanged even with the loop over the blocks, and should: its ends are uniform in the launch, and
    /// each iteration walks over memory of its own, so that it walks further over all blocks than over one.
    fn walks_on(&mut self, own: &OwnLoop<'k>) -> bool {
        let mut walks = true;
        for end in [own.low, own.high] {
            end.walk(&mut |inner| walks &= inner.kind != ExprKind::BlockId);
        }
        let atom = self.atom_of(own.iterator);
        let mark = self.forms.enter();
        Statement::walk(own.body, &mut |statement| {
            own_accesses(statement, &mut |access| {
                let form = self.forms.form(&access.offset);
                walks &= form.terms.iter().any(|(id, _)| *id == atom);
            });
            if let StatementKind::Assign { local, value } = &statement.kind {
                self.forms.define(*local, value);
            }
        });
        self.forms.leave(mark);
        walks
    }

    /// The number of threads that run the current statements, where it is known.
    pub fn thread_count(&self) -> Option<i64> {
        match &self.members {
            Some(members) => Some(members.end - members.start),
            None => self.kernel.launch.threads.as_constant(),
        }
    }

    /// The first thread that runs the current statements, and the one after the last.
    fn thread_ends(&mut self) -> (LaunchValue, LaunchValue) {
        match &self.members {
            Some(members) => (LaunchValue::Constant(members.start), LaunchValue::Constant(members.end)),
            None => (LaunchValue::Constant(0), self.forms.launch.size(&self.kernel.launch.threads)),
        }
    }

    /// Whether a thread's loop may be interchanged with the loop over the threads: its ends are uniform, and nothing of a thread
    /// passes from one iteration to the next or out of the loop.
    fn may_interchange(&mut self, own_loop: &OwnLoop<'k>) -> bool {
        let OwnLoop { iterator, low, high, body } = *own_loop;
        if self.plain || self.thread_count().is_some_and(|threads| threads < FEW_THREADS) {
            return false;
        }
        let is_uniform = |expr: &'k Expr| {
            let mut uniform = true;
            expr.walk(&mut |inner| {
                uniform &= match &inner.kind {
                    ExprKind::ThreadId | ExprKind::Load(_) => false,
                    ExprKind::Local(local) => self.outer_counters.contains(local),
                    _ => true,
                };
            });
            uniform
        };
        if !is_uniform(low) || !is_uniform(high) {
            return false;
        }
        // What the body reads must come from its own iteration, or from loops that already stand outside.
        let mut own: HashSet<Local> = self.outer_counters.iter().copied().collect();
        own.insert(iterator);
        let mut known = reads_before_assignment(body).is_empty() && !self.usage.escapes(body);
        Statement::walk(body, &mut |statement| match &statement.kind {
            StatementKind::Assign { local, .. } | StatementKind::For { local, .. } => {
                own.insert(*local);
            }
            StatementKind::If { .. } | StatementKind::Store { .. } | StatementKind::Barrier(_) => {}
        });
        Statement::walk_expressions(body, &mut |expr| {
            if let ExprKind::Local(local) = &expr.kind {
                known &= own.contains(local);
            }
        });
        known
    }

    /// The plan for the threads of a block, if running them in lanes pays.
    pub fn threads_plan(&mut self, body: &'k [Statement]) -> Option<Plan<'k>> {
        if self.plain {
            return None;
        }
        let atom = self.forms.id(Atom::ThreadId);
        let one_by_one = scalar_cost(&mut self.forms, body);
        let threads = self.thread_count();
        let plan = cheapest_plan(&mut self.forms, atom, threads, LoopKind::Threads, body);
        plan.filter(|plan| self.forms.options.prefers(plan.cost, one_by_one, 0.8))
    }

    /// The plan for all threads' iterations of a loop as one run, and how many iterations the loop has.
    fn flat_plan(&mut self, own: &OwnLoop<'k>) -> Option<(i64, Plan<'k>)> {
        let OwnLoop { iterator, low, high, body } = *own;
        let trips = constant_trips(low, high).filter(|&trips| trips > 1)?;
        // The iterator is to be the remainder of the place in the run.
        if !matches!(low.kind, ExprKind::Constant(Constant::Int(0))) {
            return None;
        }
        let atom = self.forms.id(Atom::Run);
        let iterations = self.thread_count().and_then(|threads| threads.checked_mul(trips));
        self.forms.flatten(iterator, trips);
        let plan = cheapest_plan(&mut self.forms, atom, iterations, LoopKind::Iterations, body);
        self.forms.unflatten();
        Some((trips, plan?))
    }

    /// Runs all threads' iterations of a loop as one run.
    fn flat_threads(&mut self, own: &OwnLoop<'k>, own_trips: i64, plan: Plan<'k>) {
        let (low, high) = self.thread_ends();
        let [low, end] = [low, high].map(|end| self.forms.launch.multiply(end, LaunchValue::Constant(own_trips)));
        let trips = low.as_constant().zip(end.as_constant()).map(|(low, end)| end.wrapping_sub(low));
        let (low, high) = (self.launch_value(low), self.launch_value(end));
        let atom = self.forms.id(Atom::Run);
        self.forms.flatten(own.iterator, own_trips);
        let region = Loop { counter: self.run, atom, low, high, trips, body: own.body, fresh: true };
        self.region(&region, Some(plan));
        self.forms.unflatten();
    }

    fn threads_cost(&mut self, body: &'k [Statement]) -> f64 {
        if let Some(split) = self.split_of(body) {
            return split.cost;
        }
        match self.threads_plan(body) {
            Some(plan) => plan.cost,
            None => scalar_cost(&mut self.forms, body),
        }
    }

    /// A thread's variables are 0 at first. The counters of loops that stand around the threads keep their values.
    pub fn reset_locals(&mut self) {
        for (place, local) in self.kernel.locals.iter().enumerate() {
            if self.outer_counters.contains(&Local(place as u32)) {
                continue;
            }
            let nothing = zero(&mut self.builder, register_type(local.element));
            self.builder.def_var(self.locals[place], nothing);
        }
    }

    /// Lowers a thread's loop, in lanes where that pays.
    pub fn thread_loop(&mut self, local: Local, low: &'k Expr, high: &'k Expr, body: &'k [Statement]) {
        let atom = self.atom_of(local);
        let plan = if self.plain || self.lanes.is_some() {
            None
        } else {
            super::plan::plan_loop(&mut self.forms, atom, low, high, body)
        };
        let trips = constant_trips(low, high);
        let low = self.expression(low);
        let high = self.expression(high);
        let region = Loop { counter: self.locals[local.0 as usize], atom, low, high, trips, body, fresh: false };
        self.region(&region, plan);
    }
}
