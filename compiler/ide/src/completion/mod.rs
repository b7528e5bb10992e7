//! What may stand at a cursor.
//!
//! The place is read from the tokens before the cursor ([`context`]), so text that is being typed is no obstacle. Every
//! list holds what fits the place, whatever was typed of a word so far: the editor filters. Only of very many names some
//! are chosen.

mod clauses;
mod collectives;
mod context;
mod expressions;
mod groups;
mod insertion;
mod items;
mod kernels;
mod paths;
mod reshape_map;
mod runs;
mod scope;
#[cfg(test)]
mod tests;

use crate::document::Document;
use std::ops::Range;

use super::documentation::{Entry, Subject, of_subject};
use check::db::{Db, SourceFile};
use syntax::token::TokenKind;

pub(crate) use context::{Context, context, open_brackets};
pub use insertion::{Insertion, Piece};

/// What kind of thing a completion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompletionKind {
    /// A word of the language.
    Keyword,
    /// A function.
    Function,
    /// A member of a value.
    Member,
    /// A shape.
    Shape,
    /// A size that is known at launch.
    Symbol,
    /// A constant.
    Constant,
    /// An index map.
    Map,
    /// A kernel.
    Kernel,
    /// An element type.
    Type,
    /// A variable or an iterator of a kernel.
    Variable,
    /// A parameter.
    Parameter,
    /// A view.
    View,
    /// A value that has a word, such as an initial value.
    Value,
    /// A piece of text that is often needed.
    Snippet,
    /// A file.
    File,
}

/// Something that may stand at a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What the list shows.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A few words on it; may be empty.
    pub detail: String,
    /// What is known of it; may be empty.
    pub documentation: Document,
    /// What is inserted.
    pub insert: Insertion,
    /// The bytes that are replaced.
    pub replace: Range<u32>,
    /// What the list is sorted by.
    pub sort: String,
}

/// What may stand at a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completions {
    /// Each thing that may.
    pub items: Vec<Completion>,
    /// Whether nothing was left out that another letter could bring in.
    pub complete: bool,
}

/// How near something is to what belongs to the place; what is nearer is listed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Made for the place.
    Expected,
    /// A name of the kernel.
    Local,
    /// A name of the file.
    Name,
    /// A function.
    Function,
    /// A word of the language.
    Word,
}

/// The completions of a place, while they are collected.
struct List {
    replace: Range<u32>,
    found: Vec<Completion>,
    complete: bool,
}

impl List {
    fn add(&mut self, rank: Rank, kind: CompletionKind, label: &str, insert: impl Into<Insertion>) -> &mut Completion {
        let position = self.found.len();
        self.found.push(Completion {
            label: label.to_owned(),
            kind,
            detail: String::new(),
            documentation: Document::default(),
            insert: insert.into(),
            replace: self.replace.clone(),
            sort: format!("{} {label}", rank as u8),
        });
        &mut self.found[position]
    }

    /// A word with its entry.
    fn entry(&mut self, rank: Rank, kind: CompletionKind, entry: &Entry, insert: impl Into<Insertion>) {
        let added = self.add(rank, kind, entry.word, insert);
        added.detail = entry.first_form();
        added.documentation = entry.body();
    }

    /// The words of a subject that are wanted, each with the template of what it inserts.
    fn words(&mut self, rank: Rank, subject: Subject, inserts: &[(&str, &str)]) {
        for (word, insert) in inserts {
            if let Some(entry) = of_subject(subject).find(|entry| entry.word == *word) {
                self.entry(rank, CompletionKind::Keyword, entry, Insertion::template(insert));
            }
        }
    }
}

/// What may stand at a byte.
pub fn completions(db: &dyn Db, file: SourceFile, offset: u32) -> Completions {
    if let Some(list) = paths::used(db, file, offset) {
        return Completions { items: list.found, complete: list.complete };
    }
    let Some(context) = context(db, file, offset) else { return Completions { items: Vec::new(), complete: true } };
    let mut list = List { replace: context.word.clone(), found: Vec::new(), complete: true };
    if context.starts_item {
        items::item_start(&context, &mut list);
    }
    if !context.starts_item {
        within_item(&context, &mut list);
    } else if context.continues_item {
        clauses::continuing(&context, &mut list);
    }
    let mut seen = std::collections::HashSet::new();
    // A declaration whose name is still missing declares an empty one.
    list.found.retain(|item| !item.label.is_empty() && seen.insert((item.label.clone(), item.insert.clone())));
    Completions { items: list.found, complete: list.complete }
}

fn within_item(context: &Context<'_>, list: &mut List) {
    let Some(tokens) = context.tokens() else { return };
    let (kind, end) = (|at| tokens.kind(at), context.end);
    if end.checked_sub(1).and_then(kind) == Some(TokenKind::Dot) {
        return expressions::members(context, list);
    }
    if reshape_map::layout_entries(context, list) || reshape_map::map_parts(context, list) {
        return;
    }
    let named = kind(1).is_some_and(TokenKind::is_word) || end == 1;
    match kind(0) {
        Some(TokenKind::Kernel) if named => kernels::kernel(context, list),
        Some(TokenKind::Run) if named => runs::run(context, list),
        Some(TokenKind::Dim) if named => clauses::dim(context, list),
        Some(TokenKind::Use) if end == 1 => {}
        Some(TokenKind::Map | TokenKind::Const | TokenKind::Mdspan | TokenKind::Unit | TokenKind::Tiling)
            if end == 1 => {}
        _ => expressions::expression(context, list, expressions::Scope::File),
    }
}
