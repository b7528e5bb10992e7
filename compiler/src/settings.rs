//! What files are checked for: how far proofs may go, and the GPU that kernels must run on.
//!
//! An input of the database, so that whatever depends on it is computed again where it changes. While somebody edits
//! it never does.

#![allow(missing_docs, reason = "salsa's macros make accessors that take no documentation")]

use std::fmt;
use std::sync::Arc;

use salsa::{Durability, Setter};

use crate::db::{CompilerDatabase, Db};
use crate::kernels::Target;
use crate::proofs::{Budget, Effort, Solver};

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
pub struct KeptSolver(Arc<dyn Solver>);

impl fmt::Debug for KeptSolver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.name())
    }
}

/// The settings of a new database: proofs as while editing, for any GPU.
pub(crate) fn create(db: &CompilerDatabase) {
    let _ = Settings::builder(Effort::Editing, None, None).durability(Durability::HIGH).new(db);
}

impl CompilerDatabase {
    /// Sets how far proofs may go.
    pub fn set_effort(&mut self, effort: Effort) {
        let settings = Settings::get(self);
        if settings.effort(self) != effort {
            settings.set_effort(self).with_durability(Durability::HIGH).to(effort);
            self.forget_known();
        }
    }

    /// Sets what a deep check asks where every rule left a question open. The compiler itself starts no process.
    pub fn set_solver(&mut self, solver: Option<Arc<dyn Solver>>) {
        let settings = Settings::get(self);
        settings.set_solver(self).with_durability(Durability::HIGH).to(solver.map(KeptSolver));
        self.forget_known();
    }

    /// Sets the GPU that kernels must run on; `None`: any that is known.
    pub fn set_target(&mut self, target: Option<Target>) {
        let settings = Settings::get(self);
        if settings.target(self) != target {
            settings.set_target(self).with_durability(Durability::HIGH).to(target);
            self.forget_known();
        }
    }
}

/// The limits of one proof.
pub(crate) fn budget(db: &dyn Db) -> Budget<'_> {
    let settings = Settings::get(db);
    let effort = settings.effort(db);
    let solver = settings.solver(db).as_ref().filter(|_| effort == Effort::Deep);
    Budget { solver: solver.map(|kept| &*kept.0), ..Budget::of(effort, &|| false) }
}

/// How far proofs may go.
pub(crate) fn effort(db: &dyn Db) -> Effort {
    Settings::get(db).effort(db)
}

/// The GPU that kernels must run on.
pub(crate) fn target(db: &dyn Db) -> Option<Target> {
    Settings::get(db).target(db)
}
