//! Decides whether a loop is vectorised, and under which guards.
//!
//! A plan is made for the body of a loop: over the threads of a block, or over the iterations of one thread's loop. The
//! loop tests the plan's guards for the next `width` iterations, and runs them together if all guards hold, otherwise
//! one by one. So vectorised code needs no masks: anything that could differ between lanes, other than by a constant
//! step, is either guarded or computed lane by lane.

mod choice;
pub mod dependence;
pub mod estimate;
mod guards;
mod in_turn;
pub mod vector_forms;

use std::collections::HashSet;

use elements::ElementType;
use kernel::BoundsChecks;
use kernel::loops::{AccessId, For, List, Node, Step as LoopStep, StepKind, ValueId};
use kernel::typed::{BinaryOp, Memory};
use kernel::with_enough_stack;
use rustc_hash::{FxHashMap, FxHashSet};

use super::program::defined_in;
use crate::cpu::indices::form::{Atom, AtomId, Form};
use crate::cpu::indices::forms::Forms;
use crate::cpu::indices::shape::{Condition, LaneFacts, Step, condition};
use crate::cpu::launch::launch_table::LaunchValue;
use crate::cpu::lowering::half_floats::NarrowFloat;
use crate::cpu::lowering::helpers;
use dependence::{has_apart_atomic, iterations_are_independent};
use estimate::{conversion_work, trips, waiting_work, whole_work, work};

pub use choice::{cheapest_plan, plan_loop, scalar_cost};

/// A test before iterations are run together.
#[derive(Clone, Debug)]
pub enum Guard {
    /// The condition holds in every lane. `trusted` says that its indices are known not to wrap.
    Holds { condition: Condition, trusted: bool },
    /// The quotient by the divisor is the same in all lanes, where the dividend changes by a constant step.
    Whole { of: Form, divisor: LaunchValue, step: i64 },
    /// The positions of an access are inside the tensor's storage.
    Inside { access: AccessId, offset: Form, step: LaunchValue },
}

/// When the lanes take a branch one after the other.
#[derive(Clone, Debug)]
pub enum Turns {
    /// Always: nothing tells beforehand whether one of them takes it.
    Always,
    /// Unless a test of all lanes together shows that this condition holds in none of them.
    UnlessInNone(Condition),
}

/// A plan for vectorising the body of a loop.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The facts about the lanes if the guards hold.
    pub facts: LaneFacts,
    /// The guards.
    pub guards: Vec<Guard>,
    /// Conditions whose value the guards imply.
    pub settled: FxHashMap<ValueId, bool>,
    /// Conditions of branches that each lane takes on its own.
    pub divided: FxHashMap<ValueId, Turns>,
    /// Accesses that the guards keep inside their tensor.
    pub inside: FxHashSet<AccessId>,
    /// The estimated cost of one vectorised iteration, in the unit of [`scalar_cost`].
    pub cost: f64,
}

/// The loop that a plan is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopKind {
    /// The loop over the threads of a block: different threads access different elements.
    Threads,
    /// The loop over the iterations of one thread: their order matters if they access the same elements.
    Iterations,
}

/// The loop that a plan is for.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    /// The counter, which increases by one.
    pub counter: AtomId,
    /// Its first value, if it is known.
    pub start: Option<i64>,
    /// The number of iterations, if it is known.
    pub count: Option<i64>,
    /// The kind of the loop.
    pub kind: LoopKind,
}

