//! Lines and columns of a text.
//!
//! Columns are counted in UTF-16 units, as editors and the JSON of the command line do. The index remembers every
//! character that is not ASCII, so that a column costs a binary search even in a file of one line.

use std::sync::Arc;

use crate::db::{Db, SourceFile};

/// A place in a text; both numbers start at 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column in UTF-16 units.
    pub character: u32,
}

/// Where the lines of a text begin, and where its bytes and its UTF-16 units part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    /// The first byte of each line. A line ends with LF, CRLF or a lone CR.
    starts: Vec<u32>,
    /// For each character beyond ASCII: one past its last byte, and by how much the bytes up to there outnumber the
    /// UTF-16 units.
    wide: Vec<(u32, u32)>,
    length: u32,
}

/// The line index of a file.
#[salsa::tracked]
pub fn line_index(db: &dyn Db, file: SourceFile) -> Arc<LineIndex> {
    Arc::new(LineIndex::new(file.text(db)))
}

impl LineIndex {
    /// Reads a text. Bytes beyond 4 GiB are not seen; whoever loads files refuses such texts.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        let mut wide = Vec::new();
        let mut surplus: u32 = 0;
        let bytes = text.as_bytes();
        for (offset, character) in text.char_indices() {
            let offset = offset as u32;
            match character {
                '\n' => starts.push(offset + 1),
                '\r' if bytes.get(offset as usize + 1) != Some(&b'\n') => starts.push(offset + 1),
                character if !character.is_ascii() => {
                    surplus += (character.len_utf8() - character.len_utf16()) as u32;
                    wide.push((offset + character.len_utf8() as u32, surplus));
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

    /// The line and column of a byte; a byte beyond the end means the end.
    pub fn position(&self, offset: u32) -> Position {
        let offset = offset.min(self.length);
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let units = (offset - self.surplus(offset)) - (start - self.surplus(start));
        Position { line: line as u32, character: units }
    }

    /// The byte at a line and column. A column beyond the line's end means the end of the line, before what ends it;
    /// a line beyond the last means the end of the text. `text` is the text that was indexed.
    pub fn offset(&self, position: Position, text: &str) -> u32 {
        if position.line >= self.lines() {
            return self.length;
        }
        let range = self.line(position.line);
        let line = text.get(range.start as usize..range.end as usize).unwrap_or_default();
        let line = line.trim_end_matches(['\n', '\r']);
        let mut units = 0;
        for (offset, character) in line.char_indices() {
            if units >= position.character {
                return range.start + offset as u32;
            }
            units += character.len_utf16() as u32;
        }
        range.start + line.len() as u32
    }

    /// By how much bytes outnumber UTF-16 units up to a byte.
    fn surplus(&self, offset: u32) -> u32 {
        let before = self.wide.partition_point(|(end, _)| *end <= offset);
        before.checked_sub(1).and_then(|last| self.wide.get(last)).map_or(0, |(_, surplus)| *surplus)
    }
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
    fn an_empty_text_has_one_line() {
        let index = LineIndex::new("");
        assert_eq!((index.lines(), index.position(0)), (1, Position::default()));
    }
}
