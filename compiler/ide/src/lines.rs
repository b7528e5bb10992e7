//! Lines and columns of a text.
//!
//! Columns are in UTF-16 units, as in editors and the JSON of the command line, or in the unit that an editor asks
//! for. The index records every non-ASCII character, so a column takes a binary search even in a file of one line.

use std::sync::Arc;

use check::db::{Db, SourceFile};

/// A place in a text; both numbers start at 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column in UTF-16 units.
    pub character: u32,
}

/// What columns are counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColumnUnit {
    /// Bytes.
    Utf8,
    /// UTF-16 units: characters beyond the basic plane count twice.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

impl ColumnUnit {
    fn length(self, character: char) -> u32 {
        match self {
            Self::Utf8 => character.len_utf8() as u32,
            Self::Utf16 => character.len_utf16() as u32,
            Self::Utf32 => 1,
        }
    }
}

/// A non-ASCII character, with totals up to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wide {
    /// One past its last byte.
    end: u32,
    /// By how much the bytes up to there outnumber the UTF-16 units.
    beyond_utf16: u32,
    /// By how much they outnumber the characters.
    beyond_utf32: u32,
}

/// The starts of a text's lines, and where its bytes and UTF-16 units differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    /// The first byte of each line. A line ends with LF, CRLF or a lone CR.
    starts: Vec<u32>,
    wide: Vec<Wide>,
    length: u32,
}

/// The line index of a file.
#[salsa::tracked]
pub fn line_index(db: &dyn Db, file: SourceFile) -> Arc<LineIndex> {
    Arc::new(LineIndex::new(file.text(db)))
}

impl LineIndex {
    /// Indexes a text. Bytes beyond 4 GiB are ignored; such files are refused when loaded.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        let mut wide = Vec::new();
        let (mut beyond_utf16, mut beyond_utf32) = (0, 0);
        let bytes = text.as_bytes();
        for (offset, character) in text.char_indices() {
            let offset = offset as u32;
            match character {
                '\n' => starts.push(offset + 1),
                '\r' if bytes.get(offset as usize + 1) != Some(&b'\n') => starts.push(offset + 1),
                character if !character.is_ascii() => {
                    let bytes = character.len_utf8() as u32;
                    beyond_utf16 += bytes - character.len_utf16() as u32;
                    beyond_utf32 += bytes - 1;
                    wide.push(Wide { end: offset + bytes, beyond_utf16, beyond_utf32 });
                }
                _ => {}
            }
        }
        Self { starts, wide, length: text.len() as u32 }
    }

    /// Number of lines, at least 1.
    pub fn lines(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The bytes of a line, its end included; empty beyond the last line.
    pub fn line(&self, line: u32) -> std::ops::Range<u32> {
        let start = self.starts.get(line as usize).copied().unwrap_or(self.length);
        let end = self.starts.get(line as usize + 1).copied().unwrap_or(self.length);
        start..end
    }

    /// The line and column of a byte, in UTF-16 units; a byte beyond the end means the end.
    pub fn position(&self, offset: u32) -> Position {
        self.position_in(offset, ColumnUnit::Utf16)
    }

    /// The line and column of a byte; a byte beyond the end means the end.
    pub fn position_in(&self, offset: u32, unit: ColumnUnit) -> Position {
        let offset = offset.min(self.length);
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let units = (offset - self.surplus(offset, unit)) - (start - self.surplus(start, unit));
        Position { line: line as u32, character: units }
    }

    /// As [`LineIndex::position_in`], for ascending bytes: most are in the line of the previous one, which saves the
    /// search.
    pub fn positions_in(&self, unit: ColumnUnit) -> impl FnMut(u32) -> Position {
        let counts_bytes = unit == ColumnUnit::Utf8 || self.wide.is_empty();
        let (mut line, mut bytes) = (0, self.line(0));
        move |offset| {
            if counts_bytes && bytes.contains(&offset) {
                return Position { line, character: offset - bytes.start };
            }
            let position = self.position_in(offset, unit);
            (line, bytes) = (position.line, self.line(position.line));
            position
        }
    }

    /// The byte at a line and a column in UTF-16 units; see [`LineIndex::offset_in`].
    pub fn offset(&self, position: Position, text: &str) -> u32 {
        self.offset_in(position, ColumnUnit::Utf16, text)
    }

    /// The byte at a line and column. A column beyond the line's end means the end of the line, before what ends it;
    /// one inside a character, the start of that character; a line beyond the last, the end of the text. `text` is the
    /// text that was indexed.
    pub fn offset_in(&self, position: Position, unit: ColumnUnit, text: &str) -> u32 {
        if position.line >= self.lines() {
            return self.length;
        }
        let range = self.line(position.line);
        let line = text.get(range.start as usize..range.end as usize).unwrap_or_default();
        range.start + column_to_byte(line, position.character, unit) as u32
    }

    /// By how much bytes outnumber other units up to a byte.
    fn surplus(&self, offset: u32, unit: ColumnUnit) -> u32 {
        let before = self.wide.partition_point(|wide| wide.end <= offset);
        let last = before.checked_sub(1).and_then(|last| self.wide.get(last));
        last.map_or(0, |wide| match unit {
            ColumnUnit::Utf8 => 0,
            ColumnUnit::Utf16 => wide.beyond_utf16,
            ColumnUnit::Utf32 => wide.beyond_utf32,
        })
    }
}

