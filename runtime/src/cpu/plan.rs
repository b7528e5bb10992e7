//! Decides whether the iterations of a loop run several at once, and what must hold where they do.
//!
//! A plan is made for the body of a loop: over the threads of a block, or over the iterations of one thread's loop.
//! The loop then tests the plan's guards for the next `width` iterations, runs them at once where all guards hold, and
//! one by one where not. So the vector code needs no masks: whatever could differ between the lanes in more than a
//! step from one to the next is either guarded or computed lane by lane.

use std::collections::{HashMap, HashSet};

use shapewright_compiler::kernels::element::ElementType;
use shapewright_compiler::kernels::typed::{Access, BinaryOp, Expr, ExprKind, Local, Statement, StatementKind};

use super::dependence::iterations_are_independent;
use super::estimate::{constant_trips, conversion_work, expression_work, trips, widths, work};
use super::forms::{Atom, AtomId, Form, Forms};
use super::helpers;
use super::launch_table::LaunchValue;
use super::shape::{Comparison, Condition, LaneFacts, Step, condition};
use crate::execute::control::BoundsMode;

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
        StatementKind::If { .. } | StatementKind::Store { .. } => {}
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
                self.operation(uniform, super::vector::math_has_vector_form(*function, expr.element));
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
        if self.forms.options.bounds == BoundsMode::Guarded
            && let Step::By(step) = step
            && !step.is(0)
            && self.is_known_before(&offset)
            && self.plan.inside.insert(access)
        {
            self.plan.guards.push(Guard::Inside { access, offset, step });
        }
        Some(step.is_none())
    }

    /// Adds the guard that a condition has the given value in all lanes; `None` where no guard can say so before the
    /// body runs.
    fn settle(&mut self, expr: &'k Expr, truth: bool, trusted: bool) -> Option<()> {
        let condition = condition(self.forms, expr, truth);
        self.make_condition_whole(&condition);
        if !self.can_test(&condition) {
            return None;
        }
        match self.plan.settled.get(&std::ptr::from_ref(expr)) {
            Some(other) => return (*other == truth).then_some(()),
            None => self.plan.settled.insert(expr, truth),
        };
        self.plan.guards.push(Guard::Holds { condition, trusted });
        Some(())
    }

    /// Whether a condition can be tested for all lanes at once, before the body runs.
    fn can_test(&mut self, condition: &Condition<'k>) -> bool {
        match condition {
            Condition::Known(truth) => *truth,
            Condition::Compare(Comparison { left, operator, right }) => {
                if !self.is_known_before(left) || !self.is_known_before(right) {
                    return false;
                }
                let (left, right) = (self.plan.facts.step(self.forms, left), self.plan.facts.step(self.forms, right));
                let (Some(left), Some(right)) = (left.as_constant(), right.as_constant()) else { return false };
                match operator {
                    // Indices that drift apart agree in one lane at most.
                    BinaryOp::Equal | BinaryOp::NotEqual => left == right,
                    _ => left.unsigned_abs() < 1 << 40 && right.unsigned_abs() < 1 << 40,
                }
            }
            Condition::Other(expr, _) => self.is_constant_before(expr),
            Condition::All(parts) | Condition::Any(parts) => {
                let any = matches!(condition, Condition::Any(_));
                let usable = parts.iter().filter(|part| matches!(part, Condition::Known(false)) || self.can_test(part));
                // A part that is known not to hold adds nothing to a disjunction, and ends a conjunction.
                usable.count() == parts.len()
                    && (any || !parts.iter().any(|part| matches!(part, Condition::Known(false))))
            }
        }
    }

    /// Whether an expression has one value for all lanes that is known before the body runs and reads no tensor.
    fn is_constant_before(&mut self, expr: &'k Expr) -> bool {
        let mut known = !expr.has_load();
        expr.walk(&mut |inner| {
            if let ExprKind::Local(local) = &inner.kind {
                known &= !self.assigned.contains(local);
            }
        });
        known && self.plan.facts.is_uniform(self.forms, expr)
    }

    /// Whether a form can be computed before the body runs.
    fn is_known_before(&self, form: &Form) -> bool {
        form.terms.iter().all(|(id, _)| match self.forms.atom(*id) {
            Atom::ThreadId | Atom::BlockId => true,
            Atom::Local(local) => *id == self.plan.facts.counter || !self.assigned.contains(local),
            Atom::Quotient(of, _) | Atom::Remainder(of, _) => self.is_known_before(of),
            Atom::Xor(left, right) => self.is_known_before(left) && self.is_known_before(right),
            Atom::Opaque(_) => false,
        })
    }

    /// Adds guards under which the digits in a form change by a step, or not at all.
    fn make_whole(&mut self, form: &Form) {
        for (id, _) in form.terms.clone() {
            match self.forms.atom(id).clone() {
                Atom::Quotient(of, divisor) | Atom::Remainder(of, divisor) => self.make_digit_whole(of, divisor),
                Atom::Xor(left, right) => {
                    self.make_whole(&left);
                    self.make_whole(&right);
                }
                Atom::ThreadId | Atom::BlockId | Atom::Local(_) | Atom::Opaque(_) => {}
            }
        }
    }

    fn make_digit_whole(&mut self, of: Form, divisor: LaunchValue) {
        self.make_whole(&of);
        let Some(step) = self.plan.facts.step(self.forms, &of).as_constant() else { return };
        let reach = step.unsigned_abs().saturating_mul(u64::from(self.plan.facts.width) - 1);
        let fits = match divisor {
            LaunchValue::Constant(divisor) => {
                let steps_over = divisor > 0 && step % divisor == 0;
                !steps_over && reach < divisor.max(1) as u64
            }
            LaunchValue::Slot(_) => reach < 1 << 40,
        };
        if step == 0 || !fits || !self.is_known_before(&of) {
            return;
        }
        if self.plan.facts.whole.insert((of.clone(), divisor)) {
            self.plan.guards.push(Guard::Whole { of, divisor, step });
        }
    }

    fn make_condition_whole(&mut self, condition: &Condition<'k>) {
        match condition {
            Condition::Compare(Comparison { left, right, .. }) => {
                self.make_whole(left);
                self.make_whole(right);
            }
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().for_each(|part| self.make_condition_whole(part));
            }
            Condition::Known(_) | Condition::Other(..) => {}
        }
    }
}

