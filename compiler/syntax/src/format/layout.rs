//! Lays out an item as a document that is fitted to the width.

use pretty::{Arena, BuildDoc, DocAllocator, DocBuilder};

use super::marks::*;
use super::words::{Comment, Word};
use crate::grammar::is_binary_operator;
use crate::lexer::lex;
use crate::token::TokenKind;

/// The bytes up to which the contents of brackets are kept on one line.
const SHORT: usize = 24;

/// The indentation of nested lines.
pub(super) const INDENT: isize = 4;

/// The number of a comment at the end of a line. Its text is no part of the document, so it does not count for the
/// width.
pub(super) type EndComment = usize;

/// An annotation without a comment.
pub(super) const ANCHOR: EndComment = EndComment::MAX;

pub(super) type Doc<'arena> = DocBuilder<'arena, Arena<'arena, EndComment>, EndComment>;

/// Lays an item out.
pub(super) struct Layout<'arena, 'item: 'arena, 'source> {
    pub(super) arena: &'arena Arena<'arena, EndComment>,
    pub(super) words: &'item [Word<'source>],
    pub(super) marks: &'item Marks,
    /// For each opening bracket, the index of its closing one.
    pub(super) closing: Vec<usize>,
    /// The texts of the comments that end their lines.
    pub(super) end_comments: Vec<String>,
    /// Whether a comment has ended the line, so that a line end has to follow.
    pub(super) line_ended: bool,
    /// Whether line ends are forbidden here.
    unbroken: bool,
    /// The document of [`Gap::Soft`], which is shared by all its occurrences.
    soft: Doc<'arena>,
}

/// The space between two words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    Nothing,
    Space,
    /// A space, or a line end if the rest of the row does not fit.
    Soft,
    /// A space, or a line end if the surrounding group is broken.
    Line,
    /// Nothing, or a line end if the surrounding group is broken.
    LineOrNothing,
    Hard,
}

