//! Memory: what was needed to look at files that nobody has open is let go of when nobody reads the database.

use std::sync::Arc;

use check::db::Workspace;
use salsa::Database;

use super::State;

impl State {
    /// Whether something is to be done as soon as nobody reads the database.
    pub(in crate::lsp) fn waits_for_readers(&self) -> bool {
        self.has_unread() || self.has_stale_items()
    }

    /// Whether there is something for [`State::tidy`] to do.
    pub(in crate::lsp) fn has_stale_items(&self) -> bool {
        self.stale || self.db.has_stale_items()
    }

    /// Notes that something looks at files that nobody has open.
    pub(in crate::lsp) fn expect_litter(&mut self) {
        self.stale = true;
    }

    /// Lets go of a part of what was needed to look at files that nobody has open, and of what open ones held before they
    /// were edited; says whether it did. While somebody reads the database it does not: it would interrupt them.
    pub(in crate::lsp) fn tidy(&mut self) -> bool {
        if !self.has_stale_items() || self.is_read() {
            return false;
        }
        if self.db.clear_stale() {
            return true;
        }
        let files = Workspace::get(&self.db).files(&self.db);
        for (_, file) in files.iter().filter(|(path, _)| !self.documents.contains_key(*path)) {
            file.let_go_of_trees(&self.db);
        }
        self.db.trigger_lru_eviction();
        self.stale = false;
        true
    }

    /// Lets go of what salsa keeps of files that were checked longest ago; not while somebody reads the database.
    pub(in crate::lsp) fn evict(&mut self) {
        if !self.is_read() {
            self.db.trigger_lru_eviction();
        }
    }

    /// Whether somebody reads the database, whom a change of it would interrupt.
    pub(super) fn is_read(&self) -> bool {
        Arc::strong_count(&self.readers) > 1
    }
}