/// The estimated cost of running statements one iteration at a time. Loops inside may still run in lanes.
pub fn scalar_cost<'k>(forms: &mut Forms<'k>, statements: &'k [Statement]) -> f64 {
    let mark = forms.enter();
    let mut sum = 0.0;
    for statement in statements {
        let mut own = 0.0;
        statement.own_expressions(&mut |expr| own += expression_work(expr));
        own += match &statement.kind {
            StatementKind::Assign { local, value } => {
                forms.define(*local, value);
                0.0
            }
            StatementKind::Store { .. } => 1.0,
            StatementKind::For { local, low, high, body } => {
                let counter = forms.id(Atom::Local(*local));
                let one_by_one = 1.0 + scalar_cost(forms, body);
                let planned = plan_loop(forms, counter, low, high, body).map_or(f64::INFINITY, |plan| plan.cost + 0.3);
                trips(low, high) * one_by_one.min(planned)
            }
            StatementKind::If { then, otherwise, .. } => {
                1.0 + scalar_cost(forms, then).max(scalar_cost(forms, otherwise))
            }
        };
        sum += own;
    }
    forms.leave(mark);
    sum
}

/// The plan for a loop of one thread, if running it in lanes pays.
pub fn plan_loop<'k>(
    forms: &mut Forms<'k>,
    counter: AtomId,
    low: &Expr,
    high: &Expr,
    body: &'k [Statement],
) -> Option<Plan<'k>> {
    let one_by_one: f64 = work(body) + 1.0;
    let mut best: Option<Plan<'k>> = None;
    for width in widths(body, constant_trips(low, high)) {
        let Some(plan) = plan(forms, counter, width, LoopKind::Iterations, body) else { continue };
        if best.as_ref().is_none_or(|best| plan.cost < best.cost * 0.95) {
            best = Some(plan);
        }
    }
    best.filter(|plan| forms.options.prefers(plan.cost, one_by_one, 0.75))
}
