//! The salsa inputs and the first queries: files, their items, each item's tree.
//!
//! Setters of inputs always count as a change, so [`CompilerDatabase::set_text`] compares first. An item keeps
//! its identity (its head and its ordinal among equal heads) while its text changes, so an edit of one item
//! re-executes what reads that item and nothing else.

#![allow(missing_docs, reason = "salsa's macros make accessors that take no documentation")]

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use salsa::Setter;
use smol_str::SmolStr;

use crate::syntax::grammar::{Parse, parse_item};
use crate::syntax::items::{ItemTokens, Split, split};
use crate::syntax::lexer::{self, RawToken};
use crate::syntax::token::TokenKind;

/// A source file.
#[salsa::input(debug)]
pub struct SourceFile {
    /// Its path as the caller names it, with `/` between folders; `use` is resolved against it.
    #[returns(deref)]
    pub path: String,
    /// Its text.
    #[returns(deref)]
    pub text: String,
}

/// All files that `use` can name.
#[salsa::input(singleton, debug)]
pub struct Workspace {
    /// By path.
    pub files: BTreeMap<String, SourceFile>,
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
        Workspace::new(&db, BTreeMap::new());
        crate::settings::create(&db);
        db
    }

    /// Adds a file or changes its text; does nothing where the text is the same.
    pub fn set_text(&mut self, path: &str, text: &str) -> SourceFile {
        match self.file(path) {
            Some(file) => {
                if file.text(self) != text {
                    file.set_text(self).to(text.to_owned());
                }
                file
            }
            None => {
                let file = SourceFile::new(self, path.to_owned(), text.to_owned());
                let workspace = Workspace::get(self);
                let mut files = workspace.files(self).clone();
                files.insert(path.to_owned(), file);
                workspace.set_files(self).to(files);
                file
            }
        }
    }

    /// The file of that path.
    pub fn file(&self, path: &str) -> Option<SourceFile> {
        Workspace::get(self).files(self).get(path).copied()
    }
}

/// An item's identity across edits, usable outside the database.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ItemKey {
    /// Its file.
    pub file: SourceFile,
    /// Its keyword and name, or its keyword alone.
    pub head: SmolStr,
    /// How many items with the same head stand before it in the file.
    pub ordinal: u32,
}

/// An item as the queries know it.
#[salsa::tracked(debug)]
pub struct Item<'db> {
    /// Who it is.
    #[returns(ref)]
    pub key: ItemKey,
    /// Its significant tokens.
    #[tracked]
    #[returns(ref)]
    pub tokens: ItemTokens,
    /// Its `///` lines.
    #[tracked]
    #[returns(ref)]
    pub documentation: Option<Arc<str>>,
}

/// A file cut into tokens and items.
#[derive(Debug, PartialEq)]
pub struct FileLayout {
    /// All tokens, white space and comments included.
    pub tokens: Vec<RawToken>,
    /// The items and what is wrong outside of them.
    pub split: Split,
}

/// The file cut into items, with the positions of all tokens. Executed after every edit of the file; what
/// depends on the items reads [`items`] instead.
#[salsa::tracked]
pub fn layout(db: &dyn Db, file: SourceFile) -> FileLayout {
    let tokens = lexer::lex(file.text(db));
    let split = split(file.text(db), &tokens);
    FileLayout { tokens, split }
}

/// The items of a file, in its order.
#[salsa::tracked]
pub fn items<'db>(db: &'db dyn Db, file: SourceFile) -> Vec<Item<'db>> {
    let split = &layout(db, file).split;
    let mut ordinals: HashMap<SmolStr, u32> = HashMap::with_capacity(split.items.len());
    split
        .items
        .iter()
        .map(|item| {
            let head = head(&item.tokens);
            let ordinal = ordinals.entry(head.clone()).or_insert(0);
            let key = ItemKey { file, head, ordinal: *ordinal };
            *ordinal += 1;
            Item::new(db, key, item.tokens.clone(), item.doc.clone())
        })
        .collect()
}

/// What an item is called among the file's items: its first two words where both are words, else its first.
fn head(tokens: &ItemTokens) -> SmolStr {
    let is_word = |index| tokens.kind(index).is_some_and(TokenKind::is_word);
    if tokens.is_empty() {
        SmolStr::default()
    } else if is_word(0) && is_word(1) {
        format!("{} {}", tokens.text(0), tokens.text(1)).into()
    } else {
        tokens.text(0).into()
    }
}

/// The syntax tree of an item with its syntax errors.
#[salsa::tracked]
pub fn tree<'db>(db: &'db dyn Db, item: Item<'db>) -> Arc<Parse> {
    Arc::new(parse_item(item.tokens(db)))
}