impl<'arena, 'item, 'source> Layout<'arena, 'item, 'source> {
    pub(super) fn new(
        arena: &'arena Arena<'arena, EndComment>,
        words: &'item [Word<'source>],
        marks: &'item Marks,
    ) -> Self {
        let mut closing = vec![words.len(); words.len()];
        let mut open = Vec::new();
        for (index, word) in words.iter().enumerate() {
            if word.kind.is_opening() {
                open.push(index);
            } else if word.kind.is_closing()
                && let Some(opening) = open.pop()
            {
                closing[opening] = index;
            }
        }
        let soft = anchored(arena, arena.softline()).nest(INDENT);
        let soft = DocBuilder(arena, BuildDoc::DocPtr(soft.into_doc()));
        Self { arena, words, marks, closing, end_comments: Vec::new(), line_ended: false, unbroken: false, soft }
    }

    /// Lays out the whole item: `length` words without the final `;`. The caller handles the comments after the last
    /// word, like those after the item.
    pub(super) fn item(&mut self, length: usize, ends_with_body: bool) -> Doc<'arena> {
        let doc = self.level(0, length);
        if ends_with_body { doc } else { doc.append(self.text(";")) }
    }

    pub(super) fn text(&self, text: &'arena str) -> Doc<'arena> {
        self.arena.text(text)
    }

    pub(super) fn nil(&self) -> Doc<'arena> {
        self.arena.nil()
    }

    /// A gap, which is a line end if a comment has ended the line.
    pub(super) fn gap(&mut self, gap: Gap) -> Doc<'arena> {
        let gap = match (std::mem::take(&mut self.line_ended), self.unbroken, gap) {
            (true, _, _) => Gap::Hard,
            (_, true, Gap::Soft | Gap::Line) => Gap::Space,
            (_, true, Gap::LineOrNothing) => Gap::Nothing,
            (_, _, gap) => gap,
        };
        let doc = match gap {
            Gap::Nothing => return self.arena.nil(),
            Gap::Space => return self.arena.space(),
            Gap::Soft => self.arena.softline(),
            Gap::Line => self.arena.line(),
            Gap::LineOrNothing => self.arena.line_(),
            Gap::Hard => self.arena.hardline(),
        };
        anchored(self.arena, doc)
    }

    /// A comment after a gap, or after a line end if it starts a line in the source.
    pub(super) fn comment(&mut self, comment: &Comment<'source>, gap: Gap) -> Doc<'arena> {
        let doc = if comment.ends_line && !comment.starts_line && !self.line_ended {
            self.end_comments.push(comment.text.to_string());
            self.nil().annotate(self.end_comments.len() - 1)
        } else {
            self.gap(if comment.starts_line { Gap::Hard } else { gap })
                .append(self.arena.text(comment.text.to_string()))
        };
        self.line_ended = comment.ends_line;
        doc
    }

    /// Comments, each after a gap.
    pub(super) fn comments(&mut self, comments: &[Comment<'source>], gap: Gap) -> Doc<'arena> {
        let mut doc = self.nil();
        for comment in comments {
            doc = doc.append(self.comment(comment, gap));
        }
        doc
    }

    /// The comments before a word, and the gap before the word.
    pub(super) fn comments_before(&mut self, word: usize, gap: Gap) -> Doc<'arena> {
        let words = self.words;
        let before = words.get(word).map_or(&[][..], |word| &*word.before);
        let doc = self.comments(before, gap);
        let gap = match gap {
            Gap::Nothing | Gap::LineOrNothing if !before.is_empty() => Gap::Space,
            _ => gap,
        };
        doc.append(self.gap(gap))
    }

    /// The comments after a word.
    pub(super) fn after_word(&mut self, word: usize) -> Doc<'arena> {
        let words = self.words;
        self.comments(words.get(word).map_or(&[], |word| &*word.after), Gap::Space)
    }

    /// Whether a space separates two neighbouring words.
    fn spaced(&self, left: usize, right: usize) -> bool {
        use TokenKind::*;
        let (Some(before), Some(after)) = (self.words.get(left), self.words.get(right)) else { return false };
        let closed = matches!(after.kind, Comma | Semicolon | CloseParen | CloseBracket | Dot | PathSeparator | DotDot)
            || matches!(before.kind, OpenParen | OpenBracket | Dot | PathSeparator | DotDot)
            || self.marks.has(left, PREFIX | SIZE_START | ANGLE_START)
            || self.marks.has(right, SUFFIX | SIZE_END | ANGLE_START | ANGLE_END)
            || after.kind == Colon && !self.marks.has(right, SPACED)
            || after.kind == Bang && before.kind == ReshapeMap;
        // Two tokens keep a space if they would be read as other tokens without it.
        !closed || reads_differently(&before.text, &after.text)
    }

    /// The words `start..end` of one bracket level, with all nested brackets. The caller handles the comments after the
    /// last word.
    pub(super) fn level(&mut self, start: usize, end: usize) -> Doc<'arena> {
        let bodies: Vec<_> = self.positions(start, end).filter(|&index| self.marks.has(index, BODY)).collect();
        if !bodies.is_empty() {
            return self.with_bodies(start, &bodies, end);
        }
        for splits in [
            |layout: &Self, index| layout.marks.has(index, CLAUSE),
            |layout: &Self, index: usize| layout.words[index].kind == TokenKind::Pipe,
        ] {
            let starts: Vec<_> =
                self.positions(start, end).filter(|&index| index > start && splits(self, index)).collect();
            if !starts.is_empty() {
                return self.stages(start, &starts, end);
            }
        }
        self.row(start, end)
    }

    /// The indices of the words `start..end` that are not inside nested brackets.
    fn positions(&self, start: usize, end: usize) -> impl Iterator<Item = usize> + use<'_, 'arena, 'item, 'source> {
        let mut next = start;
        std::iter::from_fn(move || {
            let at = next;
            if at >= end {
                return None;
            }
            // Continues at the closing bracket.
            next = if self.words[at].kind.is_opening() { self.closing[at].max(at) + 1 } else { at + 1 };
            Some(at)
        })
    }

    /// Stages of a pipeline, or clauses of an item: all on one line, or each on its own.
    fn stages(&mut self, start: usize, starts: &[usize], end: usize) -> Doc<'arena> {
        let mut from = start;
        let mut doc = self.nil();
        for (count, &to) in starts.iter().chain([&end]).enumerate() {
            if count == 0 {
                doc = self.level(from, to);
            } else {
                let after = self.after_word(from - 1);
                let gap = self.comments_before(from, Gap::Line);
                doc = doc.append(after).append(gap.append(self.level(from, to)).nest(INDENT));
            }
            from = to;
        }
        doc.group()
    }

    /// Words that are separated only by spaces and operators.
    fn row(&mut self, start: usize, end: usize) -> Doc<'arena> {
        let mut doc = self.nil();
        let mut last = None;
        let positions: Vec<_> = self.positions(start, end).collect();
        for index in positions {
            if let Some(last) = last {
                let gap = match self.spaced(last, index) {
                    false => Gap::Nothing,
                    true if self.breaks_before(index) || self.words[last].kind == TokenKind::Comma => Gap::Soft,
                    true => Gap::Space,
                };
                doc = doc.append(self.after_word(last));
                doc = doc.append(self.row_gap(index, gap));
            }
            doc = doc.append(self.word_or_bracket(index));
            last = Some(if self.words[index].kind.is_opening() { self.closing[index] } else { index });
        }
        doc
    }

    /// The gap before a word of a row.
    fn row_gap(&mut self, index: usize, gap: Gap) -> Doc<'arena> {
        let bare = self.words[index].before.is_empty() && !self.line_ended && !self.unbroken;
        match gap {
            Gap::Soft if bare => self.soft.clone(),
            Gap::Nothing | Gap::Space if bare => self.gap(gap),
            _ => self.comments_before(index, gap).nest(INDENT),
        }
    }

    /// Whether a line may end before a word.
    fn breaks_before(&self, index: usize) -> bool {
        let kind = self.words[index].kind;
        let operator = is_binary_operator(kind) && kind != TokenKind::DotDot;
        kind == TokenKind::FatArrow || operator && !self.marks.has(index, PREFIX | ANGLE_START | ANGLE_END)
    }

    /// A word, or a whole pair of brackets.
    fn word_or_bracket(&mut self, index: usize) -> Doc<'arena> {
        let words = self.words;
        let word = &words[index];
        if !word.kind.is_opening() {
            return self.text(&word.text);
        }
        self.bracket(index)
    }

    /// A pair of brackets with its elements; on one line if they are short, so that a long line is broken elsewhere.
    fn bracket(&mut self, open: usize) -> Doc<'arena> {
        let inside = &self.words[open..self.closing[open].min(self.words.len())];
        let commented = inside.iter().skip(1).any(|word| !word.before.is_empty() || !word.after.is_empty());
        let commented = commented || !inside.first().is_none_or(|word| word.after.is_empty());
        let closing = self.words.get(self.closing[open]);
        let commented = commented || closing.is_none_or(|word| !word.before.is_empty());
        let short = inside.len() <= SHORT && inside.iter().map(|word| word.text.len() + 1).sum::<usize>() <= SHORT;
        let outer = self.unbroken;
        self.unbroken |= short && !commented;
        let doc = self.breakable_bracket(open);
        self.unbroken = outer;
        doc
    }

    /// A pair of brackets with its elements, which may be broken.
    fn breakable_bracket(&mut self, open: usize) -> Doc<'arena> {
        let close = self.closing[open];
        let words = self.words;
        let edge = if words[open].kind == TokenKind::OpenBrace { Gap::Line } else { Gap::LineOrNothing };
        let mut inside = self.after_word(open);
        let ends: Vec<_> = self
            .positions(open + 1, close)
            .filter(|&at| matches!(words[at].kind, TokenKind::Comma | TokenKind::Semicolon))
            .map(|at| at + 1)
            .chain([close])
            .collect();
        // Short elements fill lines; others get a line each.
        let short = ends.len() > 1 && {
            let mut from = open + 1;
            ends.iter().all(|&to| to - std::mem::replace(&mut from, to) <= 3)
                && words[open + 1..close].iter().all(|word| !word.kind.is_opening() && word.kind != TokenKind::Colon)
        };
        let mut from = open + 1;
        for (count, &to) in ends.iter().enumerate() {
            if from == to {
                continue;
            }
            let gap = match count {
                0 => edge,
                _ if short => Gap::Soft,
                _ => Gap::Line,
            };
            inside = inside.append(self.comments_before(from, gap)).append(self.level(from, to));
            inside = inside.append(self.after_word(to - 1));
            from = to;
        }
        let empty = close == open + 1;
        let commented = words.get(close).is_some_and(|word| !word.before.is_empty());
        let words_before_close = words.get(close).map_or(&[][..], |word| &*word.before);
        inside = inside.append(self.comments(words_before_close, Gap::Space));
        let last_gap = match empty && !commented {
            true => Gap::Nothing,
            false => edge,
        };
        let last_gap = self.gap(last_gap);
        let close_text = words.get(close).map_or("", |word| &word.text);
        self.text(&words[open].text).append(inside.nest(INDENT)).append(last_gap).append(self.text(close_text)).group()
    }
}

/// A gap that can be indented without the text after it. The renderer gives a line the indentation of what follows its
/// line end; the anchor makes that the gap itself.
fn anchored<'arena>(arena: &'arena Arena<'arena, EndComment>, gap: Doc<'arena>) -> Doc<'arena> {
    gap.append(arena.nil().annotate(ANCHOR))
}

/// Whether two tokens would be read as other tokens without a space between them.
fn reads_differently(left: &str, right: &str) -> bool {
    // Only the characters at the border matter; lexing long tokens would take long.
    let (Some(last), Some(first)) = (left.chars().last(), right.chars().next()) else { return false };
    let joins = |character: char| "|&=<>-+*/%.:!".contains(character);
    if joins(last) && joins(first) && left.len() <= 2 && right.len() <= 2 {
        let text = format!("{left}{right}");
        let tokens = lex(&text);
        return tokens.len() != 2 || tokens[0].text(&text) != left;
    }
    let word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    word(last) && word(first)
}
