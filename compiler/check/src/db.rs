//! The salsa inputs: files, and their items with their trees.
//!
//! An item is an input of its own. A changed text is compared with the one before, and only items whose tokens changed
//! are set, so an edit re-executes what reads the item that was edited and nothing else; where items stand is kept
//! apart from what they say. Setters of inputs always count as a change, so everything here compares first.
//!
//! An item that was edited once becomes volatile: what does not depend on any such item is known to be fresh without
//! being looked at. Whoever has the database keeps besides what is known of items, until an edit can reach it. So the
//! cost of an edit does not grow with the file.

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
    pub spare: Vec<Item>,
}

impl SourceFile {
    /// Drops the trees of its items until they are needed again: for files that no editor has open. Of thousands of files
    /// they would take more memory than all the rest.
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
    pub kept_tree: Arc<KeptTree>,
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
    pub gone: BTreeMap<String, SourceFile>,
}

/// What every query can ask for.
#[salsa::db]
pub trait Db: salsa::Database {}
