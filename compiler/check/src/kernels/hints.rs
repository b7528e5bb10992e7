//! Hints about the cost of a kernel's accesses.

use super::results::TypedKernel;
use crate::db::{Db, Item};
use crate::diagnostics::Diagnostic;
use crate::evaluate::Evaluator;

/// Finds the hints about one kernel.
pub(super) struct Hints<'db> {
    pub(super) evaluator: Evaluator<'db>,
    pub(super) typed: &'db TypedKernel,
    pub(super) found: Vec<Diagnostic>,
}

impl<'db> Hints<'db> {
    /// All hints about a kernel's accesses.
    pub(super) fn all(db: &'db dyn Db, item: Item, typed: &'db TypedKernel) -> Vec<Diagnostic> {
        let mut evaluator = Evaluator::new(db, item);
        evaluator.facts.clone_from(&typed.facts);
        evaluator.generics = typed.generics.clone();
        let mut hints = Self { evaluator, typed, found: Vec::new() };
        hints.hint_uncoalesced();
        hints.hint_bank_conflicts();
        hints.found
    }
}
