//! The concrete database: takes texts, and translates edits to changes of the inputs of `check`.

mod edit;
mod forget;
pub(crate) mod known;
mod reading;
mod settings;

use std::collections::BTreeMap;

use check::db::{Db, Item, SourceFile, Workspace};
use edit::Cut;
use known::Known;
use rustc_hash::FxHashMap;
use salsa::Setter;
use syntax::wanted::Wanted;

pub use reading::{Read, Reading};

/// The compiler's database.
#[salsa::db]
#[derive(Clone)]
pub struct CompilerDatabase {
    storage: salsa::Storage<Self>,
    known: Known,
    /// Files with removed items whose contents have not been cleared yet; for each file, how many of its removed
    /// items have been.
    stale: FxHashMap<SourceFile, usize>,
}

#[salsa::db]
impl salsa::Database for CompilerDatabase {}

#[salsa::db]
impl Db for CompilerDatabase {
    fn is_wrong_function(&self, item: Item) -> bool {
        !check::functions::function_errors(self, item).is_empty()
    }
}

impl Default for CompilerDatabase {
    fn default() -> Self {
        Self::with_observer(None)
    }
}

/// A callback for each event of the incremental engine; tests count executed queries with it.
pub type Observer = Box<dyn Fn(salsa::Event) + Send + Sync + 'static>;

impl CompilerDatabase {
    /// An empty database that reports its events to `observer`.
    pub fn with_observer(observer: Option<Observer>) -> Self {
        let db = Self { storage: salsa::Storage::new(observer), known: Known::default(), stale: FxHashMap::default() };
        let _singleton =
            Workspace::builder(BTreeMap::new(), BTreeMap::new()).files_durability(salsa::Durability::HIGH).new(&db);
        check::settings::create(&db);
        check::names::create_unreadable(&db);
        db
    }

    /// Adds a file or changes its text; does nothing if the text is the same.
    pub fn set_text(&mut self, path: &str, text: &str) -> SourceFile {
        let file = self.file(path);
        let base = file.map(|file| file.layout(self).clone()).unwrap_or_default();
        let old = file.map_or("", |file| file.text(self));
        if let Some(file) = file.filter(|_| old == text) {
            return file;
        }
        let mut cut = Cut::between(&base, old, text);
        // It is always wanted, so it is always parsed.
        let _parsed = cut.parse(&base, &Wanted::default());
        self.set_cut(path, cut, text.to_owned())
    }

    /// Adds the files of the library that a file uses, which use no others.
    pub fn add_library(&mut self, file: SourceFile) {
        for path in check::names::used_paths(self, file) {
            if let Some(text) = check::library::text(&path) {
                self.set_text(&path, text);
            }
        }
    }

    /// Sets the text of a file, already split into items.
    fn set_cut(&mut self, path: &str, cut: Cut, text: String) -> SourceFile {
        if let Some(file) = self.file(path) {
            edit::change(self, file, cut, text);
            return file;
        }
        let workspace = Workspace::get(self);
        let file = match self.take_gone(path) {
            Some(file) => {
                edit::change(self, file, cut, text);
                file
            }
            None => edit::open(self, path, cut, text),
        };
        let mut files = workspace.files(self).clone();
        files.insert(path.to_owned(), file);
        workspace.set_files(self).with_durability(salsa::Durability::HIGH).to(files);
        self.forget_known();
        file
    }

    /// Removes a file; does nothing if there is none of that path.
    pub fn remove(&mut self, path: &str) {
        let workspace = Workspace::get(self);
        let mut files = workspace.files(self).clone();
        let Some(file) = files.remove(path) else { return };
        workspace.set_files(self).with_durability(salsa::Durability::HIGH).to(files);
        let mut gone = workspace.gone(self).clone();
        gone.insert(path.to_owned(), file);
        workspace.set_gone(self).to(gone);
        edit::empty(self, file);
        self.known.forget_file(file);
        self.forget_known();
    }

    /// Whether there are removed items whose contents have not been cleared yet.
    pub fn has_stale_items(&self) -> bool {
        !self.stale.is_empty()
    }

    /// Clears some of the removed items; returns whether there may be more. It takes about a millisecond, and cancels
    /// running queries as an edit does.
    pub fn clear_stale(&mut self) -> bool {
        edit::clear_stale(self)
    }

    /// Discards all cached results of items, after a change that may affect all of them.
    pub(crate) fn forget_known(&mut self) {
        self.known.forget_all();
    }

    /// A removed file to reuse for a path: the one that had this path before, or else any.
    fn take_gone(&mut self, path: &str) -> Option<SourceFile> {
        let workspace = Workspace::get(self);
        let mut gone = workspace.gone(self).clone();
        let file = gone.remove(path).or_else(|| gone.pop_last().map(|(_, file)| file))?;
        workspace.set_gone(self).to(gone);
        if file.path(self) != path {
            file.set_path(self).with_durability(salsa::Durability::HIGH).to(path.to_owned());
        }
        Some(file)
    }

    /// The file of that path.
    pub fn file(&self, path: &str) -> Option<SourceFile> {
        Workspace::get(self).files(self).get(path).copied()
    }
}

#[cfg(test)]
mod tests;
