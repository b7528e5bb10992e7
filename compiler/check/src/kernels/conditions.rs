//! Conditional expressions, and the conditions that hold in their parts.

use std::sync::Arc;

use super::access::{Coordinates, Lowered};
use super::branches::MOST_NESTED;
use super::checker::Checker;
use super::operand::{Choice, Operand};
use super::raised::{Around, Composed};
use elements::ElementType;
use kernel::raise::ValueId;
use kernel::typed::{Constant, Expr, ExprKind};
use syntax::span::Span;
use syntax::tree;

/// The most operands of a chain of `&&` or `||` that a later one assumes. Each access is looked at under all of them, so
/// without a limit the cost of a chain would grow with the square of its length.
const MOST_ASSUMED: usize = 128;

impl Checker<'_> {
    pub(super) fn condition(&mut self, condition: &tree::Expr) -> Option<Expr> {
        let operand = self.operand(condition)?;
        self.coerce(operand, ElementType::Bool, condition.span)
    }

    /// Checks `if c { a } else if d { b } else { e }`.
    pub(super) fn choice(&mut self, arms: &[tree::Arm], otherwise: &tree::Expr) -> Option<Operand> {
        let held = self.raiser.held();
        let outermost = self.context.of_statement;
        let found = self.checked_arms(arms, otherwise);
        self.raiser.leave(held);
        self.context.of_statement = outermost;
        let choice = found?;
        if choice.arms.is_empty() {
            return Some(choice.otherwise.0);
        }
        let choice = Operand::Choice(Box::new(choice));
        // A choice between constants is a constant whose type is still free.
        if choice.is_constant() { Some(choice) } else { self.natural(choice, otherwise.span).map(Operand::Typed) }
    }

    /// Checks each condition under the negation of the earlier ones, and each value under its own condition.
    fn checked_arms(&mut self, arms: &[tree::Arm], otherwise: &tree::Expr) -> Option<Choice> {
        let held = self.raiser.held();
        let outermost = self.context.of_statement;
        let without_kernel = self.arms_without_kernel(arms, otherwise);
        let mut checked_arms = Vec::with_capacity(arms.len());
        let mut last = otherwise;
        let mut is_sound = true;
        for (number, tree::Arm { condition, value }) in arms.iter().enumerate() {
            if number > 0 && number.is_multiple_of(MOST_NESTED) {
                // Limits how many earlier conditions an arm assumes.
                self.raiser.leave(held);
                self.raiser.assume_unstated();
            }
            let checked = self.condition(condition);
            if let Some(Expr { kind: ExprKind::Constant(Constant::Bool(holds)), .. }) = checked
                && number >= without_kernel
            {
                if holds {
                    last = value;
                    break;
                }
                continue;
            }
            self.context.of_statement = outermost.or(Some(held));
            let before = self.raiser.held();
            if let Some(checked) = &checked {
                self.raiser.assume(checked, false);
            }
            let operand = self.operand(value);
            self.raiser.leave(before);
            if let Some(checked) = &checked {
                self.raiser.assume(checked, true);
            }
            match (checked, operand) {
                (Some(checked), Some(operand)) => checked_arms.push((checked, (operand, value.span))),
                _ => is_sound = false,
            }
        }
        let otherwise = (self.operand(last)?, last.span);
        let mut choice = Choice { arms: checked_arms, otherwise };
        self.promote(choice.values_mut());
        is_sound.then_some(choice)
    }

    /// The index of the first arm whose value, like everything after it, does not mention the kernel. Such a value is
    /// known as soon as the arm's condition is.
    fn arms_without_kernel(&self, arms: &[tree::Arm], otherwise: &tree::Expr) -> usize {
        if self.mentions_kernel(otherwise) {
            return arms.len();
        }
        let mentions = |arm: &tree::Arm| self.mentions_kernel(&arm.condition) || self.mentions_kernel(&arm.value);
        let last = arms.iter().rposition(mentions);
        last.map_or(0, |last| last + usize::from(arms.get(last).is_some_and(|arm| self.mentions_kernel(&arm.value))))
    }

    /// A chain of operands. The right operand of `&&` is evaluated if all earlier ones hold, that of `||` if none
    /// holds.
    pub(super) fn chain(&mut self, first: &tree::Expr, rest: &[tree::Link]) -> Option<Operand> {
        let held = self.raiser.held();
        let outermost = self.context.of_statement;
        let mut left = self.operand(first);
        let mut span = first.span;
        let mut last = left.clone();
        // Each division needs the sign of its left operand, so that operand is raised link by link.
        let divides = |link: &&tree::Link| matches!(link.op, tree::BinaryOp::Divide | tree::BinaryOp::Remainder);
        let raises = rest.iter().filter(divides).nth(1).is_some();
        let mut raised: Option<ValueId> = None;
        for (number, link) in rest.iter().enumerate() {
            if let (tree::BinaryOp::And | tree::BinaryOp::Or, Some(Operand::Typed(before))) = (link.op, &last)
                && before.element == ElementType::Bool
            {
                self.context.of_statement = outermost.or(Some(held));
                if number < MOST_ASSUMED {
                    self.raiser.assume(before, link.op == tree::BinaryOp::Or);
                } else {
                    self.raiser.assume_unstated();
                }
            }
            let right = self.operand(&link.operand);
            last.clone_from(&right);
            self.context.left = raised;
            left = match (left, right) {
                (Some(left), Some(right)) => self.combine(link.op, left, right, (span, link.operand.span)),
                _ => None,
            };
            self.context.left = None;
            raised = match &left {
                Some(Operand::Typed(expr)) if raises => Some(self.raised_over(expr, raised)),
                _ => None,
            };
            span = span.to(link.operand.span);
        }
        self.raiser.leave(held);
        self.context.of_statement = outermost;
        left
    }

    fn raised_over(&mut self, expr: &Expr, left: Option<ValueId>) -> ValueId {
        match left {
            Some(left) => self.raiser.value_over(expr, left),
            None => self.raiser.value(expr),
        }
    }

    /// An access for the race check, under the conditions of its statement only. It reaches a superset of the elements,
    /// and a load has the same map as the store of its statement.
    ///
    /// The computation of the access is determined here too, since the axes of a map depend on the known conditions.
    pub(super) fn without_own_conditions(
        &mut self,
        view: &super::view::View,
        coordinates: &Coordinates,
        composed: Arc<Composed>,
        span: Span,
    ) -> Option<(Arc<Composed>, Lowered)> {
        let Some(statement) = self.context.of_statement else {
            let lowered = self.lowered(view, coordinates, &composed, span)?;
            return Some((composed, lowered));
        };
        let held = self.raiser.held();
        let own = self.raiser.take_since(statement);
        let found = self.composed(Around::Conditions, view, &coordinates.values, span).and_then(|composed| {
            let lowered = self.lowered(view, coordinates, &composed, span)?;
            Some((composed, lowered))
        });
        self.raiser.put_back(own, held);
        found
    }
}
