//! Walks over everything in a typed kernel that is emitted: an access is its offset and its mask, not its coordinates.

use crate::kernels::typed::{Access, Expr, ExprKind, Local, Statement, StatementKind};

/// Calls `visit` on an expression and on all in it.
pub(super) fn expressions<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    visit(expr);
    match &expr.kind {
        ExprKind::Constant(_)
        | ExprKind::Size(_)
        | ExprKind::Scalar(_)
        | ExprKind::Local(_)
        | ExprKind::BlockId
        | ExprKind::ThreadId => {}
        ExprKind::Load(access) => in_access(access, visit),
        ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => expressions(operand, visit),
        ExprKind::Binary(_, left, right) => {
            expressions(left, visit);
            expressions(right, visit);
        }
        ExprKind::Select(condition, first, second) => {
            expressions(condition, visit);
            expressions(first, visit);
            expressions(second, visit);
        }
        ExprKind::Math(_, arguments) => {
            for argument in arguments {
                expressions(argument, visit);
            }
        }
    }
}

fn in_access<'e>(access: &'e Access, visit: &mut dyn FnMut(&'e Expr)) {
    expressions(&access.offset, visit);
    if let Some(mask) = &access.mask {
        expressions(mask, visit);
    }
}

/// Calls `visit` on the expressions that stand in the statement itself, not in the statements within it.
pub(super) fn of_statement<'e>(statement: &'e Statement, visit: &mut dyn FnMut(&'e Expr)) {
    match &statement.kind {
        StatementKind::Assign { value, .. } => expressions(value, visit),
        StatementKind::For { low, high, .. } => {
            expressions(low, visit);
            expressions(high, visit);
        }
        StatementKind::If { condition, .. } => expressions(condition, visit),
        StatementKind::Store { access, value } => {
            in_access(access, visit);
            expressions(value, visit);
        }
    }
}

/// The blocks of statements within a statement.
pub(super) fn blocks(statement: &Statement) -> [&[Statement]; 2] {
    match &statement.kind {
        StatementKind::For { body, .. } => [body, &[]],
        StatementKind::If { then, otherwise, .. } => [then, otherwise],
        StatementKind::Assign { .. } | StatementKind::Store { .. } => [&[], &[]],
    }
}

/// Calls `visit` on every variable that an expression reads.
pub(super) fn locals(expr: &Expr, visit: &mut dyn FnMut(Local)) {
    expressions(expr, &mut |inner| {
        if let ExprKind::Local(local) = inner.kind {
            visit(local);
        }
    });
}
