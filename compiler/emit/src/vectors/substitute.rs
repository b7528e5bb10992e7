//! Accesses at one iteration of a loop.

use kernel::typed::{Access, Expr, ExprKind, Local};

/// The access with another expression in the place of a variable.
pub(super) fn in_access(access: &Access, local: Local, value: &Expr) -> Access {
    Access {
        coordinates: access.coordinates.iter().map(|coordinate| in_expr(coordinate, local, value)).collect(),
        offset: in_expr(&access.offset, local, value),
        mask: access.mask.as_ref().map(|mask| in_expr(mask, local, value)),
        ..access.clone()
    }
}

fn in_expr(expr: &Expr, local: Local, value: &Expr) -> Expr {
    let inner = |operand: &Expr| Box::new(in_expr(operand, local, value));
    let kind = match &expr.kind {
        ExprKind::Local(own) if *own == local => return value.clone(),
        ExprKind::Constant(_)
        | ExprKind::Size(_)
        | ExprKind::Scalar(_)
        | ExprKind::Local(_)
        | ExprKind::BlockId
        | ExprKind::ThreadId => return expr.clone(),
        ExprKind::Load(access) => ExprKind::Load(Box::new(in_access(access, local, value))),
        ExprKind::Unary(operator, operand) => ExprKind::Unary(*operator, inner(operand)),
        ExprKind::Binary(operator, left, right) => ExprKind::Binary(*operator, inner(left), inner(right)),
        ExprKind::Select(condition, first, second) => ExprKind::Select(inner(condition), inner(first), inner(second)),
        ExprKind::Cast(operand) => ExprKind::Cast(inner(operand)),
        ExprKind::Math(function, arguments) => {
            ExprKind::Math(*function, arguments.iter().map(|argument| in_expr(argument, local, value)).collect())
        }
    };
    Expr { kind, element: expr.element }
}
