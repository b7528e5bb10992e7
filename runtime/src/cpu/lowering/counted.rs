//! Lowers loops, vectorised if that pays off.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use dims::CompareOp;
use elements::ElementType;
use kernel::loops::List;

use super::emitter::Emitter;
use super::emitter::Lanes;
use super::scalar::int_condition;
use crate::cpu::indices::form::{AtomId, Form};
use crate::cpu::indices::shape::{Comparison, Condition, Trend};
use crate::cpu::launch::launch_table::LaunchValue;
use crate::cpu::plan::{Guard, Plan};

/// A loop to be lowered.
pub struct Loop<'l> {
    /// The counter.
    pub atom: AtomId,
    /// The first value of the counter.
    pub low: Value,
    pub high: Value,
    /// The number of iterations, if it is known.
    pub trips: Option<i64>,
    pub body: &'l List,
}

/// The most groups of iterations that are lowered one after the other instead of in a loop.
const MOST_UNROLLED_GROUPS: i64 = 4;

/// The most iterations in them. The operations in larger groups are many for each place that is computed.
const MOST_UNROLLED_ITERATIONS: i64 = 64;

/// The most steps in each of them.
const MOST_UNROLLED_STEPS: usize = 4;

/// The number of groups of a loop that is worth unrolling: a few groups of a few steps.
fn unrolled_groups(counted: &Loop<'_>, plan: &Plan) -> Option<i64> {
    let width = i64::from(plan.facts.width);
    let groups = counted.trips.filter(|trips| trips % width == 0 && *trips <= MOST_UNROLLED_ITERATIONS)? / width;
    let steps = &counted.body.steps;
    let is_short = steps.len() <= MOST_UNROLLED_STEPS && steps.iter().all(|step| step.kind.lists().next().is_none());
    (groups <= MOST_UNROLLED_GROUPS && is_short && plan.guards.is_empty()).then_some(groups)
}

