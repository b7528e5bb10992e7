//! From an item's tokens to the bytes of a file: the only step that knows absolute positions.

use std::ops::Range;

use rustc_hash::FxHashMap;

use check::db::{Db, Item, SourceFile};
use syntax::span::Span;

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The file.
    pub file: SourceFile,
    /// The bytes.
    pub range: Range<u32>,
}

/// The place of some tokens of an item; the start of the file if the item was removed.
pub fn location(db: &dyn Db, item: Item, span: Span) -> Location {
    let file = item.file(db);
    Location { file, range: position(db, item).map_or(0..0, |position| bytes(db, file, position, span)) }
}

/// The items of a file with their indices; an edit cancels the iteration.
pub(super) fn items(db: &dyn Db, file: SourceFile) -> impl DoubleEndedIterator<Item = (usize, Item)> {
    file.items(db).iter().copied().enumerate().inspect(|_| db.unwind_if_revision_cancelled())
}

/// The index of an item in its file.
pub fn position(db: &dyn Db, item: Item) -> Option<usize> {
    positions(db, item.file(db)).get(&item).copied()
}

#[salsa::tracked]
fn positions(db: &dyn Db, file: SourceFile) -> FxHashMap<Item, usize> {
    items(db, file).map(|(position, item)| (item, position)).collect()
}

/// The bytes of some tokens of the item at index `position` of its file.
pub(super) fn bytes(db: &dyn Db, file: SourceFile, position: usize, span: Span) -> Range<u32> {
    let layout = file.layout(db);
    let start = layout.start(position);
    let range = layout.ranges(position).map_or(0..0, |ranges| ranges.byte_range(span));
    start + range.start..start + range.end
}
