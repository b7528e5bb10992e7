//! The guards of a plan: what must hold of the next iterations so that they may run at once.

use kernel::typed::{BinaryOp, Expr, ExprKind};

use super::{Guard, Planner};
use crate::cpu::forms::{Atom, Form};
use crate::cpu::launch_table::LaunchValue;
use crate::cpu::shape::{Comparison, Condition, condition};

impl<'k> Planner<'_, 'k> {
    /// Adds the guard that a condition has the given value in all lanes; `None` where no guard can say so before the
    /// body runs.
    pub(super) fn settle(&mut self, expr: &'k Expr, truth: bool, trusted: bool) -> Option<()> {
        let condition = condition(self.forms, expr, truth);
        self.make_condition_whole(&condition);
        if !self.can_test(&condition, trusted) {
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
    fn can_test(&mut self, condition: &Condition<'k>, trusted: bool) -> bool {
        match condition {
            Condition::Known(truth) => *truth,
            Condition::Compare(Comparison { left, operator, right }) => {
                if !self.is_known_before(left) || !self.is_known_before(right) {
                    return false;
                }
                let steps = [left, right].map(|form| self.plan.facts.step(self.forms, form).as_constant());
                let [Some(left), Some(right)] = steps else {
                    let is_order = !matches!(operator, BinaryOp::Equal | BinaryOp::NotEqual);
                    let mut has_trend = |form| self.plan.facts.trend(self.forms, form).is_some();
                    return trusted && is_order && has_trend(left) && has_trend(right);
                };
                match operator {
                    // Indices that drift apart agree in one lane at most.
                    BinaryOp::Equal | BinaryOp::NotEqual => left == right,
                    _ => left.unsigned_abs() < 1 << 40 && right.unsigned_abs() < 1 << 40,
                }
            }
            Condition::Other(expr, _) => self.is_constant_before(expr),
            Condition::All(parts) | Condition::Any(parts) => {
                let any = matches!(condition, Condition::Any(_));
                let usable =
                    parts.iter().filter(|part| matches!(part, Condition::Known(false)) || self.can_test(part, trusted));
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
    pub(super) fn is_known_before(&self, form: &Form) -> bool {
        form.terms.iter().all(|(id, _)| match self.forms.atom(*id) {
            Atom::ThreadId | Atom::BlockId | Atom::Run | Atom::Digit(_) => true,
            Atom::Local(local) => *id == self.plan.facts.counter || !self.assigned.contains(local),
            Atom::Quotient(of, _) | Atom::Remainder(of, _) => self.is_known_before(of),
            Atom::Xor(left, right) => self.is_known_before(left) && self.is_known_before(right),
            Atom::Opaque(_) => false,
        })
    }

    /// Adds guards under which the digits in a form change by a step, or not at all.
    pub(super) fn make_whole(&mut self, form: &Form) {
        for (id, _) in form.terms.clone() {
            match self.forms.atom(id).clone() {
                Atom::Quotient(of, divisor) | Atom::Remainder(of, divisor) => self.make_digit_whole(of, divisor),
                Atom::Xor(left, right) => {
                    self.make_whole(&left);
                    self.make_whole(&right);
                }
                Atom::ThreadId | Atom::BlockId | Atom::Run | Atom::Digit(_) | Atom::Local(_) | Atom::Opaque(_) => {}
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

    pub(super) fn make_condition_whole(&mut self, condition: &Condition<'k>) {
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
