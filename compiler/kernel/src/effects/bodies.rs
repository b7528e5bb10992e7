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
        if let StatementKind::Collective { condition, body, .. } = statement.kind {
            statement.kind = StatementKind::If { condition, then: body, otherwise: Vec::new() };
        }
        for block in statement.blocks_mut() {
            *block = with_barriers(std::mem::take(block), next, barrier);
        }
        match statement.kind {
            StatementKind::If { condition, then, otherwise } if always_holds(&condition) && otherwise.is_empty() => {
                placed.extend(then);
            }
            kind => placed.push(Statement { kind, ..statement }),
        }
    }
    placed
}

/// Whether [`with_barriers`] changes nothing where there are no barriers.
pub(super) fn are_plain(body: &[Statement]) -> bool {
    body.iter().all(|statement| {
        let is_changed = match &statement.kind {
            StatementKind::Collective { .. } => true,
            StatementKind::If { condition, otherwise, .. } => always_holds(condition) && otherwise.is_empty(),
            _ => false,
        };
        !is_changed && statement.blocks().into_iter().all(are_plain)
    })
}

fn always_holds(condition: &Expr) -> bool {
    condition.kind == ExprKind::Constant(Constant::Bool(true))
}
