//! Decides whether the iterations of a loop run several at once, and what must hold where they do.
//!
//! A plan is made for the body of a loop: over the threads of a block, or over the iterations of one thread's loop.
//! The loop then tests the plan's guards for the next `width` iterations, runs them at once where all guards hold, and
//! one by one where not. So the vector code needs no masks: whatever could differ between the lanes in more than a
//! step from one to the next is either guarded or computed lane by lane.

mod choice;
mod guards;

use std::collections::{HashMap, HashSet};

use elements::ElementType;
use kernel::LaunchBounds;
use kernel::typed::{Access, BinaryOp, Expr, ExprKind, Local, Statement, StatementKind};

use super::dependence::iterations_are_independent;
use super::estimate::{conversion_work, expression_work, trips, work};
use super::forms::{Atom, AtomId, Form, Forms};
use super::helpers;
use super::launch_table::LaunchValue;
use super::shape::{Condition, LaneFacts, Step, condition};

pub use choice::{cheapest_plan, plan_loop, scalar_cost};

/// What the loop tests before it runs iterations at once.
#[derive(Clone, Debug)]
pub enum Guard<'k> {
    /// A condition holds in every lane. `trusted` says that its indices are known not to wrap around.
    Holds { condition: Condition<'k>, trusted: bool },
    /// The quotient by the divisor is the same in all lanes, the dividend changing by a constant step.
    Whole { of: Form, divisor: LaunchValue, step: i64 },
    /// The positions of an access are inside the tensor's storage.
    Inside { access: &'k Access, offset: Form, step: LaunchValue },
}

/// How a loop's body runs in lanes.
#[derive(Clone, Debug)]
pub struct Plan<'k> {
    /// What is known of the lanes where the guards hold.
    pub facts: LaneFacts,
    /// What must hold.
    pub guards: Vec<Guard<'k>>,
    /// Conditions whose value the guards settle, by address.
    pub settled: HashMap<*const Expr, bool>,
    /// Accesses of which the guards see to it that they stay inside their tensor, by address.
    pub inside: HashSet<*const Access>,
    /// The estimated cost of one iteration in lanes, in the unit of [`scalar_cost`].
    pub cost: f64,
}

/// The loop that a plan is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopKind {
    /// Over the threads of a block: different threads touch different elements.
    Threads,
    /// Over the iterations of one thread: their order matters where they touch the same elements.
    Iterations,
}

/// The plan for a body, or the reason why there is none: some value or access would differ too much between lanes.
pub fn plan<'k>(
    forms: &mut Forms<'k>,
    counter: AtomId,
    width: u32,
    kind: LoopKind,
    body: &'k [Statement],
) -> Option<Plan<'k>> {
    if kind == LoopKind::Iterations && !iterations_are_independent(forms, counter, width, body) {
        return None;
    }
    let mut varying = HashSet::new();
    let mut assigned = HashSet::new();
    Statement::walk(body, &mut |statement| match &statement.kind {
        StatementKind::Assign { local, .. } | StatementKind::For { local, .. } => {
            assigned.insert(*local);
        }
        StatementKind::If { .. } | StatementKind::Store { .. } | StatementKind::Barrier(_) => {}
    });
    // A variable may turn out to vary after it was read, so the walk is repeated until nothing is added.
    loop {
        let facts = LaneFacts { counter, width, varying: varying.clone(), whole: HashSet::new() };
        let plan = Plan { facts, guards: Vec::new(), settled: HashMap::new(), inside: HashSet::new(), cost: 0.0 };
        let mut planner = Planner { forms, plan, assigned: &assigned, weight: 1.0 };
        let mark = planner.forms.enter();
        let possible = planner.statements(body);
        let plan = planner.plan;
        forms.leave(mark);
        possible?;
        if plan.facts.varying.len() == varying.len() {
            return Some(plan);
        }
        varying = plan.facts.varying;
    }
}

struct Planner<'a, 'k> {
    forms: &'a mut Forms<'k>,
    plan: Plan<'k>,
    /// The variables that the body assigns, iterators included: not known before it runs.
    assigned: &'a HashSet<Local>,
    /// How often the current statement runs per iteration.
    weight: f64,
}

