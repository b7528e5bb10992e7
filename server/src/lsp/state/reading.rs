//! Documents with large texts, which are read on other threads, and the tasks that wait for them.
//!
//! Until such a text has been read, the compiler has the previous one. So questions about the document, or about one
//! that uses it, wait; everything else proceeds.

use std::collections::{HashMap, HashSet};
use std::panic::AssertUnwindSafe;

use check::names;
use ide::{CompilerDatabase, Read, Reading};
use syntax::wanted::Wanted;

use super::State;

/// The most bytes that are read on the owner's thread: a few milliseconds. It is small in tests, so that they
/// exercise the other case.
const MOST_AT_ONCE: usize = if cfg!(test) { 64 } else { 16 << 10 };
/// Enough for the deepest nesting.
const STACK_BYTES: usize = 64 << 20;

/// A task on the state.
type Task = Box<dyn FnOnce(&mut State) + Send>;

/// The texts that are being read.
#[derive(Default)]
pub(super) struct Readings {
    /// By path.
    wanted: HashMap<String, Wanted>,
    /// The waiting tasks in order, with the path of the document that each depends on; `None`: all documents.
    waiting: Vec<(Option<String>, Task)>,
}

impl Readings {
    /// Cancels the reading of a text; returns whether one was being read.
    fn end(&mut self, path: &str) -> bool {
        self.wanted.remove(path).inspect(Wanted::end).is_some()
    }

    /// Whether a document's text is being read.
    pub(super) fn has(&self, path: &str) -> bool {
        self.wanted.contains_key(path)
    }

    /// Whether the text of a document is being read, or that of one which it uses.
    pub(in crate::lsp) fn concern(&self, db: &CompilerDatabase, path: &str) -> bool {
        if self.wanted.is_empty() {
            return false;
        }
        let (mut seen, mut open) = (HashSet::new(), vec![path.to_owned()]);
        while let Some(path) = open.pop() {
            if self.has(&path) {
                return true;
            }
            if let Some(file) = db.file(&path).filter(|_| seen.insert(path)) {
                open.extend(names::used_paths(db, file));
            }
        }
        false
    }
}

impl State {
    /// Sets the compiler's text of an open document, now or once it has been read.
    pub(super) fn read_document(&mut self, path: &str, text: &str) {
        self.readings.end(path);
        match self.db.set_small_text(path, text, MOST_AT_ONCE) {
            Ok(file) => {
                self.note_version(path);
                self.load_used(file);
            }
            Err(reading) => self.read_elsewhere(path, reading),
        }
        self.go_on();
    }

    fn read_elsewhere(&mut self, path: &str, reading: Reading) {
        let wanted = Wanted::default();
        self.readings.wanted.insert(path.to_owned(), wanted.clone());
        let (owner, own) = (self.owner(), path.to_owned());
        let read = move || {
            let read = std::panic::catch_unwind(AssertUnwindSafe(|| reading.read(&wanted)));
            // After a panic, the compiler keeps its text.
            owner.send(move |state| state.take_read(&own, read.ok().flatten(), &wanted));
        };
        let thread = std::thread::Builder::new().name("text".to_owned()).stack_size(STACK_BYTES).spawn(read);
        if let Err(error) = thread {
            self.readings.end(path);
            let message = format!("{path} cannot be read, for a thread could not be started: {error}");
            self.outbox.show(tower_lsp::ls_types::MessageType::WARNING, message);
        }
    }

    /// Sets a text that was read, unless there is a newer one.
    fn take_read(&mut self, path: &str, read: Option<Read>, wanted: &Wanted) {
        if !wanted.is_wanted() {
            return;
        }
        self.readings.end(path);
        if let Some(read) = read {
            let file = self.db.set_read(read);
            self.note_version(path);
            self.changed = true;
            self.load_used(file);
        }
        self.go_on();
    }

    /// Cancels the reading of a document's text.
    pub(super) fn end_reading(&mut self, path: &str) {
        if self.readings.end(path) {
            self.go_on();
        }
    }

    /// Runs a task once the compiler has the text of a document and of those that it uses; without a path, of all.
    pub(in crate::lsp) fn when_read(&mut self, path: Option<String>, task: impl FnOnce(&mut State) + Send + 'static) {
        let waits = match &path {
            Some(path) => self.readings.concern(&self.db, path),
            None => !self.readings.wanted.is_empty(),
        };
        match waits {
            true => self.readings.waiting.push((path, Box::new(task))),
            false => task(self),
        }
    }

    /// Runs the tasks that no longer have to wait.
    fn go_on(&mut self) {
        for (path, task) in std::mem::take(&mut self.readings.waiting) {
            self.when_read(path, task);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_read_concerns_its_document_and_those_that_use_it() {
        let mut db = CompilerDatabase::default();
        db.set_text("/f/user.shape", "use \"middle.shape\";\nx : [a];\n");
        db.set_text("/f/middle.shape", "use \"large.shape\";\nuse \"user.shape\";\n");
        db.set_text("/f/other.shape", "x : [1];\n");
        let mut readings = Readings::default();
        let concerned = |readings: &Readings| {
            let paths = ["user", "middle", "large", "other"].map(|name| format!("/f/{name}.shape"));
            paths.map(|path| readings.concern(&db, &path))
        };
        assert_eq!(concerned(&readings), [false; 4]);
        let wanted = Wanted::default();
        readings.wanted.insert("/f/large.shape".to_owned(), wanted.clone());
        assert_eq!(concerned(&readings), [true, true, true, false]);
        assert!(wanted.is_wanted() && readings.end("/f/large.shape") && !wanted.is_wanted());
        assert_eq!(concerned(&readings), [false; 4]);
    }
}
