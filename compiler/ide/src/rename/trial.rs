//! Tries a rename in a separate database, and compares the meanings of all names.

use std::mem::discriminant;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::findings::Edit;
use super::super::lines::line_index;
use super::super::names::{Access, LocalKind, Occurrence, Target, declaration, occurrences};
use super::super::places::{location, position};
use super::line_of;
use crate::CompilerDatabase;
use check::db::{Db, Item, SourceFile};
use check::names;
use syntax::grammar::Parse;
use syntax::items::word_hash;
use syntax::span::Span;

/// Where an item begins.
const FIRST_TOKEN: Span = Span { start: 0, end: 1 };

/// What is tried.
pub(super) struct Renaming<'r> {
    /// What is renamed.
    pub(super) target: &'r Target,
    /// Its name.
    pub(super) old: &'r str,
    /// Its new name.
    pub(super) new: &'r str,
    /// The place of its declaration, for messages.
    pub(super) declared: String,
}

/// A target that can be compared across databases.
#[derive(Debug, PartialEq, Eq)]
struct Meaning {
    path: String,
    /// The number of the item in its file.
    item: usize,
    /// The number of the declaration among the item's names.
    declaration: Option<usize>,
}

/// Applies the edits; the error says what they would break.
pub(super) fn check(
    db: &dyn Db,
    files: &[SourceFile],
    edits: &[Edit],
    renaming: &Renaming<'_>,
    reader: SourceFile,
) -> Result<(), String> {
    let edited = apply(db, files, edits);
    let words = FxHashSet::from_iter([renaming.old, renaming.new].map(word_hash));
    for &file in files {
        let Some(after) = edited.file(file.path(db)) else { continue };
        let (items, new_items) = (file.items(db), after.items(&edited));
        for (item, new_item) in items.iter().zip(new_items) {
            // An item that says neither name and reads as before has its names, and they have their meanings.
            let tokens = item.tokens(db);
            if !tokens.says_any(&words) && tokens == new_item.tokens(&edited) {
                continue;
            }
            let place = || line_of(db, &location(db, *item, FIRST_TOKEN), reader);
            if !is_equivalent(db, *item, &edited, *new_item) {
                return Err(format!("with the name `{}` the text in {} would read differently", renaming.new, place()));
            }
            compare(db, *item, (&edited, *new_item), renaming, reader)?;
        }
        if items.len() != new_items.len() {
            return Err(format!("with the name `{}` the items of {} would be others", renaming.new, file.path(db)));
        }
    }
    Ok(())
}

/// The files after the edits, with the files that they use.
fn apply(db: &dyn Db, files: &[SourceFile], edits: &[Edit]) -> CompilerDatabase {
    let mut texts: FxHashMap<SourceFile, String> = files.iter().map(|file| (*file, file.text(db).to_owned())).collect();
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| std::cmp::Reverse(edit.location.range.start));
    for edit in sorted {
        if let Some(text) = texts.get_mut(&edit.location.file) {
            text.replace_range(edit.location.range.start as usize..edit.location.range.end as usize, &edit.text);
        }
    }
    let mut all = files.to_vec();
    let mut seen: FxHashSet<SourceFile> = files.iter().copied().collect();
    let mut next = 0;
    while let Some(file) = all.get(next).copied() {
        all.extend(names::used_files(db, file).iter().filter(|used| seen.insert(**used)));
        next += 1;
    }
    let mut edited = CompilerDatabase::default();
    for file in all {
        edited.set_text(file.path(db), texts.get(&file).map_or_else(|| file.text(db), String::as_str));
    }
    edited
}

/// Whether an item still has its kind and its number of errors.
fn is_equivalent(db: &dyn Db, item: Item, edited: &CompilerDatabase, new_item: Item) -> bool {
    let (before, after) = (item.tree(db), new_item.tree(edited));
    let kind = |parse: &Parse| parse.item.as_ref().map(|parsed| discriminant(&parsed.kind));
    kind(&before) == kind(&after) && before.errors.len() == after.errors.len()
}

/// Compares the names of an item one by one.
fn compare(
    db: &dyn Db,
    item: Item,
    (edited, new_item): (&CompilerDatabase, Item),
    renaming: &Renaming<'_>,
    reader: SourceFile,
) -> Result<(), String> {
    let mut after = occurrences(edited, new_item).iter().peekable();
    for found in occurrences(db, item) {
        let same = |next: &&Occurrence| {
            let expected = if found.target == *renaming.target { renaming.new } else { found.name.as_str() };
            next.name == expected
                && next.access == found.access
                && meaning(edited, &next.target) == meaning(db, &found.target)
        };
        if after.next_if(same).is_some() {
            continue;
        }
        let place = line_of(db, &location(db, item, found.span), reader);
        if found.target != *renaming.target {
            return Err(captured(&found.name, &place, renaming));
        }
        // Renaming moves nothing to another line, so the line is that of the file as it is.
        let other = after.peek().filter(|next| next.name == renaming.new).map(|next| {
            let (item, span) = declaration(edited, &next.target);
            let there = location(edited, item, span);
            let line = line_index(edited, there.file).position(there.range.start).line + 1;
            format!("the {} of line {line} of {}", kind_name(next), there.file.path(edited))
        });
        let other = other.unwrap_or_else(|| "something else".to_owned());
        return Err(format!("`{}` in {place} would then mean {other}", renaming.new));
    }
    match after.next() {
        None => Ok(()),
        Some(next) => {
            let place = line_of(db, &location(db, item, FIRST_TOKEN), reader);
            Err(captured(&next.name, &place, renaming))
        }
    }
}

fn captured(name: &str, place: &str, renaming: &Renaming<'_>) -> String {
    format!("`{name}` in {place} would then mean what is declared in {}", renaming.declared)
}

fn kind_name(found: &Occurrence) -> &'static str {
    match found.local {
        None => "declaration",
        Some(LocalKind::Scalar | LocalKind::Tensor | LocalKind::Generic | LocalKind::Type) => "parameter",
        Some(LocalKind::View) => "view",
        Some(LocalKind::Iterator) => "iterator",
        Some(LocalKind::Constant | LocalKind::Variable | LocalKind::Shared) => "variable",
        Some(LocalKind::Defined) => "definition",
        Some(LocalKind::Function) => "function",
    }
}

fn meaning(db: &dyn Db, target: &Target) -> Meaning {
    let (item, span) = declaration(db, target);
    let declares = |found: &&Occurrence| found.access == Access::Declare;
    let declaration = occurrences(db, item).iter().filter(declares).position(|found| found.span == span);
    Meaning { path: item.file(db).path(db).to_owned(), item: position(db, item).unwrap_or(0), declaration }
}
