//! Whether all threads of a block come to a statement, as far as it shows without a proof.

use std::collections::BTreeSet;

use kernel::typed::{Expr, ExprKind, Local, StatementKind};

/// What is known on the way to a statement.
#[derive(Clone, Default)]
pub struct Alike {
    /// Whether some condition around may differ between threads.
    may_differ: bool,
    /// The iterators of loops that all threads run together.
    iterators: BTreeSet<Local>,
}

impl Alike {
    /// Whether all threads of the block come here.
    pub fn are_all_here(&self) -> bool {
        !self.may_differ
    }

    /// Goes into the lists of a statement; gives what to leave them with.
    pub fn enter(&mut self, kind: &StatementKind) -> Self {
        let outer = self.clone();
        match kind {
            StatementKind::For { local, low, high, .. } => {
                if self.is_alike(low) && self.is_alike(high) {
                    self.iterators.insert(*local);
                } else {
                    self.may_differ = true;
                }
            }
            StatementKind::If { condition, .. } | StatementKind::Collective { condition, .. } => {
                self.may_differ |= !self.is_alike(condition);
            }
            _ => {}
        }
        outer
    }

    /// Leaves the lists of a statement.
    pub fn leave(&mut self, outer: Self) {
        *self = outer;
    }

    /// Whether an expression has one value in all threads of a block: it is made of sizes, scalars, the number of the block and
    /// such iterators.
    fn is_alike(&self, expr: &Expr) -> bool {
        let mut alike = true;
        expr.walk(&mut |part| {
            alike &= match &part.kind {
                ExprKind::Local(local) => self.iterators.contains(local),
                ExprKind::Load(_) | ExprKind::ThreadId => false,
                _ => true,
            }
        });
        alike
    }
}
