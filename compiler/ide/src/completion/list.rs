//! The list of completions, while it is collected and as editors get it.

use std::ops::Range;

use super::insertion::Insertion;
use crate::document::Document;
use crate::documentation::{Entry, Subject, of_subject};

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
pub(super) enum Rank {
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
pub(super) struct List {
    pub(super) replace: Range<u32>,
    pub(super) found: Vec<Completion>,
    pub(super) complete: bool,
}

impl List {
    pub(super) fn add(
        &mut self,
        rank: Rank,
        kind: CompletionKind,
        label: &str,
        insert: impl Into<Insertion>,
    ) -> &mut Completion {
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
    pub(super) fn entry(&mut self, rank: Rank, kind: CompletionKind, entry: &Entry, insert: impl Into<Insertion>) {
        let added = self.add(rank, kind, entry.word, insert);
        added.detail = entry.first_form();
        added.documentation = entry.body();
    }

    /// The given words of a subject, each with its insertion template.
    pub(super) fn words(&mut self, rank: Rank, subject: Subject, inserts: &[(&str, &str)]) {
        for (word, insert) in inserts {
            if let Some(entry) = of_subject(subject).find(|entry| entry.word == *word) {
                self.entry(rank, CompletionKind::Keyword, entry, Insertion::template(insert));
            }
        }
    }
}
