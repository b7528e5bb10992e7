//! From an item's tokens to the bytes of a file: the only step that knows absolute positions.

use std::ops::Range;

use crate::db::{Db, ItemKey, SourceFile, items, split};
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
    let position = items(db, key.file).iter().position(|item| item.key(db) == key);
    let range = position.map_or(0..0, |position| bytes(db, key.file, position, span));
    Location { file: key.file, range }
}

/// The bytes of some tokens of the item that stands at `position` among its file's items.
pub(super) fn bytes(db: &dyn Db, file: SourceFile, position: usize, span: Span) -> Range<u32> {
    split(db, file).range(position, span)
}
