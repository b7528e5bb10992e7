//! Files on disk: those of the workspace's folders, and those that documents use.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io::ErrorKind;
use std::path::Path;
use std::time::SystemTime;

use check::db::SourceFile;
use check::{library, names};
use tower_lsp::ls_types::{MessageType, Uri};

use super::super::paths;
use super::super::session::Refresh;
use super::super::unread::Unread;
use super::State;
use crate::load;

/// The known state of files on disk.
#[derive(Default)]
pub(super) struct Disk {
    unread: Unread,
    /// Unreadable files, with their stamps.
    unreadable: HashMap<String, Option<Stamp>>,
    /// Files that were read, with their stamps; only for a client that does not watch files.
    read: HashMap<String, Stamp>,
}

/// A fingerprint for detecting changes of a file.
#[derive(PartialEq)]
struct Stamp {
    changed: Option<SystemTime>,
    bytes: u64,
}

impl Stamp {
    fn from_metadata(metadata: &std::fs::Metadata) -> Self {
        Self { changed: metadata.modified().ok(), bytes: metadata.len() }
    }
}

impl Disk {
    fn forget(&mut self, path: &str) {
        self.unreadable.remove(path);
        self.read.remove(path);
    }

    /// Whether a file changed since the last attempt to read it.
    fn has_changed(&self, path: &str) -> bool {
        let metadata = std::fs::metadata(path).ok().filter(|metadata| !metadata.is_dir());
        let now = metadata.map(|metadata| Stamp::from_metadata(&metadata));
        self.read.get(path) != now.as_ref() && self.unreadable.get(path) != Some(&now)
    }
}

impl State {
    /// Lists the `.shape` files of all folders, to be read when idle.
    pub(in crate::lsp) fn load_folders(&mut self) {
        for folder in self.folders.clone() {
            let (files, problems) = load::shape_files(&folder);
            for problem in problems {
                self.outbox.show(MessageType::WARNING, problem);
            }
            self.disk.unread.add(files.iter().filter_map(|file| load::name_of(file).ok()));
        }
    }

    /// Runs a task once all files of the folders are read.
    pub(in crate::lsp) fn when_all_is_read(&mut self, task: impl FnOnce(&mut State) + Send + 'static) {
        if self.disk.unread.is_empty() {
            task(self);
        } else {
            self.disk.unread.wait(Box::new(task));
        }
    }

    /// Whether files of the folders are still to be read.
    pub(super) fn has_unread(&self) -> bool {
        !self.disk.unread.is_empty()
    }

    /// Reads a few files of the folders; returns whether it did. It does nothing while there are readers, which a new
    /// file would cancel.
    pub(in crate::lsp) fn read_some(&mut self) -> bool {
        if !self.has_unread() || self.is_read() {
            return false;
        }
        for path in self.disk.unread.next_few() {
            self.read_from_disk(&path);
            if let Some(file) = self.db.file(&path).filter(|_| !self.documents.contains_key(&path)) {
                file.let_go_of_trees(&self.db);
            }
        }
        for task in self.disk.unread.ready() {
            task(self);
        }
        true
    }

    /// Files were created, changed or deleted outside of the editor.
    pub(in crate::lsp) fn files_changed(&mut self, uris: &[Uri]) {
        // A change of permissions does not change a file's time.
        self.disk.unreadable.clear();
        self.read_again(uris.iter().map(paths::path_of));
    }

    /// Rereads changed files that open documents use, directly or indirectly: before every question, if the client
    /// does not watch files.
    pub(in crate::lsp) fn look_at_used(&mut self) {
        if self.session.watches_files() {
            return;
        }
        let (mut seen, mut changed) = (HashSet::new(), Vec::new());
        let mut waiting: Vec<SourceFile> = self.documents.keys().filter_map(|path| self.db.file(path)).collect();
        while let Some(file) = waiting.pop() {
            for path in names::used_paths(&self.db, file) {
                if self.documents.contains_key(&path) || !seen.insert(path.clone()) {
                    continue;
                }
                if library::name(&path).is_none() && self.disk.has_changed(&path) {
                    changed.push(path);
                } else {
                    waiting.extend(self.db.file(&path));
                }
            }
        }
        if !changed.is_empty() {
            self.read_again(changed);
        }
    }

    /// Rereads those of these files that are not open.
    fn read_again(&mut self, paths: impl IntoIterator<Item = String>) {
        for path in paths {
            self.read_from_disk(&path);
        }
        self.checked.forget_all();
        // A used file may be new.
        let open: Vec<SourceFile> = self.documents.keys().filter_map(|path| self.db.file(path)).collect();
        open.into_iter().for_each(|file| self.load_used(file));
        self.changed = true;
        self.refresh(&[Refresh::Diagnostics, Refresh::InlayHints, Refresh::Lenses, Refresh::SemanticTokens]);
    }

    /// Reads a file that is not open; a missing one is removed.
    pub(super) fn read_from_disk(&mut self, path: &str) {
        if self.documents.contains_key(path) {
            return;
        }
        match self.text_on_disk(path) {
            Some(text) => {
                let file = self.db.set_text(path, &text);
                self.load_used(file);
                self.stale = true;
            }
            None => self.db.remove(path),
        }
    }

    /// The text of a file on disk. The compiler reports an unreadable one where it is used; it is not read again
    /// until it changes.
    fn text_on_disk(&mut self, path: &str) -> Option<String> {
        if let Some(text) = library::text(path) {
            return Some(text.to_owned());
        }
        let stamp = match std::fs::metadata(path) {
            Ok(metadata) if !metadata.is_dir() => Some(Stamp::from_metadata(&metadata)),
            Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => None,
            // A folder is ignored: the rest of its name may still be typed.
            _ => {
                self.disk.forget(path);
                self.db.set_unreadable(path, None);
                return None;
            }
        };
        if self.disk.unreadable.get(path) == Some(&stamp) {
            return None;
        }
        self.disk.forget(path);
        match load::read_regular(Path::new(path)) {
            Ok(text) => {
                if let Some(stamp) = stamp.filter(|_| !self.session.watches_files()) {
                    self.disk.read.insert(path.to_owned(), stamp);
                }
                self.db.set_unreadable(path, None);
                Some(text)
            }
            Err(problem) => {
                self.disk.unreadable.insert(path.to_owned(), stamp);
                self.db.set_unreadable(path, Some(problem));
                None
            }
        }
    }

    /// Reads the files that a file uses, transitively. The compiler reports missing ones.
    pub(super) fn load_used(&mut self, file: SourceFile) {
        let mut waiting = VecDeque::from([file]);
        while let Some(file) = waiting.pop_front() {
            for path in names::used_paths(&self.db, file) {
                if self.db.file(&path).is_none()
                    && !self.readings.has(&path)
                    && let Some(text) = self.text_on_disk(&path)
                {
                    waiting.push_back(self.db.set_text(&path, &text));
                    self.stale = true;
                }
            }
        }
    }
}
