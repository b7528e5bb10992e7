//! Source and values as short texts, for labels and lists.

use crate::syntax::lexer::lex;
use crate::syntax::token::TokenKind;

/// A source text on one line, without its comments: one up to the end of its line would take in what follows.
pub(super) fn on_one_line(text: &str) -> String {
    use TokenKind::{BlockComment, DocComment, LineComment, UnterminatedComment};
    let mut kept = String::with_capacity(text.len());
    for token in lex(text) {
        let is_comment = matches!(token.kind, LineComment | DocComment | BlockComment | UnterminatedComment);
        let written =
            if is_comment { " " } else { text.get(token.start as usize..token.end as usize).unwrap_or_default() };
        kept.push_str(written);
    }
    kept.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// A text of so many characters at most; `…` stands for what is left out.
pub(super) fn shortened(mut text: String, longest: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(longest) {
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_do_not_swallow_the_next_line() {
        assert_eq!(on_one_line("map m = a // first\n    |> b /* second */ |> c;"), "map m = a |> b |> c;");
        assert_eq!(on_one_line("use \"a//b.shape\";"), "use \"a//b.shape\";");
    }
}
