//! Source and values as short texts, for labels and lists.

/// A text on one line.
pub(super) fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// A text of so many characters at most; `…` stands for what is left out.
pub(super) fn shortened(mut text: String, longest: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(longest) {
        text.truncate(end);
        text.push('…');
    }
    text
}
