//! The guards of a plan: conditions under which the next iterations may run together.

use dims::CompareOp;
use kernel::loops::{Node, ValueId};

use rustc_hash::FxHashSet;

use super::{Guard, Planner};
use crate::cpu::indices::form::{Atom, Form};
use crate::cpu::indices::shape::{Comparison, Condition, LaneFacts, condition};
use crate::cpu::launch::launch_table::LaunchValue;

impl Planner<'_, '_> {
    /// Adds the guard that a condition has the given value in all lanes; `None` if that cannot be tested before the
    /// body runs.
    pub(super) fn settle(&mut self, id: ValueId, truth: bool, trusted: bool) -> Option<()> {
        let condition = condition(self.forms, id, truth);
        self.make_condition_whole(&condition);
        if !self.can_test(&condition, trusted) {
            return None;
        }
        match self.plan.settled.get(&id) {
            Some(other) => return (*other == truth).then_some(()),
            None => self.plan.settled.insert(id, truth),
        };
        self.plan.guards.push(Guard::Holds { condition, trusted });
        Some(())
    }

    /// Whether a condition can be tested for all lanes at once, before the body runs.
    pub(super) fn can_test(&mut self, condition: &Condition, trusted: bool) -> bool {
        match condition {
            Condition::Known(truth) => *truth,
            Condition::Compare(Comparison { left, operator, right }) => {
                if !self.is_known_before(left) || !self.is_known_before(right) {
                    return false;
                }
                let steps = [left, right].map(|form| self.plan.facts.step(self.forms, form).as_constant());
                let [Some(left), Some(right)] = steps else {
                    let is_order = !matches!(operator, CompareOp::Eq | CompareOp::Ne);
                    let mut has_trend = |form| self.plan.facts.trend(self.forms, form).is_some();
                    return trusted && is_order && has_trend(left) && has_trend(right);
                };
                match operator {
                    // Indices with different steps are equal in at most one lane.
                    CompareOp::Eq => left == right,
                    _ => left == right || left.unsigned_abs() < 1 << 40 && right.unsigned_abs() < 1 << 40,
                }
            }
            Condition::Other(id, _) => self.is_constant_before(*id),
            Condition::All(parts) | Condition::Any(parts) => {
                let any = matches!(condition, Condition::Any(_));
                let usable =
                    parts.iter().filter(|part| matches!(part, Condition::Known(false)) || self.can_test(part, trusted));
                // A part that is known to be false adds nothing to a disjunction, and makes a conjunction false.
                usable.count() == parts.len()
                    && (any || !parts.iter().any(|part| matches!(part, Condition::Known(false))))
            }
        }
    }

    /// Whether a value is uniform across the lanes, available before the body runs, and depends on no load.
    fn is_constant_before(&mut self, id: ValueId) -> bool {
        self.is_before(id) && self.plan.facts.is_uniform(self.forms, id)
    }

    /// Whether a value can be computed before the body runs, without reading memory.
    fn is_before(&self, id: ValueId) -> bool {
        let (mut open, mut seen) = (vec![id], FxHashSet::default());
        while let Some(id) = open.pop() {
            if self.forms.known.get(id).is_some() || !seen.insert(id) {
                continue;
            }
            match self.forms.node(id) {
                _ if self.own.contains(&id) => return false,
                Node::Load(_) => return false,
                node => open.extend(node.operands()),
            }
        }
        true
    }

    /// Whether a form can be computed before the body runs.
    pub(super) fn is_known_before(&self, form: &Form) -> bool {
        form.terms.iter().all(|(id, _)| match self.forms.atom(*id) {
            Atom::Run | Atom::Digit(_) => true,
            Atom::Value(value) => self.is_before(*value),
            Atom::Quotient(of, _) | Atom::Remainder(of, _) => self.is_known_before(of),
            Atom::Xor(left, right) => self.is_known_before(left) && self.is_known_before(right),
        })
    }

    /// Adds guards under which the digits in a form change by a constant step, or not at all.
    pub(super) fn make_whole(&mut self, form: &Form) {
        for (id, _) in form.terms.clone() {
            match self.forms.atom(id).clone() {
                Atom::Quotient(of, divisor) | Atom::Remainder(of, divisor) => self.make_digit_whole(of, divisor),
                Atom::Xor(left, right) => {
                    self.make_whole(&left);
                    self.make_whole(&right);
                    self.make_aligned(left, right);
                }
                Atom::Value(_) | Atom::Run | Atom::Digit(_) => {}
            }
        }
    }

    /// Adds the guard that the lanes count one side of an exclusive or from a multiple of their number, while the other
    /// side is uniform.
    fn make_aligned(&mut self, left: Form, right: Form) {
        let [first, second] = [&left, &right].map(|form| self.plan.facts.step(self.forms, form));
        let width = LaunchValue::Constant(self.plan.facts.width.into());
        if second.is_none() && first.as_constant() == Some(1) {
            self.make_digit_whole(left, width);
        } else if first.is_none() && second.as_constant() == Some(1) {
            self.make_digit_whole(right, width);
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
        let always_holds = self.is_always_whole(&of, divisor, step);
        if self.plan.facts.make_whole(of.clone(), divisor) && !always_holds {
            self.plan.guards.push(Guard::Whole { of, divisor, step });
        }
    }

    /// Whether a group of lanes never crosses a multiple of the divisor: every group is known to begin where the form
    /// is a multiple of its change over a group, and the divisor is a multiple of that change, too.
    fn is_always_whole(&self, of: &Form, divisor: LaunchValue, step: i64) -> bool {
        let LaneFacts { counter, width, .. } = self.plan.facts;
        // Sums that wrap stay multiples of powers of two.
        let reach = step.checked_mul(width.into()).filter(|reach| *reach > 0 && reach.count_ones() == 1);
        let (Some(reach), Some(start)) = (reach, self.start) else { return false };
        let is_multiple = |value: LaunchValue| value.as_constant().is_some_and(|value| value % reach == 0);
        let first =
            of.constant.as_constant().zip(step.checked_mul(start)).and_then(|(rest, own)| rest.checked_add(own));
        let is_counted = of.terms.iter().any(|(atom, coefficient)| *atom == counter && coefficient.is(step));
        let mut others = of.terms.iter().filter(|(atom, _)| *atom != counter);
        is_counted
            && is_multiple(divisor)
            && first.is_some_and(|first| first % reach == 0)
            && others.all(|(_, coefficient)| is_multiple(*coefficient))
    }

    pub(super) fn make_condition_whole(&mut self, condition: &Condition) {
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
