//! What is said on standard error, and texts without what would command a terminal.

use std::io::{self, Write};

/// Prints an error on standard error, ignoring failure.
pub(crate) fn complain(text: &str) {
    say("error", text);
}

/// Prints a remark on standard error.
pub(crate) fn note(text: &str) {
    say("note", text);
}

fn say(level: &str, text: &str) {
    let _ = writeln!(io::stderr(), "{level}: {}", printable(text));
}

/// The text with terminal control characters made visible.
pub(crate) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => shown.push(character),
            character if character.is_control() => shown.extend(character.escape_default()),
            character => shown.push(character),
        }
    }
    shown
}
