//! The lines of formatted text, with the comments at their ends.

use std::fmt;

use pretty::{Arena, DocBuilder, Render, RenderAnnotated};

use super::ItemWords;
use super::keeps;
use super::layout::{ANCHOR, EndComment};
use super::words::{Comment, Word};
use crate::lexer::lex;
use crate::token::TokenKind;

/// Comments that begin to the right of this column are not aligned.
const WIDEST_COLUMN: usize = 76;

/// The text of a line, and the comment that ends it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    code: String,
    comment: Option<String>,
}

/// An item's lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rendered {
    lines: Vec<Line>,
}

impl Rendered {
    /// An unformatted text.
    pub(super) fn plain(text: String) -> Self {
        Self { lines: text.split('\n').map(|line| Line { code: line.to_owned(), comment: None }).collect() }
    }

    /// Renders a document; its annotations stand for comments at line ends.
    pub(super) fn new<'arena>(
        doc: &DocBuilder<'arena, Arena<'arena, EndComment>, EndComment>,
        width: usize,
        comments: Vec<String>,
    ) -> Self {
        let mut output = Output { text: String::new(), comments: Vec::new() };
        // Rendering to memory cannot fail. If it did, text would be missing, which `keeps` detects.
        let _ = doc.render_raw(width, &mut output);
        let mut lines = Vec::new();
        let mut start = 0;
        let mut placed = output.comments.into_iter().peekable();
        for line in output.text.split('\n') {
            let end = start + line.len();
            let mut comment = None;
            while let Some((_, number)) = placed.next_if(|(at, _)| *at <= end) {
                comment = comments.get(number).cloned();
            }
            lines.push(Line { code: line.to_owned(), comment });
            start = end + 1;
        }
        Self { lines }
    }

    /// Whether the text has the expected tokens, and all comments of the words in order.
    pub(super) fn keeps(&self, expected: &ItemWords<'_>, words: &[Word<'_>]) -> bool {
        let mut lines = Lines::default();
        lines.push_item(self.clone());
        let text = lines.finish();
        let found = lex(&text);
        let found = found.iter().filter(|token| token.kind.is_trivia()).filter_map(|token| {
            let is_comment = !matches!(token.kind, TokenKind::Whitespace | TokenKind::Newline);
            is_comment.then(|| token.text(&text))
        });
        let comments = words.iter().flat_map(|word| word.before.iter().chain(word.after.iter()));
        found.eq(comments.map(|comment| &*comment.text)) && keeps(&text, std::slice::from_ref(expected))
    }
}

/// The output of a rendered document.
struct Output {
    text: String,
    /// The position of each comment, with its number.
    comments: Vec<(usize, EndComment)>,
}

impl Render for Output {
    type Error = fmt::Error;

    fn write_str(&mut self, text: &str) -> Result<usize, fmt::Error> {
        self.text.push_str(text);
        Ok(text.len())
    }

    fn fail_doc(&self) -> fmt::Error {
        fmt::Error
    }
}

impl RenderAnnotated<'_, EndComment> for Output {
    fn push_annotation(&mut self, comment: &EndComment) -> Result<(), fmt::Error> {
        if *comment != ANCHOR {
            self.comments.push((self.text.len(), *comment));
        }
        Ok(())
    }

    fn pop_annotation(&mut self) -> Result<(), fmt::Error> {
        Ok(())
    }
}

/// The lines of a file.
#[derive(Debug, Default)]
pub(super) struct Lines {
    lines: Vec<Line>,
    /// The number of line ends in the source since the last item or comment.
    newlines: usize,
    last: Last,
    /// Whether the last comment is unterminated, so that nothing may follow it.
    unterminated: bool,
}

/// The last element, which decides what may follow on its line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Last {
    /// An item, which comments may follow.
    #[default]
    Item,
    /// A comment that ends before its line, which anything may follow.
    Comment,
    /// A comment that ends with its line, which nothing may follow.
    LineComment,
}

impl Lines {
    /// Counts line ends of the source.
    pub(super) fn end_lines(&mut self, newlines: usize) {
        self.newlines += newlines;
    }

    /// Starts a line, after a blank one if the source has one.
    fn start(&mut self, after_blank: bool) {
        if after_blank && !self.lines.is_empty() {
            self.lines.push(Line::default());
        }
        self.lines.push(Line::default());
    }

    /// Adds a comment between items.
    pub(super) fn push_comment(&mut self, comment: &Comment<'_>, unterminated: bool) {
        let same_line = !comment.starts_line && self.newlines == 0 && self.last != Last::LineComment;
        let after_blank = comment.after_blank || self.newlines > 1;
        match self.lines.last_mut() {
            Some(line) if same_line && line.comment.is_none() && comment.ends_line => {
                line.comment = Some(comment.text.to_string());
            }
            Some(line) if same_line && line.comment.is_none() => {
                line.code.push(' ');
                self.push_text(&comment.text);
            }
            _ => {
                self.start(after_blank);
                self.push_text(&comment.text);
            }
        }
        self.newlines = 0;
        self.last = if comment.ends_line { Last::LineComment } else { Last::Comment };
        self.unterminated = unterminated;
    }

    /// Appends text of one or several lines to the last line.
    fn push_text(&mut self, text: &str) {
        let mut lines = text.split('\n');
        if let (Some(line), Some(first)) = (self.lines.last_mut(), lines.next()) {
            line.code.push_str(first);
        }
        self.lines.extend(lines.map(|line| Line { code: line.to_owned(), comment: None }));
    }

    /// Adds an item.
    pub(super) fn push_item(&mut self, item: Rendered) {
        let mut lines = item.lines.into_iter();
        let first = lines.next().unwrap_or_default();
        match self.lines.last_mut() {
            // A comment directly before an item stays on the item's line.
            Some(line) if self.last == Last::Comment && self.newlines == 0 && line.comment.is_none() => {
                line.code.push(' ');
                line.code.push_str(&first.code);
                line.comment = first.comment;
            }
            _ => {
                self.start(self.newlines > 1);
                if let Some(line) = self.lines.last_mut() {
                    *line = first;
                }
            }
        }
        self.lines.extend(lines);
        (self.newlines, self.last) = (0, Last::Item);
    }

    /// The text.
    pub(super) fn finish(mut self) -> String {
        let columns = self.columns();
        let mut text = String::new();
        for (line, column) in self.lines.drain(..).zip(columns) {
            text.push_str(&line.code);
            if let Some(comment) = line.comment {
                let width = line.code.chars().count();
                text.extend(std::iter::repeat_n(' ', column.saturating_sub(width).max(1)));
                text.push_str(&comment);
            }
            text.push('\n');
        }
        if self.unterminated {
            text.pop();
        }
        text
    }

    /// The column of each line's comment, which is the same in consecutive lines.
    fn columns(&self) -> Vec<usize> {
        let widths: Vec<_> = self
            .lines
            .iter()
            .map(|line| {
                line.comment.as_ref().map(|_| line.code.chars().count()).filter(|width| *width <= WIDEST_COLUMN)
            })
            .collect();
        let mut columns = Vec::with_capacity(widths.len());
        for run in widths.chunk_by(|left, right| left.is_some() && right.is_some()) {
            let widest = run.iter().copied().flatten().max().unwrap_or(0);
            columns.extend(run.iter().map(|_| widest + 2));
        }
        columns
    }
}