impl<'k> Planner<'_, 'k> {
    fn statements(&mut self, statements: &'k [Statement]) -> Option<()> {
        let mark = self.forms.enter();
        let result = statements.iter().try_for_each(|statement| self.statement(statement));
        self.forms.leave(mark);
        result
    }

    fn statement(&mut self, statement: &'k Statement) -> Option<()> {
        match &statement.kind {
            StatementKind::Assign { local, value } => {
                if !self.expression(value)? {
                    self.plan.facts.varying.insert(*local);
                }
                self.forms.define(*local, value);
                Some(())
            }
            StatementKind::For { low, high, body, .. } => {
                // Lanes that leave a loop at different times would have to wait for each other.
                if !self.expression(low)? || !self.expression(high)? {
                    return None;
                }
                let outer = self.weight;
                self.weight *= trips(low, high);
                let result = self.statements(body);
                self.weight = outer;
                result
            }
            StatementKind::If { condition, then, otherwise } => {
                if self.expression(condition)? {
                    self.statements(then)?;
                    return self.statements(otherwise);
                }
                // The lanes run together where they agree on the side with more work.
                let truth = work(then) >= work(otherwise);
                self.settle(condition, truth, false)?;
                self.statements(if truth { then } else { otherwise })
            }
            StatementKind::Store { access, value } => {
                self.access(access, value.element)?;
                self.expression(value)?;
                Some(())
            }
            StatementKind::Barrier(_) => None,
        }
    }

    fn spend(&mut self, cost: f64) {
        self.plan.cost += self.weight * cost;
    }

    /// Whether all lanes agree on the expression; `None` where it cannot run in lanes.
    fn expression(&mut self, expr: &'k Expr) -> Option<bool> {
        if expr.element == ElementType::I64 {
            let form = self.forms.form(expr);
            if form.terms.is_empty() {
                return Some(true);
            }
            self.make_whole(&form);
            // The counter is an atom too, but what it does from lane to lane is known.
            let counter = self.plan.facts.counter;
            let is_opaque = matches!(form.terms.as_slice(), [(id, _)] if *id != counter && self.is_opaque(*id));
            if !is_opaque {
                let step = self.plan.facts.step(self.forms, &form);
                self.spend(if step == Step::Varying { 1.5 } else { 0.2 });
                return Some(step.is_none());
            }
        }
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Size(_) | ExprKind::Scalar(_) => Some(true),
            ExprKind::Local(local) => Some(!self.plan.facts.varying.contains(local)),
            ExprKind::BlockId | ExprKind::ThreadId => Some(self.plan.facts.is_uniform(self.forms, expr)),
            ExprKind::Load(access) => self.access(access, expr.element),
            ExprKind::Unary(_, operand) => {
                let uniform = self.expression(operand)?;
                self.operation(uniform, true);
                Some(uniform)
            }
            ExprKind::Cast(operand) => {
                let uniform = self.expression(operand)?;
                self.operation(uniform, super::vector_cast::cast_has_vector_form(operand.element, expr.element));
                Some(uniform)
            }
            ExprKind::Math(function, arguments) => {
                let mut uniform = true;
                for argument in arguments {
                    uniform &= self.expression(argument)?;
                }
                if helpers::strip(*function).is_some() && !uniform {
                    // What the call costs is shared by the lanes.
                    self.spend(0.5 + 12.0 / f64::from(self.plan.facts.width));
                } else {
                    self.operation(uniform, super::vector::math_has_vector_form(*function, expr.element));
                }
                Some(uniform)
            }
            ExprKind::Binary(operator @ (BinaryOp::And | BinaryOp::Or), left, right) if right.has_load() => {
                let uniform = self.expression(left)?;
                if uniform {
                    return self.expression(right);
                }
                // Each side decides whether the other one is evaluated, lane by lane.
                let _ = operator;
                self.lane_by_lane(expr)
            }
            ExprKind::Binary(operator, left, right) => {
                let uniform = self.expression(left)? & self.expression(right)?;
                self.operation(uniform, super::vector::binary_has_vector_form(*operator, left.element));
                if !uniform {
                    self.rounding(expr.element);
                }
                Some(uniform)
            }
            ExprKind::Select(condition, first, second) => {
                if self.expression(condition)? {
                    return Some(self.expression(first)? & self.expression(second)?);
                }
                if first.has_load() || second.has_load() {
                    let truth = expression_work(first) >= expression_work(second);
                    if self.settle(condition, truth, false).is_some() {
                        self.expression(if truth { first } else { second })?;
                        return Some(false);
                    }
                    return self.lane_by_lane(expr);
                }
                self.expression(first)?;
                self.expression(second)?;
                self.operation(false, true);
                Some(false)
            }
        }
    }

    fn is_opaque(&self, id: AtomId) -> bool {
        matches!(self.forms.atom(id), Atom::Opaque(_) | Atom::Local(_))
    }

    /// What converting halves adds to an operation on them, per lane.
    fn rounding(&mut self, element: ElementType) {
        self.spend(match element {
            ElementType::F16 if (self.plan.facts.width as usize).is_multiple_of(helpers::HALF_RUN) => 0.5,
            ElementType::F16 => 4.0,
            ElementType::Bf16 => 2.0,
            _ => 0.0,
        });
    }

    fn operation(&mut self, uniform: bool, has_vector_form: bool) {
        let lanes = f64::from(self.plan.facts.width);
        let per_lane = if has_vector_form { 0.25 } else { 2.0 };
        self.spend(if uniform { 1.0 / lanes } else { per_lane });
    }

    /// An expression that is evaluated for each lane on its own.
    fn lane_by_lane(&mut self, expr: &'k Expr) -> Option<bool> {
        self.spend(1.5 * expression_work(expr));
        Some(false)
    }

    /// Takes an access into the plan; whether all lanes get the same element.
    fn access(&mut self, access: &'k Access, element: ElementType) -> Option<bool> {
        if let Some(mask) = &access.mask {
            let known = condition(self.forms, mask, true);
            self.make_condition_whole(&known);
            if self.settle(mask, true, true).is_none() && !self.plan.facts.is_uniform(self.forms, mask) {
                self.spend(3.0 + conversion_work(element));
                return Some(false);
            }
        }
        let offset = self.forms.form(&access.offset);
        self.make_whole(&offset);
        let step = self.plan.facts.step(self.forms, &offset);
        let lanes = f64::from(self.plan.facts.width);
        self.spend(match step.as_constant() {
            Some(0) => 1.0 / lanes,
            Some(1) => 0.25,
            Some(-1) => 0.4,
            _ if step == Step::Varying => 2.5,
            _ => 1.3,
        });
        if step == Step::Varying {
            self.spend(conversion_work(element));
        } else if !step.is_none() {
            self.rounding(element);
        }
        if self.forms.options.bounds == LaunchBounds::Guarded
            && let Step::By(step) = step
            && !step.is(0)
            && self.is_known_before(&offset)
            && self.plan.inside.insert(access)
        {
            self.plan.guards.push(Guard::Inside { access, offset, step });
        }
        Some(step.is_none())
    }
}
