//! The salsa inputs: files, and items with their trees.
//!
//! Each item is an input of its own. A changed text is compared with the previous one, and only items with changed
//! tokens are set, so that an edit re-executes only queries that read the edited item. The positions of items are kept
//! apart from their contents for the same reason. Setting an input always counts as a change, so all setters here
//! compare first.
//!
//! An edited item becomes volatile (salsa's low durability): salsa knows without looking that results which do not
//! depend on volatile items are up to date. Together with the results that `ide` keeps for unchanged items, this makes
//! the cost of an edit independent of the length of the file.

#![allow(missing_docs, reason = "salsa's macros make accessors that take no documentation")]

mod interface;

pub use interface::{DeclarationKind, Interface, declared};

use std::collections::BTreeMap;
use std::sync::Arc;

use syntax::grammar::{KeptTree, Parse};
use syntax::items::ItemTokens;
use syntax::layout::FileLayout;
use syntax::tree::{ItemKind, Kernel};

/// A source file.
#[salsa::input(debug)]
pub struct SourceFile {
    /// The path by which the caller names the file, with `/` between folders; `use` is resolved against it.
    #[returns(deref)]
    pub path: String,
    /// Its text.
    #[returns(deref)]
    pub text: String,
    /// The positions of all items and tokens.
    #[returns(ref)]
    pub layout: Arc<FileLayout>,
    /// The items in the order of the text, one for each piece of the layout.
    #[returns(deref)]
    pub items: Vec<Item>,
    /// Items removed from the file, for reuse; salsa never frees inputs.
    #[returns(ref)]
    pub spare: Vec<Item>,
}

impl SourceFile {
    /// Drops the trees of its items until they are needed again, for files that no editor has open. The trees of
    /// thousands of files would use more memory than everything else.
    pub fn let_go_of_trees(self, db: &dyn Db) {
        for item in self.items(db) {
            item.kept_tree(db).let_go();
        }
    }
}

/// An item of a file. It keeps its identity while it is edited.
#[salsa::input(debug)]
pub struct Item {
    #[returns(copy)]
    pub file: SourceFile,
    /// Its significant tokens.
    #[returns(ref)]
    pub tokens: ItemTokens,
    /// Its documentation: the lines with `///`.
    #[returns(ref)]
    pub documentation: Option<Arc<str>>,
    /// Its syntax tree, which is made from the tokens when it is first needed.
    #[returns(ref)]
    pub kept_tree: Arc<KeptTree>,
    /// The names that it provides to other items.
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
    /// The files by path.
    pub files: BTreeMap<String, SourceFile>,
    /// Removed files by path, for reuse; salsa never frees inputs.
    #[returns(ref)]
    pub gone: BTreeMap<String, SourceFile>,
}

/// The database that queries use.
#[salsa::db]
pub trait Db: salsa::Database {
    /// Whether something is wrong with a function item itself. A query that lies above the evaluation of calls, which asks for it.
    fn is_wrong_function(&self, item: Item) -> bool;
}
