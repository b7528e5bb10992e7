//! Chooses between plans, and between vectorised and scalar loops.

use kernel::loops::{For, List, ValueId};
use kernel::typed::Local;

use super::{Counted, LoopKind, Plan, plan};
use crate::cpu::indices::form::Atom;
use crate::cpu::indices::forms::Forms;
use crate::cpu::plan::dependence::passes_values;
use crate::cpu::plan::estimate::{constant_trips, list_work, widths, work};

/// The estimated cost of running statements one iteration at a time. Inner loops may still be vectorised.
pub fn scalar_cost(forms: &mut Forms<'_>, list: &List) -> f64 {
    list_work(forms, list, &|forms, counted, after| {
        let one_by_one = 1.0 + scalar_cost(forms, &counted.body);
        let planned = plan_loop(forms, counted, after).map_or(f64::INFINITY, |plan| plan.cost + 0.3);
        one_by_one.min(planned)
    })
}

/// The plan for a loop of one thread, if vectorising it pays off.
pub fn plan_loop(forms: &mut Forms<'_>, counted: &For, after: &[(Local, ValueId)]) -> Option<Plan> {
    if passes_values(forms.program, counted, after) {
        return None;
    }
    let counter = forms.id(Atom::Value(counted.iterator));
    let one_by_one: f64 = work(forms, &counted.body) + 1.0;
    let (start, count) = (forms.program.constant(counted.ends[0]), constant_trips(forms.program, counted));
    let plan = cheapest_plan(forms, Counted { counter, start, count, kind: LoopKind::Iterations }, &counted.body);
    plan.filter(|plan| forms.options.prefers(plan.cost, one_by_one, 0.75))
}

/// The plan with the cheapest number of lanes.
pub fn cheapest_plan(forms: &mut Forms<'_>, counted: Counted, body: &List) -> Option<Plan> {
    let mut best: Option<Plan> = None;
    for width in widths(forms, body, counted.count) {
        let Some(plan) = plan(forms, counted, width, body) else { continue };
        if best.as_ref().is_none_or(|best| plan.cost < best.cost * 0.95) {
            best = Some(plan);
        }
    }
    best
}
