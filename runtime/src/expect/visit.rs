//! Goes through the expressions of conditions.

use kernel::run::{Expectation, TensorExpr, TensorExprKind};

/// Visits every condition and everything in them.
pub(super) fn visit_all<'e>(expectation: &'e Expectation, visitor: &mut dyn FnMut(&'e TensorExpr)) {
    expectation.conditions.iter().for_each(|condition| visit(&condition.holds, visitor));
}

/// Visits an expression and everything in it.
pub(super) fn visit<'e>(expr: &'e TensorExpr, visitor: &mut dyn FnMut(&'e TensorExpr)) {
    visitor(expr);
    operands(expr).for_each(|operand| visit(operand, visitor));
}

/// The operands of an expression.
fn operands(expr: &TensorExpr) -> impl Iterator<Item = &TensorExpr> {
    let (fixed, list): ([Option<&TensorExpr>; 3], &[TensorExpr]) = match &expr.kind {
        TensorExprKind::Constant(_)
        | TensorExprKind::File(_)
        | TensorExprKind::Size(_)
        | TensorExprKind::Final(_)
        | TensorExprKind::Initial(_) => ([None; 3], &[]),
        TensorExprKind::Unary(_, operand)
        | TensorExprKind::Cast(_, operand)
        | TensorExprKind::Permute(operand, _)
        | TensorExprKind::Reshape(operand)
        | TensorExprKind::Extend(operand)
        | TensorExprKind::Reverse(operand, _)
        | TensorExprKind::Slice(operand, ..)
        | TensorExprKind::Index(operand, _)
        | TensorExprKind::Sum(operand, _)
        | TensorExprKind::Maximum(operand, _)
        | TensorExprKind::Minimum(operand, _) => ([Some(operand), None, None], &[]),
        TensorExprKind::Binary(_, left, right) | TensorExprKind::Product(left, right) => {
            ([Some(left), Some(right), None], &[])
        }
        TensorExprKind::Select(condition, first, second) => ([Some(condition), Some(first), Some(second)], &[]),
        TensorExprKind::Math(_, operands) | TensorExprKind::List(operands) => ([None; 3], operands),
    };
    fixed.into_iter().flatten().chain(list)
}
