//! Inserts barriers between statements.

use crate::typed::{Constant, Expr, ExprKind, Statement, StatementKind};

/// The statements with the barrier of `barrier` before each for which there is one, and without conditions that
/// always hold. The body of a collective is guarded by its condition.
pub(super) fn with_barriers(
    body: Vec<Statement>,
    next: &mut usize,
    barrier: &mut dyn FnMut(usize) -> Option<Statement>,
) -> Vec<Statement> {
    let mut placed = Vec::with_capacity(body.len());
    for mut statement in body {
        let number = *next;
        *next += 1;
        placed.extend(barrier(number));
        let kind = match statement.kind {
            StatementKind::Collective { condition, body, .. } => {
                StatementKind::If { condition, then: body, otherwise: Vec::new() }
            }
            StatementKind::Each(mut each) => {
                // No iteration touches what another one writes, so there are no barriers inside.
                each.per_thread = with_barriers(each.per_thread, next, barrier);
                StatementKind::Each(each)
            }
            other => other,
        };
        statement.kind = match kind {
            StatementKind::If { condition, then, otherwise } if always_holds(&condition) && otherwise.is_empty() => {
                placed.extend(with_barriers(then, next, barrier));
                continue;
            }
            StatementKind::For { local, low, high, body } => {
                StatementKind::For { local, low, high, body: with_barriers(body, next, barrier) }
            }
            StatementKind::If { condition, then, otherwise } => {
                let then = with_barriers(then, next, barrier);
                StatementKind::If { condition, then, otherwise: with_barriers(otherwise, next, barrier) }
            }
            other => other,
        };
        placed.push(statement);
    }
    placed
}

/// Whether [`with_barriers`] changes nothing where there are no barriers.
pub(super) fn are_plain(body: &[Statement]) -> bool {
    body.iter().all(|statement| match &statement.kind {
        StatementKind::Collective { .. } => false,
        StatementKind::Each(each) => are_plain(&each.per_thread),
        StatementKind::For { body, .. } => are_plain(body),
        StatementKind::If { condition, then, otherwise } => {
            !(always_holds(condition) && otherwise.is_empty()) && are_plain(then) && are_plain(otherwise)
        }
        _ => true,
    })
}

fn always_holds(condition: &Expr) -> bool {
    condition.kind == ExprKind::Constant(Constant::Bool(true))
}
