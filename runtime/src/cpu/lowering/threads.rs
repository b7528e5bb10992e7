//! The loop over the threads of a block: its place in the loop nest, and its vectorisation.
//!
//! The threads of a barrier region do not wait for each other, so their loop may be placed anywhere around a thread's
//! statements. If adjacent threads access adjacent elements, it is interchanged with loops whose bounds are uniform, so
//! that memory is accessed in long runs. If each thread accesses several adjacent elements, and the next thread the
//! next ones, both loops are collapsed into one.

use cranelift_codegen::ir::Value;
use kernel::loops::{For, List, Node, Step, StepKind};
use rustc_hash::FxHashSet;

use super::counted::Loop;
use super::emitter::Emitter;
use crate::cpu::indices::form::{Atom, AtomId};
use crate::cpu::launch::launch_table::LaunchValue;
use crate::cpu::plan::dependence::passes_values;
use crate::cpu::plan::estimate::{constant_trips, trips};
use crate::cpu::plan::{Counted, LoopKind, Plan, cheapest_plan, scalar_cost};
use crate::cpu::program::{defined_in, walk};

/// The most threads for which the loop is not worth interchanging.
const FEW_THREADS: i64 = 16;

/// The nesting of the loop over the threads and the only loop of a thread.
enum Order<'l> {
    /// The loop over the threads is outside, as written.
    ThreadsOutside,
    /// The loop over the threads is inside.
    ThreadsInside(&'l For),
    /// Both loops are collapsed, with this number of iterations for each thread.
    Flat(&'l For, i64, Box<Plan>),
}

impl<'l> Emitter<'l, '_> {
    /// Runs the steps for every thread of the blocks in a range.
    pub fn blocks(&mut self, first: Value, last: Value, body: &'l List) {
        if self.kernel.launch.threads.as_constant() == Some(1) {
            return self.blocks_of_one(first, last, body);
        }
        let order = self.order_of_loops(body);
        if let Order::ThreadsInside(own) = order
            && self.may_surround_blocks(own)
        {
            return self.outer_loop(own, |emitter| {
                emitter.each_block(first, last, |emitter| emitter.threads(&own.body));
            });
        }
        self.each_block(first, last, |emitter| emitter.threads_in_order(order, body));
    }

    /// Runs the steps for blocks of one thread, which then are what is vectorised.
    fn blocks_of_one(&mut self, first: Value, last: Value, body: &'l List) {
        let (thread, block) = (self.thread_atom(), self.forms.id(Atom::Value(self.ids.block)));
        let (thread, start) = (self.counter(thread), self.int(0));
        self.builder.def_var(thread, start);
        let one_by_one = scalar_cost(&mut self.forms, body);
        let counted = Counted { counter: block, start: None, count: None, kind: LoopKind::Threads };
        let plan = cheapest_plan(&mut self.forms, counted, body);
        let plan = plan.filter(|plan| self.forms.options.prefers(plan.cost, one_by_one, 0.8));
        self.counted_loop(&Loop { atom: block, low: first, high: last, trips: None, body }, plan);
    }

    /// Lowers a loop over blocks.
    pub fn each_block(&mut self, first: Value, last: Value, body: impl FnOnce(&mut Self)) {
        let atom = self.forms.id(Atom::Value(self.ids.block));
        let counter = self.counter(atom);
        self.nest.push(atom);
        self.count(counter, first, last, body);
        self.nest.pop();
    }

    /// Runs the steps for every thread of the block.
    pub fn threads(&mut self, body: &'l List) {
        if let Some(some) = self.every_nth(body) {
            return self.threads_of_every_nth(some);
        }
        let order = self.order_of_loops(body);
        self.threads_in_order(order, body);
    }

    fn threads_in_order(&mut self, order: Order<'l>, body: &'l List) {
        match order {
            Order::Flat(own, trips, plan) => self.flat_threads(own, trips, *plan),
            Order::ThreadsInside(own) => self.outer_loop(own, |emitter| {
                emitter.prefetch(own);
                emitter.threads(&own.body);
            }),
            Order::ThreadsOutside => match self.split_of(body) {
                Some(split) => self.threads_by_digits(split, body),
                None => self.threads_by_id(body),
            },
        }
    }

    fn threads_by_id(&mut self, body: &'l List) {
        let (low, high) = self.thread_ends();
        let (low, high) = (self.launch_value(low), self.launch_value(high));
        let atom = self.thread_atom();
        let plan = self.threads_plan(body);
        let trips = self.thread_count();
        self.counted_loop(&Loop { atom, low, high, trips, body }, plan);
    }

    /// The thread's id as a counter.
    pub fn thread_atom(&mut self) -> AtomId {
        self.forms.id(Atom::Value(self.ids.thread))
    }

    /// Lowers a thread's loop around the loop over the threads.
    fn outer_loop(&mut self, own: &'l For, body: impl FnOnce(&mut Self)) {
        let [low, high] = own.ends.map(|end| self.value(end));
        let atom = self.forms.id(Atom::Value(own.iterator));
        let counter = self.counter(atom);
        self.nest.push(atom);
        self.count(counter, low, high, body);
        self.nest.pop();
    }

    /// Chooses the nesting of the loop over the threads and a thread's only loop.
    fn order_of_loops(&mut self, body: &'l List) -> Order<'l> {
        let Some((step, own)) = self.only_loop(body) else { return Order::ThreadsOutside };
        if !self.may_interchange(step, own) {
            return Order::ThreadsOutside;
        }
        let outside = self.threads_cost(body);
        let inside = trips(self.program, own) * self.threads_cost(&own.body);
        if let Some((trips, plan)) = self.flat_plan(own)
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

    /// The only loop of a list, if all other values named in it can be recomputed anywhere.
    fn only_loop(&self, body: &'l List) -> Option<(&'l Step, &'l For)> {
        let is_work = |step: &&Step| match &step.kind {
            StepKind::Assign { value, .. } => self.program.is_needed(*value) && !self.program.is_lasting(*value),
            _ => true,
        };
        let mut work = body.steps.iter().filter(is_work);
        let (Some(step), None) = (work.next(), work.next()) else { return None };
        match &step.kind {
            StepKind::For(own) => Some((step, own)),
            _ => None,
        }
    }

    /// Whether a loop may and should be interchanged even with the loop over the blocks: its bounds are uniform in the
    /// launch, and its iterations access separate memory, so that its runs are longer over all blocks than over one.
    fn may_surround_blocks(&mut self, own: &'l For) -> bool {
        let mut may = own.ends.into_iter().all(|end| self.forms.is_made_without(end, &|node| *node == Node::Block));
        let atom = self.forms.id(Atom::Value(own.iterator));
        walk(&own.body, &mut |step| {
            for access in &step.accesses {
                let form = self.offset(*access);
                may &= form.terms.iter().any(|(id, _)| *id == atom);
            }
        });
        may
    }

    /// The number of threads that run the current statements, if it is known.
    pub fn thread_count(&self) -> Option<i64> {
        match &self.members {
            Some(members) => Some(members.end - members.start),
            None => self.kernel.launch.threads.as_constant(),
        }
    }

    /// The first thread that runs the current statements, and the end (exclusive).
    fn thread_ends(&mut self) -> (LaunchValue, LaunchValue) {
        match &self.members {
            Some(members) => (LaunchValue::Constant(members.start), LaunchValue::Constant(members.end)),
            None => (LaunchValue::Constant(0), self.forms.launch.size(&self.kernel.launch.threads)),
        }
    }

    /// Whether a thread's loop may be interchanged with the loop over the threads: its bounds are uniform, and no value
    /// of a thread passes between iterations or out of the loop.
    fn may_interchange(&mut self, step: &'l Step, own: &'l For) -> bool {
        if self.plain || self.thread_count().is_some_and(|threads| threads < FEW_THREADS) {
            return false;
        }
        let varies = |node: &Node| matches!(node, Node::Thread | Node::Load(_) | Node::Merge(_));
        let uniform = own.ends.into_iter().all(|end| self.forms.is_made_without(end, &varies));
        uniform && !passes_values(self.program, own, &step.after) && self.stands_alone(own)
    }

    /// Whether the body of a loop uses only values from its own iteration and values that can be recomputed anywhere.
    fn stands_alone(&self, own: &For) -> bool {
        let inside = defined_in(self.program, &own.body);
        let mut open = Vec::new();
        walk(&own.body, &mut |step| {
            open.extend(step.kind.values());
            if let Some(access) = step.kind.written() {
                open.extend(self.program.place(access));
            }
        });
        let mut seen = FxHashSet::default();
        while let Some(id) = open.pop() {
            if !seen.insert(id) || !self.program.is_needed(id) {
                continue;
            }
            match self.forms.node(id) {
                Node::Load(access) => {
                    if !inside.contains(&id) && !self.program.access(*access).is_constant {
                        return false;
                    }
                    open.extend(self.program.place(*access));
                }
                Node::Merge(_) if !inside.contains(&id) => return false,
                node => open.extend(node.operands()),
            }
        }
        true
    }

    /// The plan for the threads of a block, if vectorising them pays off.
    pub fn threads_plan(&mut self, body: &'l List) -> Option<Plan> {
        if self.plain {
            return None;
        }
        let (counter, count) = (self.thread_atom(), self.thread_count());
        let one_by_one = scalar_cost(&mut self.forms, body);
        let start = self.thread_ends().0.as_constant();
        let plan = cheapest_plan(&mut self.forms, Counted { counter, start, count, kind: LoopKind::Threads }, body);
        plan.filter(|plan| self.forms.options.prefers(plan.cost, one_by_one, 0.8))
    }

    /// The plan for the collapsed loop of all threads' iterations, and the number of iterations of each thread.
    fn flat_plan(&mut self, own: &'l For) -> Option<(i64, Plan)> {
        let trips = constant_trips(self.program, own).filter(|&trips| trips > 1)?;
        // The iterator has to be the remainder of the position in the collapsed loop.
        if self.program.constant(own.ends[0]) != Some(0) {
            return None;
        }
        let counter = self.forms.id(Atom::Run);
        let of_run = |threads: Option<i64>| threads.and_then(|threads| threads.checked_mul(trips));
        let (start, count) = (of_run(self.thread_ends().0.as_constant()), of_run(self.thread_count()));
        self.forms.flatten(own.id, trips);
        let counted = Counted { counter, start, count, kind: LoopKind::Iterations };
        let plan = cheapest_plan(&mut self.forms, counted, &own.body);
        self.forms.unflatten();
        Some((trips, plan?))
    }

    /// Lowers the collapsed loop of all threads' iterations.
    fn flat_threads(&mut self, own: &'l For, own_trips: i64, plan: Plan) {
        let (low, high) = self.thread_ends();
        let [low, end] = [low, high].map(|end| self.forms.launch.multiply(end, LaunchValue::Constant(own_trips)));
        let trips = low.as_constant().zip(end.as_constant()).map(|(low, end)| end.wrapping_sub(low));
        let (low, high) = (self.launch_value(low), self.launch_value(end));
        let atom = self.forms.id(Atom::Run);
        self.forms.flatten(own.id, own_trips);
        self.counted_loop(&Loop { atom, low, high, trips, body: &own.body }, Some(plan));
        self.forms.unflatten();
    }

    fn threads_cost(&mut self, body: &'l List) -> f64 {
        if let Some(split) = self.split_of(body) {
            return split.cost;
        }
        match self.threads_plan(body) {
            Some(plan) => plan.cost,
            None => scalar_cost(&mut self.forms, body),
        }
    }
}