/// The plan for a body; `None` if some value or access differs too much between lanes.
pub fn plan(forms: &mut Forms<'_>, counted: Counted, width: u32, body: &List) -> Option<Plan> {
    let Counted { counter, start, kind, .. } = counted;
    if kind == LoopKind::Iterations && !iterations_are_independent(forms, counter, width, body) {
        return None;
    }
    let own = defined_in(forms.program, body);
    let has_apart_atomic = has_apart_atomic(forms.program, body);
    let mut varying = HashSet::new();
    // A merge may turn out to vary after it was used, so the analysis is repeated until nothing changes.
    loop {
        let plan = Plan {
            facts: LaneFacts::new(counter, width, varying.clone()),
            guards: Vec::new(),
            settled: FxHashMap::default(),
            divided: FxHashMap::default(),
            inside: FxHashSet::default(),
            cost: 0.0,
        };
        let works = FxHashMap::default();
        let mut planner = Planner { forms, plan, start, own: &own, weight: 1.0, has_apart_atomic, works };
        let mark = planner.forms.seen.enter();
        let possible = planner.list(body);
        let plan = planner.plan;
        forms.seen.leave(mark);
        possible?;
        if plan.facts.varying.len() == varying.len() {
            return Some(plan);
        }
        varying = plan.facts.varying;
    }
}

/// The least distance of elements that are in different pages, or nearly so: rows of a tensor, of which each lane would take
/// one element while the rest of the line is not used until it has left the cache.
const FAR_APART: u64 = 512;

struct Planner<'a, 'l> {
    forms: &'a mut Forms<'l>,
    plan: Plan,
    /// The first value of the counter, if it is known.
    start: Option<i64>,
    /// The values that are not available before the body runs.
    own: &'a FxHashSet<ValueId>,
    /// The number of executions of the current statement per iteration.
    weight: f64,
    /// Whether the body has one atomic access that may be done lane by lane between what lanes do together.
    has_apart_atomic: bool,
    /// The cost of values including all their operands.
    works: FxHashMap<ValueId, f64>,
}

impl Planner<'_, '_> {
    fn list(&mut self, list: &List) -> Option<()> {
        let mark = self.forms.seen.enter();
        let result = list.steps.iter().try_for_each(|step| self.step(step));
        self.forms.seen.leave(mark);
        result
    }

    fn step(&mut self, step: &LoopStep) -> Option<()> {
        match &step.kind {
            StepKind::Assign { value, .. } => {
                if self.forms.program.is_needed(*value) {
                    self.value(*value)?;
                }
            }
            StepKind::For(counted) => self.counted(counted, step)?,
            StepKind::Branch { condition, then, otherwise } => {
                if self.value(*condition)? {
                    self.list(then)?;
                    self.list(otherwise)?;
                    self.merge(step, &|_| true);
                } else {
                    // The lanes run together if all of them take the branch with more work.
                    let truth = work(self.forms, then) >= work(self.forms, otherwise);
                    if self.settle(*condition, truth, false).is_none() {
                        return self.divide(step, *condition, [then, otherwise]);
                    }
                    self.list(if truth { then } else { otherwise })?;
                    self.merge(step, &|place| (place == 0) == truth);
                }
            }
            StepKind::Store { access, value } => {
                let element = self.forms.program.element(*value);
                self.access(*access, element)?;
                self.value(*value)?;
            }
            StepKind::Atomic(atomic) => self.atomic(atomic)?,
            StepKind::Shuffle(_) | StepKind::Collective { .. } | StepKind::Barrier { .. } | StepKind::Copies(_) => {
                return None;
            }
        }
        Some(())
    }

    fn counted(&mut self, counted: &For, step: &LoopStep) -> Option<()> {
        // Lanes that leave a loop at different times would have to wait for each other.
        for end in counted.ends {
            if !self.value(end)? {
                return None;
            }
        }
        for (_, head) in &counted.heads {
            self.meet(*head, &|place| place == 0);
        }
        let outer = self.weight;
        self.weight *= trips(self.forms.program, counted);
        let result = self.list(&counted.body);
        self.weight = outer;
        result?;
        for (_, head) in &counted.heads {
            self.meet(*head, &|_| true);
        }
        // The latency is shared by all lanes.
        let program = self.forms.program;
        self.spend(trips(program, counted) * waiting_work(program, counted) / f64::from(self.plan.facts.width));
        self.merge(step, &|_| true);
        Some(())
    }

    /// Records the values of variables at a join of paths, of which the accepted ones are taken.
    fn merge(&mut self, step: &LoopStep, is_taken: &dyn Fn(usize) -> bool) {
        for (_, merge) in &step.after {
            self.meet(*merge, is_taken);
        }
    }