impl<'l> Emitter<'l, '_> {
    /// Lowers a loop, vectorised if there is a plan.
    pub fn counted_loop(&mut self, counted: &Loop<'l>, plan: Option<Plan>) {
        self.nest.push(counted.atom);
        let counter = self.counter(counted.atom);
        match plan {
            Some(plan) => self.vectorised_loop(counted, plan),
            None => self.count(counter, counted.low, counted.high, |emitter| emitter.list(counted.body)),
        }
        self.nest.pop();
    }

    /// Tests the guards for each group of iterations, and runs the group together if they hold, otherwise one by one.
    fn vectorised_loop(&mut self, counted: &Loop<'l>, plan: Plan) {
        let width = i64::from(plan.facts.width);
        let counter = self.counter(counted.atom);
        if counted.trips == Some(width) {
            self.builder.def_var(counter, counted.low);
            self.group(counted, plan, counted.low, counted.high);
            return;
        }
        if let Some(groups) = unrolled_groups(counted, &plan) {
            // Where a group begins is a constant then, so less of it is computed for each group.
            for group in 0..groups {
                let first = self.builder.ins().iadd_imm_s(counted.low, group * width);
                let next = self.builder.ins().iadd_imm_s(first, width);
                self.builder.def_var(counter, first);
                self.group(counted, plan.clone(), first, next);
            }
            return;
        }
        let test = self.builder.create_block();
        let rest = self.builder.create_block();
        self.builder.def_var(counter, counted.low);
        // A whole group fits if enough iterations are left. The bounds of a loop may be so far apart that their
        // distance only fits an unsigned number.
        let enters = self.builder.ins().icmp(IntCC::SignedLessThan, counted.low, counted.high);
        let trips = self.builder.ins().isub(counted.high, counted.low);
        let enough = self.builder.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, trips, width);
        let fits = self.builder.ins().band(enters, enough);
        // The last value of the counter at which a whole group fits.
        let last_start = self.builder.ins().iadd_imm_s(counted.high, -width);
        self.builder.ins().brif(fits, test, &[], rest, &[]);

        self.builder.switch_to_block(test);
        let first = self.builder.use_var(counter);
        let next = self.builder.ins().iadd_imm_s(first, width);
        self.group(counted, plan, first, next);
        self.builder.def_var(counter, next);
        let again = self.builder.ins().icmp(IntCC::SignedLessThanOrEqual, next, last_start);
        self.builder.ins().brif(again, test, &[], rest, &[]);
        self.builder.seal_block(test);
        self.builder.seal_block(rest);

        self.builder.switch_to_block(rest);
        if counted.trips.is_none_or(|trips| trips % width != 0) {
            // Fewer iterations than a group are left.
            let first = self.builder.use_var(counter);
            self.one_by_one(counted, first, counted.high);
        }
    }

    /// Runs a group of iterations, together if the guards hold.
    fn group(&mut self, counted: &Loop<'l>, plan: Plan, first: Value, next: Value) {
        if plan.guards.is_empty() {
            return self.at_once(counted, plan);
        }
        // Values that are computed for guards belong to the first lane only.
        let guards = self.scope(|emitter| emitter.guards(&plan));
        self.branch(
            guards,
            |emitter| {
                emitter.at_once(counted, plan);
                None
            },
            |emitter| {
                emitter.one_by_one(counted, first, next);
                None
            },
            None,
        );
    }

    /// Runs iterations one by one, without vectorising inner loops, since this is the rare path.
    fn one_by_one(&mut self, counted: &Loop<'l>, low: Value, high: Value) {
        let plain = std::mem::replace(&mut self.plain, true);
        let counter = self.counter(counted.atom);
        self.count(counter, low, high, |emitter| emitter.list(counted.body));
        self.plain = plain;
    }

    /// Runs a group of iterations together; the counter is that of the first lane.
    fn at_once(&mut self, counted: &Loop<'l>, plan: Plan) {
        let outer = self.lanes.replace(Lanes { plan, lane: None });
        self.scope(|emitter| emitter.list(counted.body));
        self.lanes = outer;
    }

    /// Whether all guards of a plan hold for the next iterations.
    fn guards(&mut self, plan: &Plan) -> Value {
        let mut all = self.builder.ins().iconst(cranelift_codegen::ir::types::I8, 1);
        for guard in &plan.guards {
            let holds = match guard {
                Guard::Holds { condition, trusted } => self.holds(plan, condition, *trusted),
                Guard::Whole { of, divisor, step } => self.is_whole(plan, of, *divisor, *step),
                Guard::Inside { access, offset, step } => {
                    let target = self.target(*access);
                    self.ends_of_lanes_are_inside(&target, offset, *step, plan.facts.width)
                }
            };
            all = self.builder.ins().band(all, holds);
        }
        all
    }

    pub fn holds(&mut self, plan: &Plan, condition: &Condition, trusted: bool) -> Value {
        let truth = |emitter: &mut Self, value: bool| {
            emitter.builder.ins().iconst(cranelift_codegen::ir::types::I8, i64::from(value))
        };
        match condition {
            Condition::Known(value) => truth(self, *value),
            Condition::Compare(comparison) => self.compares(plan, comparison, trusted),
            Condition::Other(id, wanted) => {
                let value = self.value(*id);
                if *wanted { value } else { self.builder.ins().bxor_imm_u(value, 1) }
            }
            Condition::All(parts) => {
                let mut all = truth(self, true);
                for part in parts {
                    let holds = self.holds(plan, part, trusted);
                    all = self.builder.ins().band(all, holds);
                }
                all
            }
            Condition::Any(parts) => {
                let mut any = truth(self, false);
                for part in parts {
                    let holds = self.holds(plan, part, trusted);
                    any = self.builder.ins().bor(any, holds);
                }
                any
            }
        }
    }

    /// Whether a comparison holds in all lanes.
    fn compares(&mut self, plan: &Plan, comparison: &Comparison, trusted: bool) -> Value {
        let Comparison { left, operator, right } = comparison;
        let mut facts = plan.facts.clone();
        let steps = [left, right].map(|form| facts.step(&mut self.forms, form).as_constant());
        match steps {
            [Some(left_step), Some(right_step)] => {
                self.compares_steps(plan, comparison, (left_step, right_step), trusted)
            }
            _ => {
                // It holds if the greatest value of the smaller side is below the least one of the other.
                let left_is_smaller = matches!(operator, CompareOp::Lt | CompareOp::Le);
                let left = self.extreme_in_lanes(plan, left, left_is_smaller);
                let right = self.extreme_in_lanes(plan, right, !left_is_smaller);
                let condition = int_condition(*operator, ElementType::I64);
                self.builder.ins().icmp(condition, left, right)
            }
        }
    }

    /// The greatest or the least value of a monotonic form.
    fn extreme_in_lanes(&mut self, plan: &Plan, form: &Form, greatest: bool) -> Value {
        let rising = plan.facts.clone().trend(&mut self.forms, form) != Some(Trend::Falling);
        if rising == greatest {
            let last = self.forms.moved(form, plan.facts.counter, i64::from(plan.facts.width) - 1);
            return self.form(&last);
        }
        self.form(form)
    }

    /// Whether a comparison holds in all lanes if both sides change by constant steps. It does if it holds in the lane
    /// in which the sides are closest, the first or the last.
    fn compares_steps(
        &mut self,
        plan: &Plan,
        comparison: &Comparison,
        (left_step, right_step): (i64, i64),
        trusted: bool,
    ) -> Value {
        let Comparison { left, operator, right } = comparison;
        let facts = &plan.facts;
        let reach = i64::from(facts.width) - 1;
        let first = (self.form(left), self.form(right));
        let last = (self.moved(first.0, left_step * reach), self.moved(first.1, right_step * reach));
        let nearing = match operator {
            CompareOp::Lt | CompareOp::Le => left_step > right_step,
            CompareOp::Gt | CompareOp::Ge => left_step < right_step,
            _ => false,
        };
        let (tested_left, tested_right) = if nearing { last } else { first };
        if *operator == CompareOp::Ne && left_step != right_step {
            // They are equal in a lane where the distance of the first ones is a multiple of the difference of the steps; the
            // distance wraps as the sides do.
            let (from, to) = if left_step > right_step { first } else { (first.1, first.0) };
            let distance = self.builder.ins().isub(to, from);
            let most = self.int(left_step.abs_diff(right_step).cast_signed() * reach);
            return self.builder.ins().icmp(IntCC::UnsignedGreaterThan, distance, most);
        }
        let condition = int_condition(*operator, ElementType::I64);
        let mut holds = self.builder.ins().icmp(condition, tested_left, tested_right);
        if !trusted {
            // If an index wraps between the first and the last lane, nothing follows for the lanes between.
            for (step, first, last) in [(left_step, first.0, last.0), (right_step, first.1, last.1)] {
                if step != 0 {
                    let order = if step > 0 { IntCC::SignedLessThan } else { IntCC::SignedGreaterThan };
                    let in_order = self.builder.ins().icmp(order, first, last);
                    holds = self.builder.ins().band(holds, in_order);
                }
            }
        }
        holds
    }

    fn moved(&mut self, value: Value, by: i64) -> Value {
        if by == 0 { value } else { self.builder.ins().iadd_imm_s(value, by) }
    }

    /// Whether the quotient of a form is the same in all lanes: the remainder stays in `0..divisor`.
    fn is_whole(&mut self, plan: &Plan, of: &Form, divisor: LaunchValue, step: i64) -> Value {
        let value = self.form(of);
        let divider = self.forms.launch.divider(divisor);
        let remainder = self.remainder(value, divider);
        let reach = step * (i64::from(plan.facts.width) - 1);
        let last = self.moved(remainder, reach);
        if reach < 0 {
            return self.builder.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, last, 0);
        }
        let divisor = self.forms.launch.at_least_one(divisor);
        let divisor = self.launch_value(divisor);
        self.builder.ins().icmp(IntCC::SignedLessThan, last, divisor)
    }
}
