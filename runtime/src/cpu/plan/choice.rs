//! Chooses between plans, and between lanes and one iteration at a time.

use kernel::typed::{Expr, Statement, StatementKind};

use super::{LoopKind, Plan, plan};
use crate::cpu::estimate::{constant_trips, expression_work, trips, widths, work};
use crate::cpu::forms::{Atom, AtomId, Forms};

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
            StatementKind::Barrier(_) => 0.0,
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
    let plan = cheapest_plan(forms, counter, constant_trips(low, high), LoopKind::Iterations, body);
    plan.filter(|plan| forms.options.prefers(plan.cost, one_by_one, 0.75))
}

/// The plan with the number of lanes that costs least, where there are so many iterations (if known).
pub fn cheapest_plan<'k>(
    forms: &mut Forms<'k>,
    counter: AtomId,
    iterations: Option<i64>,
    kind: LoopKind,
    body: &'k [Statement],
) -> Option<Plan<'k>> {
    let mut best: Option<Plan<'k>> = None;
    for width in widths(body, iterations) {
        let Some(plan) = plan(forms, counter, width, kind, body) else { continue };
        if best.as_ref().is_none_or(|best| plan.cost < best.cost * 0.95) {
            best = Some(plan);
        }
    }
    best
}
