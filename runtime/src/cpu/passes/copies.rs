//! Asynchronous copies on a processor: they happen at once, so nothing waits for them.

use std::borrow::Cow;

use kernel::typed::{Kernel, Statement, StatementKind};

/// The kernel without the orders of its copies.
pub fn at_once(kernel: Cow<'_, Kernel>) -> Cow<'_, Kernel> {
    let mut has_orders = false;
    Statement::walk(&kernel.body, &mut |statement| has_orders |= matches!(statement.kind, StatementKind::Copies(_)));
    if !has_orders {
        return kernel;
    }
    let mut changed = kernel.into_owned();
    changed.body = without_orders(std::mem::take(&mut changed.body));
    Cow::Owned(changed)
}

fn without_orders(mut statements: Vec<Statement>) -> Vec<Statement> {
    statements.retain(|statement| !matches!(statement.kind, StatementKind::Copies(_)));
    statements.iter_mut().for_each(|statement| statement.change_blocks(&mut without_orders));
    statements
}
