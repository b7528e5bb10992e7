//! An item's significant tokens, each with the comments around it.

use std::borrow::Cow;
use std::ops::Deref;

use crate::lexer::RawToken;
use crate::token::TokenKind;

/// A comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Comment<'source> {
    /// Its text, with LF line ends and without white space at its end.
    pub(super) text: Cow<'source, str>,
    /// Whether it ends with its line.
    pub(super) ends_line: bool,
    /// Whether it is the first on its line.
    pub(super) starts_line: bool,
    /// Whether a blank line precedes it.
    pub(super) after_blank: bool,
}

impl<'source> Comment<'source> {
    /// A comment token, with the number of line ends between it and the previous token.
    pub(super) fn new(token: RawToken, source: &'source str, newlines: usize) -> Self {
        let ends_line = matches!(token.kind, TokenKind::LineComment | TokenKind::DocComment);
        let text = token.text(source);
        Self {
            text: if ends_line { Cow::Borrowed(text.trim_end()) } else { with_line_feeds(text) },
            ends_line,
            starts_line: newlines > 0,
            after_blank: newlines > 1,
        }
    }
}

/// A text with LF line ends.
pub(super) fn with_line_feeds(text: &str) -> Cow<'_, str> {
    match text.contains('\r') {
        true => Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")),
        false => Cow::Borrowed(text),
    }
}

/// The comments on one side of a word. Most words have none, so it takes the space of one pointer.
#[derive(Clone, Debug, Default)]
#[allow(clippy::box_collection, reason = "a vector in place would make every word three times as large")]
pub(super) struct Comments<'source>(Option<Box<Vec<Comment<'source>>>>);

impl<'source> Comments<'source> {
    fn push(&mut self, comment: Comment<'source>) {
        self.0.get_or_insert_default().push(comment);
    }

    fn append(&mut self, other: &mut Self) {
        if let Some(other) = other.0.take() {
            self.0.get_or_insert_default().extend(*other);
        }
    }

    /// Removes and returns the comments.
    pub(super) fn take(&mut self) -> Vec<Comment<'source>> {
        self.0.take().map_or_else(Vec::new, |comments| *comments)
    }
}

impl<'source> Deref for Comments<'source> {
    type Target = [Comment<'source>];

    fn deref(&self) -> &[Comment<'source>] {
        self.0.as_ref().map_or(&[], |comments| comments)
    }
}

/// A significant token with the comments around it.
#[derive(Clone, Debug)]
pub(super) struct Word<'source> {
    pub(super) kind: TokenKind,
    pub(super) text: Cow<'source, str>,
    /// The comments between it and the line of the previous token.
    pub(super) before: Comments<'source>,
    /// The comments after it on its own line.
    pub(super) after: Comments<'source>,
    /// Whether it is the first significant token on its line.
    pub(super) starts_line: bool,
    /// Whether the line ends directly before it, after a token or a comment.
    pub(super) own_line: bool,
    /// Whether a blank line directly precedes it.
    pub(super) after_blank: bool,
}

/// Collects the words of some tokens.
pub(super) fn words<'source>(tokens: &[RawToken], source: &'source str) -> Vec<Word<'source>> {
    let mut words: Vec<Word<'_>> = Vec::with_capacity(tokens.len() / 2 + 1);
    let mut before = Comments::default();
    // The number of line ends since the last token or comment, and whether there was one since the last token.
    let (mut newlines, mut starts_line) = (0, false);
    for &token in tokens {
        match token.kind {
            TokenKind::Newline => {
                newlines += 1;
                starts_line = true;
            }
            TokenKind::Whitespace | TokenKind::ByteOrderMark => {}
            kind if kind.is_trivia() => {
                let comment = Comment::new(token, source, newlines);
                let several_lines = comment.text.contains('\n');
                match words.last_mut() {
                    Some(last) if newlines == 0 && before.is_empty() => last.after.push(comment),
                    _ => before.push(comment),
                }
                newlines = 0;
                starts_line |= several_lines;
            }
            kind => {
                words.push(Word {
                    kind,
                    text: Cow::Borrowed(token.text(source)),
                    before: std::mem::take(&mut before),
                    after: Comments::default(),
                    starts_line,
                    own_line: newlines > 0,
                    after_blank: newlines > 1,
                });
                (newlines, starts_line) = (0, false);
            }
        }
    }
    // Comments at the very end belong to the last token, even on later lines.
    if let Some(last) = words.last_mut() {
        last.after.append(&mut before);
    }
    words
}
