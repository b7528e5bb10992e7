//! Inserts barriers between statements.

use crate::typed::{Constant, CopyOrder, Expr, ExprKind, Scope, Statement, StatementKind};
use syntax::span::Span;

/// What is inserted before and after a statement.
pub(super) struct Around {
    pub before: Vec<Statement>,
    pub after: Vec<Statement>,
}

/// An order of copies as a statement.
pub(super) fn ordered(order: CopyOrder) -> Statement {
    Statement { kind: StatementKind::Copies(order), scope: Scope::Block, span: Span::default() }
}

/// The statements with what `around` gives for each of them, and without conditions that always hold. The body of a collective is
/// guarded by its condition.
pub(super) fn with_barriers(
    body: Vec<Statement>,
    next: &mut usize,
    around: &mut dyn FnMut(usize) -> Around,
) -> Vec<Statement> {
    let mut placed = Vec::with_capacity(body.len());
    for mut statement in body {
        let number = *next;
        *next += 1;
        let Around { before, after } = around(number);
        placed.extend(before);
        if let StatementKind::Collective { condition, body, .. } = statement.kind {
            statement.kind = StatementKind::If { condition, then: body, otherwise: Vec::new() };
        }
        statement.change_blocks(&mut |block| with_barriers(block, next, around));
        match statement.kind {
            StatementKind::If { condition, then, otherwise } if always_holds(&condition) && otherwise.is_empty() => {
                placed.extend(then);
            }
            kind => placed.push(Statement { kind, ..statement }),
        }
        placed.extend(after);
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