    fn meet(&mut self, merge: ValueId, is_taken: &dyn Fn(usize) -> bool) {
        let program = self.forms.program;
        if !program.is_needed(merge) || self.plan.facts.varying.contains(&merge) {
            return;
        }
        let mut values = program.merged(merge).iter().enumerate().filter(|(place, _)| is_taken(*place));
        if values.any(|(_, value)| !self.plan.facts.is_uniform(self.forms, *value)) {
            self.plan.facts.vary(merge);
        }
    }

    fn spend(&mut self, cost: f64) {
        self.plan.cost += self.weight * cost;
    }

    /// Whether a value is uniform across the lanes; `None` if it cannot be computed in lanes.
    fn value(&mut self, id: ValueId) -> Option<bool> {
        if self.forms.known.get(id).is_some() || !self.forms.seen.add(id, ()) {
            return Some(self.plan.facts.is_uniform(self.forms, id));
        }
        with_enough_stack(|| self.new_value(id))
    }

    fn new_value(&mut self, id: ValueId) -> Option<bool> {
        let element = self.forms.program.element(id);
        if element == ElementType::I64
            && let Some(uniform) = self.index(id)
        {
            return Some(uniform);
        }
        match self.forms.node(id) {
            Node::Constant(_) | Node::Size(_) | Node::Scalar(_) => Some(true),
            Node::Merge(_) | Node::Block | Node::Thread | Node::Iterator(_) => {
                Some(self.plan.facts.is_uniform(self.forms, id))
            }
            Node::Load(access) => self.access(*access, element),
            // Lanes here are other threads than those of a warp.
            Node::Shuffled(_) => None,
            Node::Unary(_, operand) => {
                let uniform = self.value(*operand)?;
                self.operation(uniform, true);
                Some(uniform)
            }
            Node::Cast(operand) => {
                let from = self.forms.program.element(*operand);
                let uniform = self.value(*operand)?;
                self.operation(uniform, vector_forms::cast_has_vector_form(from, element));
                Some(uniform)
            }
            Node::Bits(operand) => {
                let uniform = self.value(*operand)?;
                self.operation(uniform, true);
                Some(uniform)
            }
            Node::Math(function, arguments) => {
                let mut uniform = true;
                for argument in arguments {
                    uniform &= self.value(*argument)?;
                }
                if helpers::strip(*function).is_some() && !uniform {
                    // The cost of the call is shared by the lanes.
                    self.spend(0.5 + 12.0 / f64::from(self.plan.facts.width));
                } else {
                    self.operation(uniform, vector_forms::math_has_vector_form(*function, element));
                }
                Some(uniform)
            }
            Node::Binary(BinaryOp::And | BinaryOp::Or, left, right) if self.forms.reads(*right) => {
                if self.value(*left)? {
                    return self.arm(*right);
                }
                // Each side decides whether the other one is evaluated, lane by lane.
                self.lane_by_lane(id)
            }
            Node::Binary(operator, left, right) => {
                let of = self.forms.program.element(*left);
                let uniform = self.value(*left)? & self.value(*right)?;
                self.operation(uniform, vector_forms::binary_has_vector_form(*operator, of));
                if !uniform {
                    self.rounding(element);
                }
                Some(uniform)
            }
            Node::Select(condition, first, second) => self.select(id, *condition, *first, *second),
        }
    }

    /// Whether an index is uniform across the lanes; `None` if it is no sum of other values.
    fn index(&mut self, id: ValueId) -> Option<bool> {
        let form = self.forms.form(id);
        if form.terms.is_empty() {
            return Some(true);
        }
        self.make_whole(&form);
        // The counter is an atom too, but its change between lanes is known.
        let counter = self.plan.facts.counter;
        let is_opaque = matches!(form.terms.as_slice(), [(atom, _)] if *atom != counter && self.is_value(*atom));
        if is_opaque {
            return None;
        }
        let step = self.plan.facts.step(self.forms, &form);
        self.spend(if matches!(step, Step::By(_)) { 0.2 } else { 1.5 });
        Some(step.is_none())
    }

