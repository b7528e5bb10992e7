//! Memory management: data for files that are not open is released when the database has no readers.

use std::sync::Arc;

use check::db::Workspace;
use salsa::Database;

use super::State;

impl State {
    /// Whether there is work to do as soon as the database has no readers.
    pub(in crate::lsp) fn waits_for_readers(&self) -> bool {
        self.has_unread() || self.has_stale_items()
    }

    /// Whether there is something for [`State::tidy`] to do.
    pub(in crate::lsp) fn has_stale_items(&self) -> bool {
        self.stale || self.db.has_stale_items()
    }

    /// Records that a question reads files that are not open.
    pub(in crate::lsp) fn expect_litter(&mut self) {
        self.stale = true;
    }

    /// Releases some data for files that are not open, and some stale data of edited ones; returns whether it did. It
    /// does nothing while there are readers, which it would cancel.
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

    /// Evicts salsa's least recently used data; not while there are readers.
    pub(in crate::lsp) fn evict(&mut self) {
        if !self.is_read() {
            self.db.trigger_lru_eviction();
        }
    }

    /// Whether the database has readers, which a change would cancel.
    pub(super) fn is_read(&self) -> bool {
        Arc::strong_count(&self.readers) > 1
    }
}
