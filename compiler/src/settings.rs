//! What files are checked for: how far proofs may go, and the GPU that kernels must run on.
//!
//! An input of the database, so that whatever depends on it is computed again where it changes. While somebody edits
//! it never does.

#![allow(missing_docs, reason = "salsa's macros make accessors that take no documentation")]

use salsa::{Durability, Setter};

use crate::db::{CompilerDatabase, Db};
use crate::kernels::Target;
use crate::proofs::{Budget, Effort};

/// The settings of a database.
#[salsa::input(singleton, debug)]
pub struct Settings {
    /// How far proofs may go.
    #[returns(copy)]
    pub effort: Effort,
    /// The GPU that kernels must run on; without one, any that is known.
    #[returns(copy)]
    pub target: Option<Target>,
}

/// The settings of a new database: proofs as while editing, for any GPU.
pub(crate) fn create(db: &CompilerDatabase) {
    let _ = Settings::builder(Effort::Editing, None).durability(Durability::HIGH).new(db);
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
pub(crate) fn budget(db: &dyn Db) -> Budget<'static> {
    Budget::of(Settings::get(db).effort(db), &|| false)
}

/// How far proofs may go.
pub(crate) fn effort(db: &dyn Db) -> Effort {
    Settings::get(db).effort(db)
}

/// The GPU that kernels must run on.
pub(crate) fn target(db: &dyn Db) -> Option<Target> {
    Settings::get(db).target(db)
}
