//! What may stand at a cursor.
//!
//! The context is read from the tokens before the cursor ([`context`]), so incomplete text is no obstacle. Every list
//! has everything that fits the place, whatever part of a word was typed: the editor filters. Only very long lists of
//! names are cut.

mod arguments;
mod clauses;
mod collectives;
mod context;
mod expressions;
mod functions;
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
pub(crate) use scope::behind_generics;

/// The kind of a completion.
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
    /// A value with a word of its own, such as an initial value.
    Value,
    /// A piece of frequently used text.
    Snippet,
    /// A file.
    File,
}

/// A completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What the list shows.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A short description; may be empty.
    pub detail: String,
    /// Its documentation; may be empty.
    pub documentation: Document,
    /// What is inserted.
    pub insert: Insertion,
    /// The bytes that are replaced.
    pub replace: Range<u32>,
    /// The sort key.
    pub sort: String,
}

/// The completions at a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completions {
    /// Each thing that may.
    pub items: Vec<Completion>,
    /// Whether the list was not cut.
    pub complete: bool,
}

/// How specific a completion is to the place; more specific ones come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Specific to the place.
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

    /// The given words of a subject, each with its insertion template.
    fn words(&mut self, rank: Rank, subject: Subject, inserts: &[(&str, &str)]) {
        for (word, insert) in inserts {
            if let Some(entry) = of_subject(subject).find(|entry| entry.word == *word) {
                self.entry(rank, CompletionKind::Keyword, entry, Insertion::template(insert));
            }
        }
    }
}

/// The completions at a byte.
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
    // A declaration without a name yet declares an empty one.
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
        Some(TokenKind::Fn) if named => functions::function(context, list),
        Some(TokenKind::Run) if named => runs::run(context, list),
        Some(TokenKind::Dim) if named => clauses::dim(context, list),
        Some(TokenKind::Use) if end == 1 => {}
        Some(TokenKind::Map | TokenKind::Const | TokenKind::Mdspan | TokenKind::Unit | TokenKind::Tiling)
            if end == 1 => {}
        _ => expressions::expression(context, list, expressions::Scope::File),
    }
}
