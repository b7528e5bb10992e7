//! From a byte of a file to the token that a cursor there is on.

use std::ops::Range;

use super::names::{Occurrence, occurrences};
use super::places::bytes;
use check::db::{Db, Item, SourceFile};

/// A token of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cursor {
    /// The item.
    pub item: Item,
    /// The index of the item in its file.
    pub position: usize,
    /// The number of the token among the item's.
    pub token: usize,
}

/// The token that contains a byte or ends directly before it; a word takes precedence over punctuation. `None` in
/// white space, in comments and beyond the file.
pub fn cursor(db: &dyn Db, file: SourceFile, offset: u32) -> Option<Cursor> {
    let layout = file.layout(db);
    let position = layout.piece_at(offset)?;
    let item = *file.items(db).get(position)?;
    let inside = offset - layout.start(position);
    let token = layout.ranges(position)?.token_at(inside)?;
    Some(Cursor { item, position, token })
}

/// The name at a byte, with what it means.
pub fn occurrence_at(db: &dyn Db, file: SourceFile, offset: u32) -> Option<(Cursor, &Occurrence)> {
    let cursor = cursor(db, file, offset)?;
    let all = occurrences(db, cursor.item);
    let here = all.iter().filter(|occurrence| occurrence.span.start as usize == cursor.token);
    let touches = |occurrence: &&Occurrence| {
        let range = occurrence_range(db, file, cursor.position, occurrence);
        range.start <= offset && offset <= range.end
    };
    here.into_iter().find(touches).map(|found| (cursor, found))
}

/// The bytes of a name in the item at index `position` of its file.
pub fn occurrence_range(db: &dyn Db, file: SourceFile, position: usize, occurrence: &Occurrence) -> Range<u32> {
    let start = bytes(db, file, position, occurrence.span).start;
    start + occurrence.within.start..start + occurrence.within.end
}

/// The items that overlap a part of a file, by index.
pub fn items_in(db: &dyn Db, file: SourceFile, part: Range<u32>) -> Range<usize> {
    let layout = file.layout(db);
    let first = layout.piece_at(part.start).unwrap_or(0);
    let end = layout.piece_at(part.end).map_or(0, |last| last + 1);
    first..end.max(first).min(layout.pieces().len())
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;

    #[test]
    fn a_cursor_is_on_the_token_it_touches() {
        let Fixture { db, file, .. } = Fixture::new("// x\ndim M;  a : [M]\n");
        let at = |offset| cursor(&db, file, offset).map(|cursor| (cursor.position, cursor.token));
        let found: Vec<_> = (0..22).map(at).collect();
        assert_eq!(found[..5], [None; 5]);
        assert_eq!(found[5..9], [Some((0, 0)); 4]);
        assert_eq!(found[9..11], [Some((0, 1)); 2]);
        assert_eq!(found[12], None);
        assert_eq!(found[13..15], [Some((1, 0)); 2]);
        assert_eq!(found[17..21], [Some((1, 2)), Some((1, 3)), Some((1, 3)), Some((1, 4))]);
        assert_eq!(at(99), None);
        let fixture = Fixture::new("dim Many\na : [Ma$0ny]");
        let (cursor, found) = occurrence_at(&fixture.db, fixture.file, fixture.offset).unwrap();
        assert_eq!((cursor.position, found.name.as_str()), (1, "Many"));
        assert_eq!(items_in(&db, file, 0..4), 0..0);
        assert_eq!(items_in(&db, file, 6..14), 0..2);
    }
}
