//! Settings of the whole database: the effort of proofs, the GPU, a solver, and unreadable files.

use std::sync::Arc;

use check::generics::Generics;
use check::names::Unreadable;
use check::settings::{KeptSolver, Settings};
use kernel::Target;
use proofs::{Effort, Solver};
use salsa::{Durability, Setter};

use super::CompilerDatabase;

impl CompilerDatabase {
    /// Sets the effort of proofs.
    pub fn set_effort(&mut self, effort: Effort) {
        let settings = Settings::get(self);
        if settings.effort(self) != effort {
            settings.set_effort(self).with_durability(Durability::HIGH).to(effort);
            self.forget_known();
        }
    }

    /// Sets the solver for questions that every rule of a deep check leaves open. The compiler itself starts no
    /// process.
    pub fn set_solver(&mut self, solver: Option<Arc<dyn Solver>>) {
        let settings = Settings::get(self);
        settings.set_solver(self).with_durability(Durability::HIGH).to(solver.map(KeptSolver));
        self.forget_known();
    }

    /// Sets the GPU that kernels must run on; `None`: any known one.
    pub fn set_target(&mut self, target: Option<Target>) {
        let settings = Settings::get(self);
        if settings.target(self) != target {
            settings.set_target(self).with_durability(Durability::HIGH).to(target);
            self.forget_known();
        }
    }

    /// Sets the values that the command line gives generic parameters.
    pub fn set_generics(&mut self, generics: Generics) {
        let settings = Settings::get(self);
        if *settings.generics(self) != generics {
            settings.set_generics(self).with_durability(Durability::HIGH).to(generics);
            self.forget_known();
        }
    }

    /// Sets the reason why a file cannot be read, in one sentence that names it; `None` if it can be read.
    pub fn set_unreadable(&mut self, path: &str, reason: Option<String>) {
        let unreadable = Unreadable::get(self);
        if unreadable.reasons(self).get(path) == reason.as_ref() {
            return;
        }
        let mut reasons = unreadable.reasons(self).clone();
        match reason {
            Some(reason) => reasons.insert(path.to_owned(), reason),
            None => reasons.remove(path),
        };
        unreadable.set_reasons(self).with_durability(Durability::HIGH).to(reasons);
        self.forget_known();
    }
}
