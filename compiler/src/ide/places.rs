//! From an item's tokens to the bytes of a file: the only step that knows absolute positions.

use std::collections::HashMap;
use std::ops::Range;

use crate::db::{Db, ItemKey, SourceFile, items, layout};
use crate::syntax::positions::TokenRanges;
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

/// Where the tokens of each item stand, by the item's position in its file.
#[salsa::tracked]
fn ranges(db: &dyn Db, file: SourceFile) -> Vec<TokenRanges> {
    let layout = layout(db, file);
    layout.split.items.iter().map(|item| TokenRanges::new(&layout.tokens, item)).collect()
}

/// The bytes of some tokens of the item that stands at `position` among its file's items.
pub(super) fn bytes(db: &dyn Db, file: SourceFile, position: usize, span: Span) -> Range<u32> {
    ranges(db, file).get(position).map_or(0..0, |ranges| ranges.byte_range(span))
}
