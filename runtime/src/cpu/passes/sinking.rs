//! Moves assignments into the `if` behind them that alone reads their variables.
//!
//! A sum over a block is a value of all its threads, though often only one of them stores it. The threads of a block are
//! iterations of loops here, so what no other thread reads is not to be computed for all of them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use kernel::typed::{Expr, ExprKind, Kernel, Local, Statement, StatementKind};

use super::butterflies::Reads;

/// The kernel with assignments where they are needed. A load that is not needed is not made, so accesses are not to be checked.
pub fn sunk(kernel: Cow<'_, Kernel>) -> Cow<'_, Kernel> {
    let mut has_choice = false;
    Statement::walk(&kernel.body, &mut |statement| has_choice |= matches!(statement.kind, StatementKind::If { .. }));
    if !has_choice {
        return kernel;
    }
    let reads = Reads::in_kernel(&kernel);
    let mut kernel = kernel.into_owned();
    sink(&mut kernel.body, &reads);
    Cow::Owned(kernel)
}

fn sink(statements: &mut Vec<Statement>, reads: &Reads) {
    let mut place = statements.len();
    while let Some(last) = place.checked_sub(1) {
        let (before, own) = statements.split_at_mut(last);
        let Some(statement) = own.first_mut() else { return };
        let sunk = match &mut statement.kind {
            StatementKind::If { then, .. } => sinking(before, then, reads),
            _ => 0,
        };
        let first = last - sunk;
        let moved: Vec<Statement> = statements.drain(first..last).collect();
        let Some(statement) = statements.get_mut(first) else { return };
        if let StatementKind::If { then, .. } = &mut statement.kind {
            then.splice(0..0, moved);
        }
        statement.blocks_mut().for_each(|block| sink(block, reads));
        place = first;
    }
}

/// How many of the last statements assign variables that only an arm behind them reads, or those of them that follow.
fn sinking(before: &[Statement], arm: &[Statement], reads: &Reads) -> usize {
    let mut inside = BTreeMap::<Local, usize>::new();
    Statement::walk_expressions(arm, &mut |expr| count(expr, &mut inside));
    let mut sunk = 0;
    for statement in before.iter().rev() {
        let StatementKind::Assign { local, value } = &statement.kind else { break };
        let all = reads.count(*local);
        if all == 0 || inside.get(local).copied().unwrap_or(0) < all {
            break;
        }
        value.walk(&mut |expr| count(expr, &mut inside));
        sunk += 1;
    }
    sunk
}

fn count(expr: &Expr, reads: &mut BTreeMap<Local, usize>) {
    if let ExprKind::Local(local) = expr.kind {
        *reads.entry(local).or_default() += 1;
    }
}

#[cfg(test)]
mod tests;
