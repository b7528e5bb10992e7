//! Texts as a client keeps them: places in the agreed unit, and what a change does. It shares nothing with the server.

use serde_json::{Value, json};

/// What columns are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Utf8,
    Utf16,
    Utf32,
}

impl Unit {
    /// Its name in the protocol.
    pub(super) fn name(self) -> &'static str {
        match self {
            Unit::Utf8 => "utf-8",
            Unit::Utf16 => "utf-16",
            Unit::Utf32 => "utf-32",
        }
    }

    fn width(self, text: &str) -> usize {
        match self {
            Unit::Utf8 => text.len(),
            Unit::Utf16 => text.encode_utf16().count(),
            Unit::Utf32 => text.chars().count(),
        }
    }
}

/// A line and a column, which need not be in any text.
pub(super) type Place = (usize, usize);

/// One change of a notification: a range, or the whole text.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) range: Option<(Place, Place)>,
    pub(super) text: String,
}

impl Change {
    /// As the protocol has it.
    pub(super) fn json(&self) -> Value {
        let place = |(line, character): Place| json!({ "line": line, "character": character });
        match self.range {
            Some((start, end)) => json!({ "range": { "start": place(start), "end": place(end) }, "text": self.text }),
            None => json!({ "text": self.text }),
        }
    }

    /// The text after the change.
    pub(super) fn apply(&self, text: &str, unit: Unit) -> String {
        let Some((start, end)) = self.range else { return self.text.clone() };
        let (start, end) = (byte_at(text, start, unit), byte_at(text, end, unit));
        let (start, end) = (start.min(end), start.max(end));
        format!("{}{}{}", &text[..start], self.text, &text[end..])
    }
}

/// Where each line begins, and where it ends before its LF, CRLF or lone CR.
pub(super) fn lines(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < text.len() {
        let ending = if text[at..].starts_with("\r\n") { 2 } else { usize::from(text[at..].starts_with(['\r', '\n'])) };
        if ending > 0 {
            found.push((start, at));
            start = at + ending;
        }
        at += if ending > 0 { ending } else { text[at..].chars().next().unwrap().len_utf8() };
    }
    found.push((start, text.len()));
    found
}

/// The place of a byte between two characters.
pub(super) fn place_of(text: &str, byte: usize, unit: Unit) -> Place {
    let lines = lines(text);
    let line = lines.iter().rposition(|(start, _)| *start <= byte).unwrap();
    (line, unit.width(&text[lines[line].0..byte.min(lines[line].1)]))
}

/// The byte of a place: the start of a character where the place is inside it, the end of a line where it is beyond.
pub(super) fn byte_at(text: &str, (line, column): Place, unit: Unit) -> usize {
    let Some((start, end)) = lines(text).get(line).copied() else { return text.len() };
    let mut borders = (start..=end).rev().filter(|byte| text.is_char_boundary(*byte));
    borders.find(|byte| unit.width(&text[start..*byte]) <= column).unwrap()
}

#[test]
fn places_are_counted_in_every_unit() {
    let text = "a\rü😀b\r\n";
    assert_eq!(lines(text), [(0, 1), (2, 9), (11, 11)]);
    let b = text.find('b').unwrap();
    for (unit, column) in [(Unit::Utf8, 6), (Unit::Utf16, 3), (Unit::Utf32, 2)] {
        assert_eq!(place_of(text, b, unit), (1, column));
        assert_eq!(byte_at(text, (1, column), unit), b);
    }
    // Inside the surrogate pair, beyond the line, beyond the text.
    assert_eq!(byte_at(text, (1, 2), Unit::Utf16), text.find('😀').unwrap());
    assert_eq!((byte_at(text, (1, 99), Unit::Utf16), byte_at(text, (9, 9), Unit::Utf16)), (9, 11));
}
