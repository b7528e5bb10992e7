//! The context in which an assist is requested.

use std::ops::Range;

use smol_str::SmolStr;

use super::super::cursor::cursor;
use super::super::enclosing::{Place, enclosing};
use super::super::findings::Edit;
use super::super::places::{Location, bytes};
use super::super::stages;
use super::splice::apart;
use check::db::{Db, Item, SourceFile};
use check::diagnostics::Severity;
use syntax::span::Span;
use syntax::tree::ItemKind;

/// A part of an item that parses.
pub(super) struct Context<'db> {
    pub(super) db: &'db dyn Db,
    pub(super) file: SourceFile,
    pub(super) item: Item,
    /// The index of the item in its file.
    pub(super) position: usize,
    pub(super) kind: &'db ItemKind,
    /// The tokens that are selected, or the one that the cursor is on.
    pub(super) tokens: Span,
    /// Whether something is selected.
    pub(super) selected: bool,
}

/// Calls `with` with the part of an item that a range selects; `None` if there is none, or if the item has syntax
/// errors.
pub(super) fn with_context<T>(
    db: &dyn Db,
    file: SourceFile,
    range: Range<u32>,
    with: impl FnOnce(&Context<'_>) -> T,
) -> Option<T> {
    let selected = range.start < range.end;
    let (position, tokens) = if selected { selection(db, file, range)? } else { at_cursor(db, file, range.start)? };
    let item = *file.items(db).get(position)?;
    let parse = item.tree(db);
    let kind = &parse.item.as_ref().filter(|_| parse.errors.is_empty())?.kind;
    Some(with(&Context { db, file, item, position, kind, tokens, selected }))
}

impl<'db> Context<'db> {
    /// Whether the item is free of errors; the meaning of an erroneous one cannot be preserved.
    pub(super) fn is_right(&self) -> bool {
        is_right(self.db, self.item)
    }

    /// The expressions around the selection, outermost first.
    pub(super) fn places(&self) -> Vec<Place<'db>> {
        enclosing(self.kind, self.tokens)
    }

    /// Whether a span contains the selection.
    pub(super) fn is_within(&self, span: Span) -> bool {
        span.holds(self.tokens)
    }

    /// The bytes of some tokens of the item.
    pub(super) fn bytes(&self, span: Span) -> Range<u32> {
        bytes(self.db, self.file, self.position, span)
    }

    /// The source of some tokens of the item.
    pub(super) fn text(&self, span: Span) -> &'db str {
        let range = self.bytes(span);
        self.file.text(self.db).get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// Replaces some bytes of the file.
    pub(super) fn edit(&self, range: Range<u32>, text: impl Into<SmolStr>) -> Edit {
        Edit { location: Location { file: self.file, range }, text: text.into() }
    }

    /// Replaces tokens by others, with spaces where they would merge with their neighbours.
    pub(super) fn replace(&self, span: Span, text: &str) -> Edit {
        let range = self.bytes(span);
        let text = apart(self.file.text(self.db), &range, text);
        self.edit(range, text)
    }

    /// Adds text directly behind a token.
    pub(super) fn insert_behind(&self, token: u32, text: &str) -> Edit {
        let end = self.bytes(Span::new(token, token + 1)).end;
        self.edit(end..end, text)
    }
}

/// Whether an item is free of errors.
pub(super) fn is_right(db: &dyn Db, item: Item) -> bool {
    stages::of_item(db, item).iter().all(|diagnostic| diagnostic.severity() != Severity::Error)
}

fn at_cursor(db: &dyn Db, file: SourceFile, offset: u32) -> Option<(usize, Span)> {
    let cursor = cursor(db, file, offset)?;
    let token = cursor.token as u32;
    Some((cursor.position, Span::new(token, token + 1)))
}

/// The tokens that a range overlaps, in the item in or before which it begins.
fn selection(db: &dyn Db, file: SourceFile, range: Range<u32>) -> Option<(usize, Span)> {
    let layout = file.layout(db);
    let position = layout.piece_at(range.start).or_else(|| layout.piece_at(range.end))?;
    let (base, ranges) = (layout.start(position), layout.ranges(position)?);
    let first = ranges.tokens_before(range.start.saturating_sub(base)) as u32;
    let mut end = ranges.tokens_before(range.end - base.min(range.end)) as u32;
    // A partly covered token counts too.
    let next = ranges.byte_range(Span::new(end, end + 1));
    if next.start < next.end && base + next.start < range.end {
        end += 1;
    }
    (first < end).then_some((position, Span::new(first, end)))
}
