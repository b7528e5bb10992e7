//! Settings of the checks: the effort of proofs, and the GPU that kernels must run on.
//!
//! They are an input of the database, so that dependent results are recomputed when they change. Edits do not change
//! them.

#![allow(missing_docs, reason = "salsa's macros make accessors that take no documentation")]

use std::fmt;
use std::sync::Arc;

use salsa::Durability;

use crate::db::Db;
use crate::values::Generics;
use kernel::Target;
use proofs::{Budget, Effort, Solver};

/// The settings of a database.
#[salsa::input(singleton, debug)]
pub struct Settings {
    /// The effort of proofs.
    #[returns(copy)]
    pub effort: Effort,
    /// The GPU that kernels must run on; `None` allows any known one.
    #[returns(copy)]
    pub target: Option<Target>,
    /// The solver that a deep check uses for questions that are still open.
    #[returns(ref)]
    pub solver: Option<KeptSolver>,
    /// The values that the command line gives generic parameters, by name, whatever kernels and runs say.
    #[returns(ref)]
    pub generics: Generics,
}

/// A solver as a setting.
pub struct KeptSolver(pub Arc<dyn Solver>);

impl fmt::Debug for KeptSolver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.name())
    }
}

/// Creates the settings of a new database: the proof effort for editing, any GPU.
pub fn create(db: &dyn Db) {
    let _ = Settings::builder(Effort::Editing, None, None, Generics::default()).durability(Durability::HIGH).new(db);
}

/// The limits of one proof, which `cancelled` can end.
pub fn budget<'a>(db: &'a dyn Db, cancelled: &'a dyn Fn() -> bool) -> Budget<'a> {
    let settings = Settings::get(db);
    let effort = settings.effort(db);
    let solver = settings.solver(db).as_ref().filter(|_| effort == Effort::Deep);
    Budget { solver: solver.map(|kept| &*kept.0), ..Budget::for_effort(effort, cancelled) }
}

/// The callback that proofs poll. If an edit is waiting, it ends the proof by a panic that salsa catches.
pub fn poll<'a>(db: &'a dyn Db) -> impl Fn() -> bool + 'a {
    move || {
        db.unwind_if_revision_cancelled();
        false
    }
}

/// The effort of proofs.
pub fn effort(db: &dyn Db) -> Effort {
    Settings::get(db).effort(db)
}

/// The GPU that kernels must run on.
pub fn target(db: &dyn Db) -> Option<Target> {
    Settings::get(db).target(db)
}

/// The values that the command line gives generic parameters.
pub fn generics(db: &dyn Db) -> &Generics {
    Settings::get(db).generics(db)
}
