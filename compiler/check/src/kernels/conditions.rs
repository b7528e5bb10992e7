//! Conditions: what is known where they hold, and where they do not.

use super::access::Composed;
use super::context::Guard;
use super::operands::Operand;
use super::{Checker, ElementType};
use dims::{CompareOp, Sym};
use kernel::typed::{BinaryOp, Constant, Expr, ExprKind, UnaryOp};
use syntax::span::Span;
use syntax::tree;

impl Checker<'_> {
    /// Forgets the conditions that were assumed since there were `guards` of them.
    pub(super) fn leave(&mut self, guards: usize, unstated: usize) {
        self.context.guards.truncate(guards);
        self.context.unstated_conditions = unstated;
    }

    pub(super) fn condition(&mut self, condition: &tree::Expr) -> Option<Expr> {
        let operand = self.operand(condition)?;
        self.coerce(operand, ElementType::Bool, condition.span)
    }

    /// Takes a condition, or its opposite, as known from here on. What cannot be stated as a comparison of
    /// integers that stay as they are is only counted.
    pub(super) fn assume(&mut self, condition: &Expr, negated: bool) {
        match &condition.kind {
            ExprKind::Binary(BinaryOp::And, left, right) if !negated => {
                self.assume(left, false);
                self.assume(right, false);
            }
            ExprKind::Binary(BinaryOp::Or, left, right) if negated => {
                self.assume(left, true);
                self.assume(right, true);
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.assume(inner, !negated),
            ExprKind::Constant(Constant::Bool(holds)) if *holds != negated => {}
            // What never holds is a contradiction between sizes.
            ExprKind::Constant(Constant::Bool(_)) => {
                let zero = super::operands::size(&Sym::zero());
                self.know(Guard { left: zero.clone(), op: CompareOp::Lt, right: zero });
            }
            ExprKind::Binary(op, left, right) => match comparison(*op) {
                Some(op) if is_index_like(left.element) && self.is_stable(left) && self.is_stable(right) => {
                    let op = if negated { op.negated() } else { op };
                    let as_index = |side: &Expr| super::operands::cast(side.clone(), ElementType::I64);
                    self.know(Guard { left: as_index(left), op, right: as_index(right) });
                }
                _ => self.context.unstated_conditions += 1,
            },
            _ => self.context.unstated_conditions += 1,
        }
    }

    /// Checks a part of an expression that is evaluated only where a condition holds, or where it does not.
    fn where_it_holds<T>(&mut self, condition: &Expr, negated: bool, part: impl FnOnce(&mut Self) -> T) -> T {
        let (guards, unstated) = (self.context.guards.len(), self.context.unstated_conditions);
        let outermost = self.context.statement_guards;
        self.context.statement_guards = outermost.or(Some(guards));
        self.assume(condition, negated);
        let checked = part(self);
        self.leave(guards, unstated);
        self.context.statement_guards = outermost;
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
        let (left, right) = self.unify(left?, right?, (then.span, otherwise.span))?;
        let element = left.element;
        let kind = ExprKind::Select(Box::new(checked?), Box::new(left), Box::new(right));
        Some(Operand::Typed(Expr { kind, element }))
    }

    /// A row of operands. That to the right of `&&` is evaluated where all before it hold, that to the right of `||`
    /// where none of them does.
    pub(super) fn chain(&mut self, first: &tree::Expr, rest: &[tree::Link]) -> Option<Operand> {
        let (guards, unstated) = (self.context.guards.len(), self.context.unstated_conditions);
        let outermost = self.context.statement_guards;
        let mut left = self.operand(first);
        let mut span = first.span;
        let mut last = left.clone();
        for link in rest {
            if let (tree::BinaryOp::And | tree::BinaryOp::Or, Some(Operand::Typed(before))) = (link.op, &last)
                && before.element == ElementType::Bool
            {
                self.context.statement_guards = outermost.or(Some(guards));
                self.assume(before, link.op == tree::BinaryOp::Or);
            }
            let right = self.operand(&link.operand);
            last.clone_from(&right);
            left = match (left, right) {
                (Some(left), Some(right)) => self.combine(link.op, left, right, (span, link.operand.span)),
                _ => None,
            };
            span = span.to(link.operand.span);
        }
        self.leave(guards, unstated);
        self.context.statement_guards = outermost;
        left
    }

    /// An access as the race check sees it: under the conditions of its statement only. The elements that it reaches
    /// are among those; and a read is then the same access as the store of the statement it stands in.
    ///
    /// How it is computed is found out there too, since the axes of a map depend on the conditions that are known.
    pub(super) fn without_own_conditions(
        &mut self,
        view: &super::views::View,
        coordinates: &[Expr],
        composed: Composed,
        span: Span,
    ) -> Option<(Composed, (Expr, Option<Expr>))> {
        let Some(statement) = self.context.statement_guards else {
            let lowered = self.lowered(view, coordinates, &composed.map, span)?;
            return Some((composed, lowered));
        };
        let own = self.context.guards.split_off(statement);
        let found = self.composed(view, coordinates, span).and_then(|composed| {
            let lowered = self.lowered(view, coordinates, &composed.map, span)?;
            Some((composed, lowered))
        });
        self.context.guards.extend(own);
        found
    }

    /// Whether the expression has one value as long as its variables are in scope.
    pub(super) fn is_stable(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Local(local) => self.locals.get(local.0 as usize).is_some_and(|local| !local.mutable),
            ExprKind::Load(_) => false,
            ExprKind::Unary(_, inner) | ExprKind::Cast(inner) => self.is_stable(inner),
            ExprKind::Binary(_, left, right) => self.is_stable(left) && self.is_stable(right),
            ExprKind::Select(condition, then, otherwise) => {
                self.is_stable(condition) && self.is_stable(then) && self.is_stable(otherwise)
            }
            ExprKind::Math(_, args) => args.iter().all(|arg| self.is_stable(arg)),
            ExprKind::Constant(_)
            | ExprKind::Size(_)
            | ExprKind::Scalar(_)
            | ExprKind::BlockId
            | ExprKind::ThreadId => true,
        }
    }
}

/// Whether the values of a type compare as the indices that they become. A large `u64` becomes negative.
fn is_index_like(element: ElementType) -> bool {
    element.is_integer() && element != ElementType::U64
}

fn comparison(op: BinaryOp) -> Option<CompareOp> {
    Some(match op {
        BinaryOp::Equal => CompareOp::Eq,
        BinaryOp::NotEqual => CompareOp::Ne,
        BinaryOp::Less => CompareOp::Lt,
        BinaryOp::LessEqual => CompareOp::Le,
        BinaryOp::Greater => CompareOp::Gt,
        BinaryOp::GreaterEqual => CompareOp::Ge,
        _ => return None,
    })
}
