//! Nests with a few iterations in the place of a million: the barriers that were placed for the long loops are tried in short ones.

use dims::Sym;
use kernel::typed::{Constant, Expr, ExprKind, Kernel, Statement, StatementKind};

use super::writer::{LONG_TRIPS, MOST_TRIPS};

/// A checked nest whose long loops end after the first few iterations, which touch all that the others do.
pub fn shortened(kernel: &Kernel) -> Kernel {
    let mut short = kernel.clone();
    shorten(&mut short.body);
    short
}

fn shorten(statements: &mut [Statement]) {
    for statement in statements {
        if let StatementKind::For { high, .. } = &mut statement.kind {
            shorten_end(high);
        }
        statement.blocks_mut().for_each(|block| shorten(block));
    }
}

fn shorten_end(end: &mut Expr) {
    match &mut end.kind {
        ExprKind::Size(size) if size.as_constant() == Some(LONG_TRIPS) => *size = Sym::constant(MOST_TRIPS),
        ExprKind::Constant(Constant::Int(number)) if *number == LONG_TRIPS => *number = MOST_TRIPS,
        _ => {}
    }
}
