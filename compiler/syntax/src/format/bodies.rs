//! Formats bodies: braces and the statements in them.

use pretty::DocAllocator;

use super::layout::{Doc, Gap, INDENT, Layout};
use super::words::{Comment, Word};
use crate::token::TokenKind;

impl<'arena, 'source> Layout<'arena, '_, 'source> {
    /// Formats words with bodies among them. The words between bodies are laid out separately, so that line breaks in a
    /// body cause none outside.
    pub(super) fn with_bodies(&mut self, start: usize, bodies: &[usize], end: usize) -> Doc<'arena> {
        let mut doc = self.nil();
        let mut from = start;
        let words = |doc: Doc<'arena>, layout: &mut Self, from: usize, to: usize| {
            if from >= to {
                return doc;
            }
            let gap = if from > start { layout.comments_before(from, Gap::Space) } else { layout.nil() };
            let doc = doc.append(gap).append(layout.level(from, to));
            if to < end { doc.append(layout.after_word(to - 1)) } else { doc }
        };
        // The bodies of one statement are either all on its line or all on lines of their own.
        let on_one_line = bodies.iter().all(|&body| self.is_on_one_line(body));
        for &body in bodies {
            doc = words(doc, self, from, body);
            if body > start {
                doc = doc.append(self.comments_before(body, Gap::Space));
            }
            doc = doc.append(self.body(body, on_one_line, bodies.len() == 1));
            from = self.closing[body] + 1;
            if from < end {
                doc = doc.append(self.after_word(from - 1));
            }
        }
        let doc = words(doc, self, from, end);
        if on_one_line && bodies.len() > 1 { doc.group() } else { doc }
    }

    /// Whether a body has at most one statement, no comments, and is on one line in the source.
    fn is_on_one_line(&self, open: usize) -> bool {
        let close = self.closing[open];
        let bare = |word: &Word<'_>| word.before.is_empty() && !word.starts_line;
        self.marks.statements(open).len() <= 1
            && self.words[open..close].iter().all(|word| word.after.is_empty())
            && self.words.get(open + 1..=close).is_some_and(|words| words.iter().all(bare))
    }

    /// Formats braces and the statements in them.
    fn body(&mut self, open: usize, on_one_line: bool, alone: bool) -> Doc<'arena> {
        let close = self.closing[open];
        let marks = self.marks;
        let words = self.words;
        let statements = marks.statements(open);
        if on_one_line {
            let Some(only) = statements.first() else { return self.text("{}") };
            let (start, end) = (only.span.start as usize, only.span.end as usize);
            let inside = self.arena.line().append(self.terminated(start, end, !only.ends_alone));
            let doc = self.text("{").append(inside.nest(INDENT)).append(self.arena.line()).append(self.text("}"));
            return if alone { doc.group() } else { doc };
        }
        if close == open + 1
            && words[open].after.is_empty()
            && words.get(close).is_some_and(|word| word.before.is_empty())
        {
            return self.text("{}");
        }
        let mut inside = self.after_word(open);
        let mut from = open + 1;
        let mut first = true;
        for statement in statements {
            let (start, end) = (statement.span.start as usize, statement.span.end as usize);
            inside = inside.append(self.own_lines(from, start, &mut first));
            inside = inside.append(self.terminated(start, end, !statement.ends_alone));
            from = end;
            // Skips the `;` of this statement, whose comments `terminated` has written.
            if !statement.ends_alone && words.get(from).is_some_and(|word| word.kind == TokenKind::Semicolon) {
                from += 1;
            }
        }
        // Only semicolons and comments are left.
        inside = inside.append(self.left_over(from, close, &mut first));
        let closing_comments = words.get(close).map_or(&[][..], |word| &word.before);
        inside = inside.append(self.own_comments(closing_comments, &mut first));
        self.line_ended = false;
        self.text("{").append(inside.nest(INDENT)).append(self.arena.hardline()).append(self.text("}"))
    }

    /// A line end, after a blank line if the source has one.
    fn own_line(&mut self, after_blank: bool, first: &mut bool) -> Doc<'arena> {
        self.line_ended = false;
        let blank = after_blank && !std::mem::replace(first, false);
        *first = false;
        let start = if blank { self.text("\n") } else { self.nil() };
        start.append(self.arena.hardline())
    }

    /// The comments between two statements, and the line end before the second one.
    fn own_lines(&mut self, from: usize, start: usize, first: &mut bool) -> Doc<'arena> {
        let words = self.words;
        let mut doc = self.left_over(from, start, first);
        let Some(word) = words.get(start) else { return doc };
        doc = doc.append(self.own_comments(&word.before, first));
        let glued = word.before.last().is_some_and(|comment| !comment.ends_line) && !word.own_line;
        match glued {
            true => doc.append(self.arena.space()),
            false => doc.append(self.own_line(word.after_blank, first)),
        }
    }

    /// Comments on lines of their own, except those that share a line.
    fn own_comments(&mut self, comments: &[Comment<'source>], first: &mut bool) -> Doc<'arena> {
        let mut doc = self.nil();
        let mut glued = false;
        for comment in comments {
            doc = match glued && !comment.starts_line {
                true => doc.append(self.comment(comment, Gap::Space)),
                false => doc
                    .append(self.own_line(comment.after_blank, first))
                    .append(self.arena.text(comment.text.to_string())),
            };
            glued = !comment.ends_line;
        }
        doc
    }

    /// The comments around redundant semicolons.
    fn left_over(&mut self, from: usize, end: usize, first: &mut bool) -> Doc<'arena> {
        let words = self.words;
        let mut doc = self.nil();
        for word in words.get(from..end).unwrap_or(&[]) {
            doc = doc.append(self.own_comments(&word.before, first));
            doc = doc.append(self.own_comments(&word.after, first));
        }
        doc
    }

    /// The words `start..end` and the `;` after them, which is added if it is missing. Comments around the `;` go after
    /// it.
    fn terminated(&mut self, start: usize, end: usize, semicolon: bool) -> Doc<'arena> {
        let words = self.words;
        let mut doc = self.level(start, end);
        if semicolon {
            doc = doc.append(self.text(";"));
        }
        doc = doc.append(self.after_word(end.saturating_sub(1)));
        if let Some(mark) = words.get(end)
            && semicolon
            && mark.kind == TokenKind::Semicolon
        {
            doc = doc.append(self.comments(&mark.before, Gap::Space));
            doc = doc.append(self.comments(&mark.after, Gap::Space));
        }
        doc
    }
}
