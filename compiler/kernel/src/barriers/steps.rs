//! The statements of a kernel with numbers, so that places among them can be spoken of.

use crate::typed::{Constant, Expr, ExprKind, Statement, StatementKind};

/// A statement with its number and those within it.
pub(super) struct Step<'k> {
    /// Its number among all statements, outer before inner.
    pub number: usize,
    pub statement: &'k Statement,
    /// The lists within it: the body of a loop, or both sides of a branch.
    pub lists: [Vec<Step<'k>>; 2],
    /// How many statements it consists of, itself included.
    pub size: u64,
}

/// Numbers the statements of a body.
pub(super) fn steps(body: &[Statement]) -> Vec<Step<'_>> {
    numbered(body, &mut 0)
}

fn numbered<'k>(list: &'k [Statement], next: &mut usize) -> Vec<Step<'k>> {
    let step = |statement: &'k Statement| {
        let number = *next;
        *next += 1;
        let lists = statement.blocks().map(|block| numbered(block, next));
        let size = 1 + lists.iter().flatten().map(|step| step.size).sum::<u64>();
        Step { number, statement, lists, size }
    };
    list.iter().map(step).collect()
}

/// The statements with barriers before those of which `barrier` gives one, and without conditions that always hold.
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
        statement.kind = match statement.kind {
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

fn always_holds(condition: &Expr) -> bool {
    condition.kind == ExprKind::Constant(Constant::Bool(true))
}