    fn select(&mut self, id: ValueId, condition: ValueId, first: ValueId, second: ValueId) -> Option<bool> {
        if self.value(condition)? {
            return Some(self.arm(first)? & self.arm(second)?);
        }
        if self.forms.reads(first) || self.forms.reads(second) {
            let truth = self.work(first) >= self.work(second);
            if self.settle(condition, truth, false).is_some() {
                self.value(if truth { first } else { second })?;
                return Some(false);
            }
            return self.lane_by_lane(id);
        }
        self.value(first)?;
        self.value(second)?;
        self.operation(false, true);
        Some(false)
    }

    /// An alternative that is evaluated only under a condition.
    fn arm(&mut self, id: ValueId) -> Option<bool> {
        let mark = self.forms.seen.enter();
        let uniform = self.value(id);
        self.forms.seen.leave(mark);
        uniform
    }

    fn is_value(&self, id: AtomId) -> bool {
        matches!(self.forms.atom(id), Atom::Value(_))
    }

    /// Adds the cost per lane of converting narrow floats.
    fn rounding(&mut self, element: ElementType) {
        let has_runs = element == ElementType::F16;
        self.spend(match NarrowFloat::from_element(element) {
            Some(_) if has_runs && (self.plan.facts.width as usize).is_multiple_of(helpers::HALF_RUN) => 0.5,
            Some(narrow) if narrow.is_upper_part() => 2.0,
            Some(_) => 4.0,
            None => 0.0,
        });
    }

    fn operation(&mut self, uniform: bool, has_vector_form: bool) {
        let lanes = f64::from(self.plan.facts.width);
        let per_lane = if has_vector_form { 0.25 } else { 2.0 };
        self.spend(if uniform { 1.0 / lanes } else { per_lane });
    }

    /// A value that is computed for each lane on its own.
    fn lane_by_lane(&mut self, id: ValueId) -> Option<bool> {
        let work = self.work(id);
        self.spend(1.5 * work);
        Some(false)
    }

    /// The cost of computing a value for a single lane.
    fn work(&mut self, id: ValueId) -> f64 {
        whole_work(self.forms, id, &mut self.works)
    }

    /// Adds an access to the plan; returns whether all lanes access the same element.
    fn access(&mut self, id: AccessId, element: ElementType) -> Option<bool> {
        let program = self.forms.program;
        let access = program.access(id);
        if let Some(mask) = access.tested {
            let known = condition(self.forms, mask, true);
            self.make_condition_whole(&known);
            if self.settle(mask, true, true).is_none() && !self.plan.facts.is_uniform(self.forms, mask) {
                self.spend(3.0 + conversion_work(element));
                return Some(false);
            }
        }
        let offset = self.forms.form(access.offset);
        self.make_whole(&offset);
        let step = self.plan.facts.step(self.forms, &offset);
        let lanes = f64::from(self.plan.facts.width);
        let is_tensor = matches!(access.memory, Memory::Param(_));
        self.spend(match (step, step.as_constant()) {
            (_, Some(0)) => 1.0 / lanes,
            (_, Some(1)) => 0.25,
            (_, Some(-1)) => 0.4,
            (Step::Swizzled(swizzle), _) if swizzle.is_permutation() && element.size_bytes() >= 4 => 0.5,
            (Step::Varying, _) => 2.5,
            (Step::By(_), apart) if is_tensor && apart.is_none_or(|apart| apart.unsigned_abs() >= FAR_APART) => 3.0,
            (Step::By(_) | Step::Swizzled(_), _) => 1.3,
        });
        if matches!(step, Step::Varying | Step::Swizzled(_)) {
            self.spend(conversion_work(element));
        } else if !step.is_none() {
            self.rounding(element);
        }
        if self.forms.options.bounds == BoundsChecks::Guarded
            && let Step::By(step) = step
            && !step.is(0)
            && self.is_known_before(&offset)
            && self.plan.inside.insert(id)
        {
            self.plan.guards.push(Guard::Inside { access: id, offset, step });
        }
        Some(step.is_none())
    }
}
