//! From an item's tokens to the bytes of a file: the only step that knows absolute positions.

use std::collections::HashMap;
use std::ops::Range;

use crate::db::{Db, ItemKey, SourceFile, items, layout};
use crate::syntax::span::Span;

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The file.
    pub file: SourceFile,
    /// The bytes.
    pub range: Range<u32>,
}

/// The place of some tokens of an item; the start of the file where the item is gone.
pub fn location(db: &dyn Db, key: &ItemKey, span: Span) -> Location {
    let position = positions(db, key.file).get(key);
    let range = position.map_or(0..0, |position| bytes(db, key.file, *position, span));
    Location { file: key.file, range }
}

/// Where each item stands among its file's items.
#[salsa::tracked]
pub(super) fn positions(db: &dyn Db, file: SourceFile) -> HashMap<ItemKey, usize> {
    items(db, file).iter().enumerate().map(|(position, item)| (item.key(db).clone(), position)).collect()
}

/// The bytes of every token that is neither white space nor a comment, with the token's index among all tokens.
#[salsa::tracked]
fn significant(db: &dyn Db, file: SourceFile) -> Vec<(u32, Range<u32>)> {
    let tokens = layout(db, file).tokens.iter().enumerate();
    let significant = tokens.filter(|(_, token)| !token.kind.is_trivia());
    significant.map(|(index, token)| (index as u32, token.start..token.end)).collect()
}

/// The bytes of some tokens of the item that stands at `position` among its file's items. An empty span is the gap
/// before a token, or the end of the item.
pub(super) fn bytes(db: &dyn Db, file: SourceFile, position: usize, span: Span) -> Range<u32> {
    let Some(item) = layout(db, file).split.items.get(position) else { return 0..0 };
    let tokens = significant(db, file);
    let first = tokens.partition_point(|(index, _)| *index < item.first);
    let count = item.tokens.len();
    let token = |number: usize| tokens.get(first + number.min(count.saturating_sub(1))).map(|(_, range)| range.clone());
    let start = match token(span.start as usize) {
        Some(range) if (span.start as usize) < count => range.start,
        Some(range) => range.end,
        None => return 0..0,
    };
    match (span.end as usize).checked_sub(1).and_then(token) {
        Some(range) if span.start < span.end => start..range.end.max(start),
        _ => start..start,
    }
}
