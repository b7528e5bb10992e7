//! Putting text into text.

use std::ops::Range;

/// A replacement with spaces where it would merge with an adjacent word: a name, `-` and a letter form one word, and
/// so do two names.
pub(super) fn apart(text: &str, range: &Range<u32>, replacement: &str) -> String {
    let mut before = text.get(..range.start as usize).unwrap_or_default().chars().rev();
    let mut after = text.get(range.end as usize..).unwrap_or_default().chars();
    // A `-` joins a name before it with a letter behind it.
    let starts_name = |character: char| character.is_alphabetic() || character == '_';
    let (first, last) = (replacement.chars().next(), replacement.chars().next_back());
    let (near, far) = (before.next(), before.next());
    let in_front = match near {
        Some('-') => first.is_some_and(starts_name) && far.is_some_and(is_word),
        near => first.is_some_and(is_word) && near.is_some_and(is_word),
    };
    let (near, far) = (after.next(), after.next());
    let behind = match near {
        Some('-') => last.is_some_and(is_word) && far.is_some_and(starts_name),
        near => last.is_some_and(is_word) && near.is_some_and(is_word),
    };
    let space = |needed: bool| if needed { " " } else { "" };
    let (in_front, behind) = (space(in_front), space(behind));
    format!("{in_front}{replacement}{behind}")
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Source on one line: white space with a line end in it becomes one space. `None` where a comment is in the way.
pub(super) fn on_one_line(text: &str) -> Option<String> {
    use syntax::lexer::lex;
    use syntax::token::TokenKind;
    let mut line = String::with_capacity(text.len());
    let mut gap = String::new();
    for token in lex(text) {
        match token.kind {
            TokenKind::Whitespace | TokenKind::Newline => gap.push_str(token.text(text)),
            kind if kind.is_trivia() => return None,
            _ => {
                line.push_str(if gap.contains(['\n', '\r']) { " " } else { &gap });
                line.push_str(token.text(text));
                gap.clear();
            }
        }
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_apart() {
        let text = "a-[1]-b";
        assert_eq!(apart(text, &(2..5), "s"), " s ");
        assert_eq!(apart("(1)-[1]- 2", &(4..7), "s"), "s");
        assert_eq!(apart(text, &(2..5), "[2]"), "[2]");
        assert_eq!(apart("x[1]", &(1..4), "s"), " s");
        assert_eq!(apart("([1])", &(1..4), "s"), "s");
    }

    #[test]
    fn source_goes_on_one_line_unless_a_comment_is_in_it() {
        assert_eq!(on_one_line("[1,\r\n    2]").unwrap(), "[1, 2]");
        assert_eq!(on_one_line("[1, // one\n 2]"), None);
    }
}
