//! Open documents, with the editor's texts.

use ide::ColumnUnit;
use ropey::Rope;
use tower_lsp::ls_types::{Position, TextDocumentContentChangeEvent, Uri};

use crate::load::MOST_BYTES;

/// A document that is open in the editor.
#[derive(Clone, Debug)]
pub(super) struct Document {
    /// Its URI, as the editor sent it.
    pub(super) uri: Uri,
    /// The editor's number for the text.
    pub(super) version: i32,
    text: Rope,
}

impl Document {
    pub(super) fn new(uri: Uri, version: i32, text: &str) -> Self {
        Self { uri, version, text: Rope::from_str(text) }
    }

    /// The whole text.
    pub(super) fn text(&self) -> String {
        self.text.to_string()
    }

    /// Whether the text is too large to be checked.
    pub(super) fn is_too_large(&self) -> bool {
        self.text.len_bytes() as u64 > MOST_BYTES
    }

    /// Applies the changes of one edit in order. A place outside of the text is clamped, as the protocol requires.
    pub(super) fn change(&mut self, version: i32, changes: &[TextDocumentContentChangeEvent], unit: ColumnUnit) {
        for change in changes {
            match change.range {
                None => self.text = Rope::from_str(&change.text),
                Some(range) => {
                    let (start, end) = (self.character(range.start, unit), self.character(range.end, unit));
                    let (start, end) = (start.min(end), start.max(end));
                    self.text.remove(start..end);
                    self.text.insert(start, &change.text);
                }
            }
        }
        self.version = version;
    }

    /// The number of the character at a place.
    fn character(&self, position: Position, unit: ColumnUnit) -> usize {
        let line = position.line as usize;
        if line >= self.text.len_lines() {
            return self.text.len_chars();
        }
        let content = self.text.line(line);
        let content = content.as_str().map_or_else(|| content.to_string().into(), std::borrow::Cow::Borrowed);
        let byte = ide::column_to_byte(&content, position.character, unit);
        self.text.line_to_char(line) + content[..byte].chars().count()
    }
}

#[cfg(test)]
mod tests {
    use tower_lsp::ls_types::Range;

    use super::*;

    fn document(text: &str) -> Document {
        Document::new("file:///a.shape".parse().unwrap(), 1, text)
    }

    fn change(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        let at = |(line, character)| Position { line, character };
        let range = Some(Range { start: at(from), end: at(to) });
        TextDocumentContentChangeEvent { range, range_length: None, text: text.to_owned() }
    }

    #[test]
    fn edits_count_in_the_unit_that_was_agreed() {
        for (unit, column) in [(ColumnUnit::Utf8, 6), (ColumnUnit::Utf16, 3), (ColumnUnit::Utf32, 2)] {
            let mut document = document("a\nü😀b\r\nc");
            document.change(2, &[change((1, column), (1, column + 1), "x")], unit);
            assert_eq!((document.text(), document.version), ("a\nü😀x\r\nc".to_owned(), 2), "{unit:?}");
        }
    }

    #[test]
    fn places_outside_of_the_text_are_moved_inside() {
        let mut document = document("ab\r\ncd");
        document.change(2, &[change((0, 99), (0, 99), "!"), change((99, 0), (99, 0), "?")], ColumnUnit::Utf16);
        assert_eq!(document.text(), "ab!\r\ncd?");
        // The middle of a surrogate pair means the start of the character; an end before the start is swapped.
        document.change(3, &[change((0, 0), (99, 0), "😀z"), change((0, 2), (0, 1), "")], ColumnUnit::Utf16);
        assert_eq!(document.text(), "z");
    }
}
