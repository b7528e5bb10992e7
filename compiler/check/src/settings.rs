//! What files are checked for: how far proofs may go, and the GPU that kernels must run on.
//!
//! An input of the database, so that whatever depends on it is computed again where it changes. Edits
//! do not change it.

#![allow(missing_docs, reason = "salsa's macros make accessors that take no documentation")]

use std::fmt;
use std::sync::Arc;

use salsa::Durability;

use crate::db::Db;
use kernel::Target;
use proofs::{Budget, Effort, Solver};

/// The settings of a database.
#[salsa::input(singleton, debug)]
pub struct Settings {
    /// How far proofs may go.
    #[returns(copy)]
    pub effort: Effort,
    /// The GPU that kernels must run on; without one, any that is known.
    #[returns(copy)]
    pub target: Option<Target>,
    /// What a deep check asks where every rule left a question open.
    #[returns(ref)]
    pub solver: Option<KeptSolver>,
}

/// A solver as a setting.
pub struct KeptSolver(pub Arc<dyn Solver>);

impl fmt::Debug for KeptSolver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.name())
    }
}

/// The settings of a new database: proofs as while editing, for any GPU.
pub fn create(db: &dyn Db) {
    let _ = Settings::builder(Effort::Editing, None, None).durability(Durability::HIGH).new(db);
}

/// The limits of one proof, which `cancelled` ends.
pub fn budget<'a>(db: &'a dyn Db, cancelled: &'a dyn Fn() -> bool) -> Budget<'a> {
    let settings = Settings::get(db);
    let effort = settings.effort(db);
    let solver = settings.solver(db).as_ref().filter(|_| effort == Effort::Deep);
    Budget { solver: solver.map(|kept| &*kept.0), ..Budget::of(effort, cancelled) }
}

/// What a proof asks now and then: it ends, by a panic that salsa catches, where an edit waits.
pub fn poll<'a>(db: &'a dyn Db) -> impl Fn() -> bool + 'a {
    move || {
        db.unwind_if_revision_cancelled();
        false
    }
}

/// How far proofs may go.
pub fn effort(db: &dyn Db) -> Effort {
    Settings::get(db).effort(db)
}

/// The GPU that kernels must run on.
pub fn target(db: &dyn Db) -> Option<Target> {
    Settings::get(db).target(db)
}
