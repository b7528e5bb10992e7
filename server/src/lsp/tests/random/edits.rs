//! Edits such as people make, and a few that only a broken client sends.

use seeds::Draw;

use super::text::{Change, Unit, lines, place_of};

/// A text that is being changed, change by change.
struct Pen<'a> {
    text: String,
    unit: Unit,
    random: &'a mut Draw,
    changes: Vec<Change>,
}

/// The changes of one notification.
pub(super) fn random_edit(text: &str, unit: Unit, random: &mut Draw) -> Vec<Change> {
    let mut pen = Pen { text: text.to_owned(), unit, random, changes: Vec::new() };
    match pen.random.index(20) {
        0..=3 => pen.replace_word(),
        4..=5 => pen.swap_lines(),
        6..=7 => pen.move_item(),
        8..=9 => pen.copy_or_delete_word(),
        10..=11 => pen.type_characters(),
        12..=13 => pen.comment(),
        14 => pen.other_line_ends(),
        15 => pen.wild(),
        16 => pen.delete_some(),
        17..=18 => pen.space(),
        _ => {
            for _ in 0..3 {
                pen.replace_word();
                pen.comment();
            }
        }
    }
    pen.changes
}

/// The words, numbers and signs of a text.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut before = ' ';
    for (at, character) in text.char_indices().filter(|(_, character)| !character.is_whitespace()) {
        match found.last_mut() {
            Some(last) if last.1 == at && is_word(before) && is_word(character) => last.1 += character.len_utf8(),
            _ => found.push((at, at + character.len_utf8())),
        }
        before = character;
    }
    found
}

impl Pen<'_> {
    /// Replaces bytes, and counts the place as a client does.
    fn replace(&mut self, start: usize, end: usize, with: &str) {
        let places = (place_of(&self.text, start, self.unit), place_of(&self.text, end, self.unit));
        self.put(Change { range: Some(places), text: with.to_owned() });
    }

    fn put(&mut self, change: Change) {
        self.text = change.apply(&self.text, self.unit);
        self.changes.push(change);
    }

    /// A border between characters, but not inside of CRLF, where no place is.
    fn border(&mut self) -> usize {
        let mut at = self.random.index(self.text.len() + 1);
        while !self.text.is_char_boundary(at) || self.text[..at].ends_with('\r') && self.text[at..].starts_with('\n') {
            at -= 1;
        }
        at
    }

    fn word(&mut self) -> Option<(usize, usize)> {
        let words = words(&self.text);
        (!words.is_empty()).then(|| self.random.pick(&words))
    }

    /// A number becomes another number of the file, a name another name, a sign another sign.
    fn replace_word(&mut self) {
        let Some((start, end)) = self.word() else { return };
        let kind = |word: &str| {
            let first = word.chars().next().unwrap();
            (first.is_ascii_digit(), first.is_alphabetic())
        };
        let old = kind(&self.text[start..end]);
        let words = words(&self.text);
        let alike: Vec<&str> =
            words.iter().map(|(start, end)| &self.text[*start..*end]).filter(|word| kind(word) == old).collect();
        let new = (self.random.pick(&alike)).to_owned();
        self.replace(start, end, &new);
    }

    fn copy_or_delete_word(&mut self) {
        let Some((start, end)) = self.word() else { return };
        let word = self.text[start..end].to_owned();
        match self.random.index(2) {
            0 => self.replace(start, end, ""),
            _ => self.replace(end, end, &format!(" {word}")),
        }
    }

    fn swap_lines(&mut self) {
        let lines = lines(&self.text);
        let (first, second) = (self.random.pick(&lines), self.random.pick(&lines));
        let (first, second) = (first.min(second), first.max(second));
        let (upper, lower) = (self.text[first.0..first.1].to_owned(), self.text[second.0..second.1].to_owned());
        self.replace(second.0, second.1, &upper);
        self.replace(first.0, first.1, &lower);
    }

    /// Cuts the lines up to an empty one, and pastes them where another line begins.
    fn move_item(&mut self) {
        let all = lines(&self.text);
        let from = self.random.index(all.len());
        let length = all[from..].iter().take_while(|(start, end)| start < end).count();
        let (start, end) = (all[from].0, all.get(from + length).map_or(self.text.len(), |line| line.0));
        let cut = self.text[start..end].to_owned();
        self.replace(start, end, "");
        let to = self.random.pick(&lines(&self.text)).0;
        self.replace(to, to, &cut);
    }

    /// Some characters of a line of the file, typed one after the other behind another line.
    fn type_characters(&mut self) {
        let all = lines(&self.text);
        let ((start, end), (_, mut at)) = (self.random.pick(&all), self.random.pick(&all));
        let count = self.random.index(24);
        let typed: Vec<char> = self.text[start..end].chars().take(count).collect();
        for character in typed {
            self.replace(at, at, &character.to_string());
            at += character.len_utf8();
        }
    }

    fn comment(&mut self) {
        let end = self.random.pick(&lines(&self.text)).1;
        let comment =
            self.random.pick(&[" // 😀", " // ünï 中 𝒳", " /* two\r\nlines */", " // é", "\n/// 👩‍👩‍👧 documented"]);
        self.replace(end, end, comment);
    }

    /// One line, or all of them, ends otherwise.
    fn other_line_ends(&mut self) {
        let ending = self.random.pick(&["\n", "\r\n", "\r"]);
        if self.random.index(2) == 0 {
            let text = self.text.replace("\r\n", "\n").replace('\r', "\n").replace('\n', ending);
            return self.put(Change { range: None, text });
        }
        let all = lines(&self.text);
        let line = self.random.index(all.len());
        if let Some((next, _)) = all.get(line + 1) {
            self.replace(all[line].1, *next, ending);
        }
    }

    /// Places that are none: inside a character, beyond a line or the text, the end before the start.
    fn wild(&mut self) {
        let count = lines(&self.text).len();
        let mut place = || (self.random.index(count + 2), self.random.index(90));
        let (start, end) = (place(), place());
        let end = if start.0.abs_diff(end.0) > 2 { (start.0, end.1) } else { end };
        let text = self.random.pick(&["", "x", "😀", "]", "\r", "\n"]);
        self.put(Change { range: Some((start, end)), text: text.to_owned() });
    }

    fn delete_some(&mut self) {
        let start = self.border();
        let mut end = (start + self.random.index(12)).min(self.text.len());
        while !self.text.is_char_boundary(end) || self.text[..end].ends_with('\r') && self.text[end..].starts_with('\n')
        {
            end += 1;
        }
        self.replace(start, end, "");
    }

    fn space(&mut self) {
        let Some((start, _)) = self.word() else { return };
        let space = self.random.pick(&[" ", "\n", "\r\n", "\t", "\r"]);
        self.replace(start, start, space);
    }
}
