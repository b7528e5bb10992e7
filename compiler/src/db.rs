//! The salsa inputs: files, and their items with their trees.
//!
//! An item is an input of its own. A changed text is compared with the one before, and only items whose tokens changed
//! are set, so an edit re-executes what reads the item that was edited and nothing else; where items stand is kept
//! apart from what they say. Setters of inputs always count as a change, so everything here compares first.
//!
//! An item that was edited once becomes volatile: what does not depend on any such item is known to be fresh without
//! being looked at. What is known of items is kept besides, until an edit can reach it (`known`). So the cost of an edit
//! does not grow with the file.

#![allow(missing_docs, reason = "salsa's macros make accessors that take no documentation")]

mod edit;
pub(crate) mod known;

use std::collections::BTreeMap;
use std::sync::Arc;

use salsa::Setter;

use crate::names::Interface;
use crate::syntax::grammar::{KeptTree, Parse};
use crate::syntax::items::ItemTokens;
use crate::syntax::layout::FileLayout;
use crate::syntax::tree::{ItemKind, Kernel};

/// A source file.
#[salsa::input(debug)]
pub struct SourceFile {
    /// Its path as the caller names it, with `/` between folders; `use` is resolved against it.
    #[returns(deref)]
    pub path: String,
    /// Its text.
    #[returns(deref)]
    pub text: String,
    /// Where everything stands.
    #[returns(ref)]
    pub layout: Arc<FileLayout>,
    /// Its items, in its order, one for each piece of the layout.
    #[returns(deref)]
    pub items: Vec<Item>,
    /// Items that left the file and wait to be used again; salsa keeps inputs for ever.
    #[returns(ref)]
    spare: Vec<Item>,
    /// Where the diagnostics of its items are kept. The place stays the same; no query may read what is in it.
    #[returns(ref)]
    known: Arc<known::Known>,
}

impl SourceFile {
    /// Lets go of the trees of its items until somebody wants them again: for files that nobody looks at. Of thousands of
    /// files they would take more memory than all the rest.
    pub fn let_go_of_trees(self, db: &dyn Db) {
        for item in self.items(db) {
            item.kept_tree(db).let_go();
        }
    }
}

/// An item of a file. It stays the same item while it is edited.
#[salsa::input(debug)]
pub struct Item {
    /// Its file.
    #[returns(copy)]
    pub file: SourceFile,
    /// Its significant tokens.
    #[returns(ref)]
    pub tokens: ItemTokens,
    /// Its `///` lines.
    #[returns(ref)]
    pub documentation: Option<Arc<str>>,
    /// Makes its syntax tree from its tokens, and keeps it. What is in it changes only with the tokens.
    #[returns(ref)]
    kept_tree: Arc<KeptTree>,
    /// What it offers to other items.
    #[returns(ref)]
    pub interface: Interface,
}

impl Item {
    /// Its syntax tree with its syntax errors.
    pub fn tree(self, db: &dyn Db) -> Arc<Parse> {
        self.kept_tree(db).get()
    }

    /// The tree of the kernel that it declares.
    pub fn declared_kernel(self, db: &dyn Db) -> Option<Arc<Kernel>> {
        match &self.tree(db).item.as_ref()?.kind {
            ItemKind::Kernel(kernel) => Some(kernel.clone()),
            _ => None,
        }
    }
}

/// All files that `use` can name.
#[salsa::input(singleton, debug)]
pub struct Workspace {
    /// By path.
    pub files: BTreeMap<String, SourceFile>,
    /// Files that are gone, by path, to be used again where they or others come; salsa keeps inputs for ever.
    #[returns(ref)]
    gone: BTreeMap<String, SourceFile>,
    /// Changes where everything that is kept of items is to be forgotten.
    #[returns(copy)]
    generation: known::Generation,
}

/// What every query can ask for.
#[salsa::db]
pub trait Db: salsa::Database {}

/// The compiler's database: give it texts, ask it facts.
#[salsa::db]
#[derive(Clone)]
pub struct CompilerDatabase {
    storage: salsa::Storage<Self>,
}

#[salsa::db]
impl salsa::Database for CompilerDatabase {}

#[salsa::db]
impl Db for CompilerDatabase {}

impl Default for CompilerDatabase {
    fn default() -> Self {
        Self::with_observer(None)
    }
}

/// Called with each event of the incremental engine; tests count executed queries with it.
pub type Observer = Box<dyn Fn(salsa::Event) + Send + Sync + 'static>;

impl CompilerDatabase {
    /// An empty database whose events are told to `observer`.
    pub fn with_observer(observer: Option<Observer>) -> Self {
        let db = Self { storage: salsa::Storage::new(observer) };
        let _singleton =
            Workspace::builder(BTreeMap::new(), BTreeMap::new(), 0).files_durability(salsa::Durability::HIGH).new(&db);
        crate::settings::create(&db);
        crate::names::create_unreadable(&db);
        db
    }

    /// Adds a file or changes its text; does nothing where the text is the same.
    pub fn set_text(&mut self, path: &str, text: &str) -> SourceFile {
        if let Some(file) = self.file(path) {
            if file.text(self) != text {
                edit::change(self, file, text);
            }
            return file;
        }
        let workspace = Workspace::get(self);
        let file = match self.take_gone(path) {
            Some(file) => {
                edit::change(self, file, text);
                file
            }
            None => edit::open(self, path, text),
        };
        let mut files = workspace.files(self).clone();
        files.insert(path.to_owned(), file);
        workspace.set_files(self).with_durability(salsa::Durability::HIGH).to(files);
        self.forget_known();
        file
    }

    /// Forgets a file; does nothing where there is none of that path.
    pub fn remove(&mut self, path: &str) {
        let workspace = Workspace::get(self);
        let mut files = workspace.files(self).clone();
        let Some(file) = files.remove(path) else { return };
        workspace.set_files(self).with_durability(salsa::Durability::HIGH).to(files);
        let mut gone = workspace.gone(self).clone();
        gone.insert(path.to_owned(), file);
        workspace.set_gone(self).to(gone);
        edit::change(self, file, "");
        self.forget_known();
    }

    /// Forgets what is kept of items, for something changed that all of them may notice.
    pub(crate) fn forget_known(&mut self) {
        known::forget_all(self);
    }

    /// A file that is gone, to be the file of that path: the one that was it before, or else any.
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
