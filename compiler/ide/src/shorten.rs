//! Source and values as short texts, for labels and lists.

use syntax::format::format;
use syntax::items::ItemTokens;
use syntax::lexer::lex;
use syntax::span::Span;
use syntax::token::TokenKind;

/// A source text on one line, without its comments: a line comment would swallow what follows.
pub(super) fn on_one_line(text: &str) -> String {
    use TokenKind::{BlockComment, DocComment, LineComment, UnterminatedComment};
    let mut kept = String::with_capacity(text.len());
    for token in lex(text) {
        let is_comment = matches!(token.kind, LineComment | DocComment | BlockComment | UnterminatedComment);
        let written =
            if is_comment { " " } else { text.get(token.start as usize..token.end as usize).unwrap_or_default() };
        kept.push_str(written);
    }
    let mut line = String::with_capacity(kept.len());
    for word in kept.split_whitespace() {
        // A bracket that began or ended a line stands close to what is in it, as in a list on one line.
        let close = line.is_empty() || line.ends_with(['(', '[']) || word.starts_with([')', ']']);
        line.push_str(if close { "" } else { " " });
        line.push_str(word);
    }
    line
}

/// An expression of an item on one line, formatted. It does not depend on positions in the file.
pub(super) fn spaced(tokens: &ItemTokens, span: Span) -> String {
    let words: Vec<&str> = (span.start..span.end).map(|token| tokens.text(token as usize)).collect();
    let formatted = format(&words.join(" "), &|_| true);
    on_one_line(formatted.trim_end().trim_end_matches(';'))
}

/// A text of at most this many characters; `…` replaces the rest.
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
    fn expressions_are_spaced_however_they_are_written() {
        use syntax::items::ItemTokens;
        let text = "tile[w+8*k,t]";
        let tokens = lex(text);
        let word = |token: &syntax::lexer::RawToken| &text[token.start as usize..token.end as usize];
        let tokens = ItemTokens::new(tokens.iter().map(|token| (token.kind, word(token))));
        assert_eq!(spaced(&tokens, Span::new(0, tokens.len() as u32)), "tile[w + 8 * k, t]");
        assert_eq!(spaced(&tokens, Span::new(2, 7)), "w + 8 * k");
    }

    #[test]
    fn comments_do_not_swallow_the_next_line() {
        assert_eq!(on_one_line("map m = a // first\n    |> b /* second */ |> c;"), "map m = a |> b |> c;");
        assert_eq!(on_one_line("use \"a//b.shape\";"), "use \"a//b.shape\";");
        assert_eq!(
            on_one_line("kernel k[B = 64](\n    x: f32[N],\n    y: f32[N]\n) {"),
            "kernel k[B = 64](x: f32[N], y: f32[N]) {"
        );
    }
}
