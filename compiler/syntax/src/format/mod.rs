//! The formatter.
//!
//! It changes only white space: all tokens and comments keep their order. There are two exceptions: a missing `;` at
//! the end of an item or statement is added, and a hyphenated word that means a subtraction (`M-N`) is split (`M - N`).
//! An item with syntax errors stays unchanged.
//!
//! Each item is laid out as a document for the width. Then the trailing comments are added to the lines of all items,
//! aligned in consecutive lines.

mod bodies;
mod hyphens;
mod layout;
mod lines;
mod marks;
mod words;

use std::borrow::Cow;

use pretty::Arena;

use self::hyphens::split_hyphens;
use self::layout::Layout;
use self::lines::{Lines, Rendered};
use self::marks::Marks;
use self::words::{Comment, Word, with_line_feeds, words};
use super::grammar::parse_item;
use super::items::{FileItem, split};
use super::lexer::{RawToken, lex};
use super::token::TokenKind;
use super::tree::ItemKind;

/// The width of lines in characters.
const WIDTH: usize = 100;

/// Formats a source. `declared` says whether a name is declared, which decides whether a hyphen is a subtraction.
pub fn format(source: &str, declared: &dyn Fn(&str) -> bool) -> String {
    format_part(source, source, declared)
}

/// Formats a part of `file` as it looks in the formatted file. The part must be the whole file, or extend from blank
/// line to blank line between items.
pub fn format_part(source: &str, file: &str, declared: &dyn Fn(&str) -> bool) -> String {
    let tokens = lex(source);
    let items = split(source, &tokens).items;
    let mut lines = Lines::default();
    let mut from = 0;
    let mut expected = Vec::new();
    for item in &items {
        between(&tokens[from..item.first as usize], source, &mut lines);
        let formatted = format_item(&tokens, item, source, declared);
        expected.push(formatted.words);
        lines.push_item(formatted.text);
        for comment in &formatted.comments {
            lines.push_comment(comment, false);
        }
        from = item.end as usize;
    }
    between(&tokens[from..], source, &mut lines);
    let mark = if source.starts_with('\u{feff}') { "\u{feff}" } else { "" };
    let formatted = format!("{mark}{}", lines.finish());
    // Text is never lost: if a token were missing, the source stays unchanged.
    if !keeps(&formatted, &expected) {
        return source.to_owned();
    }
    if ends_lines_with_crlf(file) { formatted.replace('\n', "\r\n") } else { formatted }
}

/// Whether most lines of a source end with CRLF.
fn ends_lines_with_crlf(source: &str) -> bool {
    let long = source.matches("\r\n").count();
    // CRLF was counted twice.
    let all = source.matches(['\r', '\n']).count() - long;
    long * 2 > all
}

/// The comments between two items.
fn between(tokens: &[RawToken], source: &str, lines: &mut Lines) {
    let mut newlines = 0;
    for &token in tokens {
        match token.kind {
            TokenKind::Newline => newlines += 1,
            TokenKind::Whitespace | TokenKind::ByteOrderMark | TokenKind::Semicolon => {}
            kind => {
                let comment = Comment::new(token, source, newlines);
                lines.push_comment(&comment, kind == TokenKind::UnterminatedComment);
                newlines = 0;
            }
        }
    }
    lines.end_lines(newlines);
}

/// The tokens of an item, each with its text.
type ItemWords<'text> = Vec<(TokenKind, Cow<'text, str>)>;

/// A formatted item.
struct Formatted<'source> {
    text: Rendered,
    /// The tokens that the result has to have.
    words: ItemWords<'source>,
    /// The comments after its last token.
    comments: Vec<Comment<'source>>,
}

/// Formats an item; leaves it unchanged if it has syntax errors.
fn format_item<'source>(
    tokens: &[RawToken],
    item: &'source FileItem,
    source: &'source str,
    declared: &dyn Fn(&str) -> bool,
) -> Formatted<'source> {
    let inside = &tokens[item.first as usize..item.end as usize];
    let as_it_is = || {
        let (start, end) = (inside.first().map_or(0, |token| token.start), inside.last().map_or(0, |token| token.end));
        let text = with_line_feeds(source.get(start as usize..end as usize).unwrap_or("")).into_owned();
        let tokens = &item.tokens;
        let words = tokens.kinds().enumerate().map(|(index, kind)| (kind, Cow::Borrowed(tokens.text(index)))).collect();
        Formatted { text: Rendered::plain(text), words, comments: Vec::new() }
    };
    let parse = parse_item(&item.tokens);
    let Some(tree) = parse.item.filter(|_| parse.errors.is_empty()) else { return as_it_is() };
    let length = item.tokens.len();
    let mut words = words(inside, source);
    let marks = Marks::new(&tree, &words);
    if !marks.has_braces(&words) {
        return as_it_is();
    }
    let ends_with_body = match &tree.kind {
        ItemKind::Kernel(_) => true,
        ItemKind::Function(function) => function.has_braces(),
        _ => false,
    };
    // The marks take less memory than the tree of a large item.
    drop(tree);
    split_hyphens(&mut words, &marks, declared);
    let comments = take_last_comments(&mut words, length);
    let arena = Arena::new();
    let mut layout = Layout::new(&arena, &words, &marks);
    let doc = layout.item(length, ends_with_body);
    let text = Rendered::new(&doc, WIDTH, layout.end_comments);
    let expected = item_words(&words[..length]);
    if !text.keeps(&expected, &words) {
        return as_it_is();
    }
    Formatted { text, words: expected, comments }
}

/// Removes and returns the comments after the last of `length` words, also those around its `;`. They follow the item,
/// and do not count for its width.
fn take_last_comments<'source>(words: &mut [Word<'source>], length: usize) -> Vec<Comment<'source>> {
    let (item, semicolon) = words.split_at_mut(length.min(words.len()));
    let mut comments = Vec::new();
    if let Some(last) = item.last_mut() {
        comments.append(&mut last.after.take());
    }
    for word in semicolon {
        comments.append(&mut word.before.take());
        comments.append(&mut word.after.take());
    }
    comments
}

/// The tokens of words; a hyphenated word that was split has several.
fn item_words<'source>(words: &[Word<'source>]) -> ItemWords<'source> {
    let mut tokens = Vec::with_capacity(words.len());
    for word in words {
        if word.kind == TokenKind::Name && word.text.contains(' ') {
            let text = &word.text;
            let parts = lex(text).into_iter().filter(|token| !token.kind.is_trivia());
            tokens.extend(parts.map(|token| (token.kind, Cow::Owned(token.text(text).to_owned()))));
        } else {
            tokens.push((word.kind, word.text.clone()));
        }
    }
    tokens
}

/// Whether a text has the expected items. Semicolons are not compared, since the formatter may add or remove them.
fn keeps(text: &str, expected: &[ItemWords<'_>]) -> bool {
    let items = split(text, &lex(text)).items;
    items.len() == expected.len()
        && items.iter().zip(expected).all(|(item, expected)| {
            let found = item.tokens.kinds().enumerate().map(|(index, kind)| (kind, item.tokens.text(index)));
            let expected = expected.iter().map(|(kind, text)| (*kind, &**text));
            let compared = |(kind, _): &(TokenKind, &str)| *kind != TokenKind::Semicolon;
            found.filter(compared).eq(expected.filter(compared))
        })
}

#[cfg(test)]
mod tests;