/// The byte of a column in one line; a column inside a character means its start, one beyond the line the end of the
/// line, before what ends it.
pub fn column_to_byte(line: &str, column: u32, unit: ColumnUnit) -> usize {
    let line = line.trim_end_matches(['\n', '\r']);
    let mut units = 0;
    for (offset, character) in line.char_indices() {
        units += unit.length(character);
        if units > column {
            return offset;
        }
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_utf_16_units_and_come_back() {
        let text = "a\r\nü😀b\n\tc\rd";
        let index = LineIndex::new(text);
        assert_eq!(index.lines(), 4);
        for (offset, _) in text.char_indices().filter(|(_, character)| !matches!(character, '\r' | '\n')) {
            let position = index.position(offset as u32);
            assert_eq!(index.offset(position, text), offset as u32, "{position:?}");
        }
        let b = text.find('b').unwrap() as u32;
        assert_eq!(index.position(b), Position { line: 1, character: 3 });
        assert_eq!(index.position(999), Position { line: 3, character: 1 });
        assert_eq!(index.offset(Position { line: 1, character: 99 }, text), b + 1);
        assert_eq!(index.offset(Position { line: 99, character: 0 }, text), text.len() as u32);
    }

    #[test]
    fn columns_in_every_unit_come_back() {
        let text = "aü😀b\n中x";
        let index = LineIndex::new(text);
        let b = text.find('b').unwrap() as u32;
        let column = |unit| index.position_in(b, unit).character;
        assert_eq!([ColumnUnit::Utf8, ColumnUnit::Utf16, ColumnUnit::Utf32].map(column), [7, 4, 3]);
        for unit in [ColumnUnit::Utf8, ColumnUnit::Utf16, ColumnUnit::Utf32] {
            for (offset, _) in text.char_indices() {
                let position = index.position_in(offset as u32, unit);
                assert_eq!(index.offset_in(position, unit, text), offset as u32, "{unit:?} {position:?}");
            }
            for text in [text, "", "one\n\r\ntwo\r", "\n"] {
                let index = LineIndex::new(text);
                let mut position = index.positions_in(unit);
                // In the text's order, past its end, and back.
                for offset in (0..=text.len() as u32 + 1).chain([0, 2]) {
                    assert_eq!(position(offset), index.position_in(offset, unit), "{unit:?} {offset} {text:?}");
                }
            }
        }
        // Inside a character means its start.
        let inside = Position { line: 0, character: 3 };
        assert_eq!(index.offset(inside, text), text.find('😀').unwrap() as u32);
    }

    #[test]
    fn an_empty_text_has_one_line() {
        let index = LineIndex::new("");
        assert_eq!((index.lines(), index.position(0)), (1, Position::default()));
    }
}
