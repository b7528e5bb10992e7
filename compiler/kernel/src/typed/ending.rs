//! Loops that end before their last iteration.

use super::{ExprKind, Kernel, Local, Statement, StatementKind};

impl Kernel {
    /// The variable with which a loop over a body ends: where it is false at the start of an iteration, neither this one
    /// nor any other does anything.
    ///
    /// That is so where the whole body stands under an `if` on a variable, which only the body could make true again. What stands
    /// before the `if` may give values to immutable variables, which nobody reads behind the loop, but reads no memory.
    pub fn ending(&self, body: &[Statement]) -> Option<Local> {
        let (last, before) = body.split_last()?;
        let StatementKind::If { condition, otherwise, .. } = &last.kind else { return None };
        let ExprKind::Local(local) = condition.kind else { return None };
        let is_visible_within = |statement: &Statement| match &statement.kind {
            StatementKind::Assign { local: own, value } => {
                let mut loads = false;
                value.walk(&mut |part| loads |= matches!(part.kind, ExprKind::Load(_)));
                *own != local && !self.is_variable(*own) && !loads
            }
            _ => false,
        };
        (otherwise.is_empty() && before.iter().all(is_visible_within)).then_some(local)
    }

    /// Whether a variable is assigned after its declaration.
    pub fn is_variable(&self, local: Local) -> bool {
        self.locals.get(local).is_some_and(|local| local.mutable)
    }
}
