//! Which files have been checked since they were opened: the first check runs on all cores, later ones after edits on
//! one.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use check::db::SourceFile;
use ide::CompilerDatabase;

use crate::parallel;

/// The state of the checks of files.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// The paths of fully checked files.
    whole: Mutex<HashSet<String>>,
    /// Whether hints were sent that a running check may extend.
    hints_wait: AtomicBool,
}

impl Checked {
    /// Checks the unchecked ones of these files on all cores. An edit cancels it, and the next question starts it
    /// again: until then these files count as unchecked.
    pub(super) fn ensure(&self, db: &CompilerDatabase, files: &[SourceFile]) {
        let new = self.missing(db, files.iter().copied());
        if !new.is_empty() {
            parallel::check(db, &new);
            self.paths().extend(new.iter().map(|file| file.path(db).to_owned()));
        }
    }

    /// The files that have not been checked.
    pub(super) fn missing(&self, db: &CompilerDatabase, files: impl Iterator<Item = SourceFile>) -> Vec<SourceFile> {
        let known = self.paths();
        files.filter(|file| !known.contains(file.path(db))).collect()
    }

    /// Records that hints were sent that a running check may extend.
    pub(super) fn await_hints(&self) {
        self.hints_wait.store(true, Ordering::SeqCst);
    }

    /// Returns and clears whether such hints were sent.
    pub(super) fn take_waiting_hints(&self) -> bool {
        self.hints_wait.swap(false, Ordering::SeqCst)
    }

    /// Forgets a closed file.
    pub(super) fn forget(&self, path: &str) {
        self.paths().remove(path);
    }

    /// Forgets all files after a change that all of them may depend on.
    pub(super) fn forget_all(&self) {
        self.paths().clear();
    }

    fn paths(&self) -> MutexGuard<'_, HashSet<String>> {
        self.whole.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn a_file_is_checked_as_a_whole_until_it_is_forgotten() {
        // Counts the queries: a check walks over all items, and finds their values cached.
        let asked = Arc::new(AtomicUsize::new(0));
        let count = asked.clone();
        let mut db = CompilerDatabase::with_observer(Some(Box::new(move |event| {
            if matches!(event.kind, salsa::EventKind::WillExecute { .. }) {
                count.fetch_add(1, Ordering::Relaxed);
            }
        })));
        let file = db.set_text("a.shape", "a : [1];\nb : a + 1;\n");
        let checked = Checked::default();
        let executed = |db: &CompilerDatabase| {
            checked.ensure(db, &[file]);
            asked.swap(0, Ordering::Relaxed)
        };
        assert_ne!(executed(&db), 0);
        db.set_text("a.shape", "a : [2];\nb : a + 1;\n");
        assert_eq!(executed(&db), 0);
        checked.forget("a.shape");
        assert_ne!(executed(&db), 0);
    }
}
