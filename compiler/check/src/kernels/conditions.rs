//! Conditions: what is known where they hold, and where they do not.

use super::access::Coordinates;
use super::operands::{Choice, Operand};
use super::raised::Composed;
use super::{Checker, ElementType};
use kernel::raise::ValueId;
use kernel::typed::{Constant, Expr, ExprKind};
use syntax::span::Span;
use syntax::tree;

impl Checker<'_> {
    pub(super) fn condition(&mut self, condition: &tree::Expr) -> Option<Expr> {
        let operand = self.operand(condition)?;
        self.coerce(operand, ElementType::Bool, condition.span)
    }

    /// Checks a part of an expression that is evaluated only where a condition holds, or where it does not.
    fn where_it_holds<T>(&mut self, condition: &Expr, negated: bool, part: impl FnOnce(&mut Self) -> T) -> T {
        let held = self.raiser.held();
        let outermost = self.context.of_statement;
        self.context.of_statement = outermost.or(Some(held));
        self.raiser.assume(condition, negated);
        let checked = part(self);
        self.raiser.leave(held);
        self.context.of_statement = outermost;
        checked
    }

    /// `if c { a } else { b }`
    pub(super) fn choice(
        &mut self,
        condition: &tree::Expr,
        then: &tree::Expr,
        otherwise: &tree::Expr,
    ) -> Option<Operand> {
        let checked = self.condition(condition);
        // A choice between constants stays a constant, free in its type.
        if let Some(Expr { kind: ExprKind::Constant(Constant::Bool(chosen)), .. }) = checked
            && !self.mentions_kernel(then)
            && !self.mentions_kernel(otherwise)
        {
            return self.operand(if chosen { then } else { otherwise });
        }
        let (left, right) = match &checked {
            Some(checked) => (
                self.where_it_holds(checked, false, |checker| checker.operand(then)),
                self.where_it_holds(checked, true, |checker| checker.operand(otherwise)),
            ),
            None => (self.operand(then), self.operand(otherwise)),
        };
        let (left, right, checked) = (left?, right?, checked?);
        if left.is_constant() && right.is_constant() {
            let (then, otherwise) = ((left, then.span), (right, otherwise.span));
            return Some(Operand::Choice(Box::new(Choice { condition: checked, then, otherwise })));
        }
        let (left, right) = self.unify(left, right, (then.span, otherwise.span))?;
        let element = left.element;
        let kind = ExprKind::Select(Box::new(checked), Box::new(left), Box::new(right));
        Some(Operand::Typed(Expr { kind, element }))
    }

    /// A row of operands. That to the right of `&&` is evaluated where all before it hold, that to the right of `||`
    /// where none of them does.
    pub(super) fn chain(&mut self, first: &tree::Expr, rest: &[tree::Link]) -> Option<Operand> {
        let held = self.raiser.held();
        let outermost = self.context.of_statement;
        let mut left = self.operand(first);
        let mut span = first.span;
        let mut last = left.clone();
        // Each division asks for the sign of all before it, which is raised link by link.
        let divides = |link: &&tree::Link| matches!(link.op, tree::BinaryOp::Divide | tree::BinaryOp::Remainder);
        let raises = rest.iter().filter(divides).nth(1).is_some();
        let mut raised: Option<ValueId> = None;
        for link in rest {
            if let (tree::BinaryOp::And | tree::BinaryOp::Or, Some(Operand::Typed(before))) = (link.op, &last)
                && before.element == ElementType::Bool
            {
                self.context.of_statement = outermost.or(Some(held));
                self.raiser.assume(before, link.op == tree::BinaryOp::Or);
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

    /// An access as the race check sees it: under the conditions of its statement only. The elements that it reaches
    /// are among those; and a read is then the same access as the store of the statement it stands in.
    ///
    /// How it is computed is found out there too, since the axes of a map depend on the conditions that are known.
    pub(super) fn without_own_conditions(
        &mut self,
        view: &super::views::View,
        coordinates: &Coordinates,
        composed: Composed,
        span: Span,
    ) -> Option<(Composed, (Expr, Option<Expr>))> {
        let Some(statement) = self.context.of_statement else {
            let lowered = self.lowered(view, coordinates, &composed.map, span)?;
            return Some((composed, lowered));
        };
        let held = self.raiser.held();
        let own = self.raiser.take_since(statement);
        let found = self.composed(view, &coordinates.values, span).and_then(|composed| {
            let lowered = self.lowered(view, coordinates, &composed.map, span)?;
            Some((composed, lowered))
        });
        self.raiser.put_back(own, held);
        found
    }
}
