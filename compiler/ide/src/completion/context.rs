//! The context of a cursor, read from the tokens before it: text that is being typed has no useful tree.

use std::ops::Range;

use check::db::{Db, Item, SourceFile};
use syntax::items::ItemTokens;
use syntax::lexer::lex;
use syntax::span::Span;
use syntax::token::TokenKind;

/// A place where something may be completed.
pub(crate) struct Context<'db> {
    pub(crate) db: &'db dyn Db,
    pub(crate) file: SourceFile,
    /// The item of the place; at the start of an item the previous one.
    pub(crate) item: Option<Item>,
    /// How many of the item's tokens precede the word that is typed.
    pub(crate) end: usize,
    /// The bytes of the word that is typed; empty where none is.
    pub(crate) word: Range<u32>,
    /// The byte of the cursor, in the word or at its end.
    pub(crate) cursor: u32,
    /// Whether an item may start here.
    pub(crate) starts_item: bool,
    /// Whether the previous item may continue here.
    pub(crate) continues_item: bool,
    /// Whether the word is the first on its line.
    pub(crate) starts_line: bool,
}

/// The context at a byte; `None` inside of comments, strings and numbers.
pub(crate) fn context(db: &dyn Db, file: SourceFile, offset: u32) -> Option<Context<'_>> {
    let layout = file.layout(db);
    let Some(position) = layout.piece_at(offset) else {
        let gap = gap(file.text(db), 0..offset)?;
        return (!gap.in_comment).then(|| at_start(db, file, None, offset..offset, offset, false));
    };
    let item = *file.items(db).get(position)?;
    let (tokens, ranges, start) = (item.tokens(db), layout.ranges(position)?, layout.start(position));
    let bytes = |token: usize| {
        let range = ranges.byte_range(Span::new(token as u32, token as u32 + 1));
        start + range.start..start + range.end
    };
    let finished = ranges.tokens_before(offset - start);
    let touched = [finished.checked_sub(1).filter(|last| bytes(*last).end == offset), Some(finished)];
    let touched = touched.into_iter().flatten().find(|token| {
        let range = bytes(*token);
        range.start < offset && offset <= range.end
    });
    let (end, word) = match touched.map(|token| (token, tokens.kind(token))) {
        Some((token, Some(kind))) if kind.is_word() => (token, bytes(token)),
        Some((_, Some(kind))) if is_literal(kind) && !ends_string(kind, touched, offset, &bytes) => return None,
        _ => (finished, offset..offset),
    };
    let before = end.checked_sub(1).map_or(start, |last| bytes(last).end);
    let gap = gap(file.text(db), before..word.start)?;
    if gap.in_comment {
        return None;
    }
    if end == 0 {
        // The gap decides whether the previous item can continue.
        let previous = position.checked_sub(1).and_then(|previous| file.items(db).get(previous).copied());
        let continues = previous.is_some_and(|_| !ends_with_semicolon(db, file, position - 1, word.start));
        return Some(at_start(db, file, previous, word, offset, continues));
    }
    let at_end = end == tokens.len() && open_brackets(tokens, end).is_empty();
    let closed = gap.semicolon || at_end && tokens.kind(0) == Some(TokenKind::Kernel) && closes_kernel(tokens, end);
    if closed && at_end {
        return Some(at_start(db, file, Some(item), word, offset, false));
    }
    let starts_item = at_end && gap.newline && tokens.kind(end - 1).is_some_and(TokenKind::ends_operand);
    Some(Context {
        db,
        file,
        item: Some(item),
        end,
        word,
        cursor: offset,
        starts_item,
        continues_item: true,
        starts_line: gap.newline,
    })
}

impl Context<'_> {
    /// The item's tokens; at the start of an item those of the previous one.
    pub(crate) fn tokens(&self) -> Option<&ItemTokens> {
        self.item.map(|item| item.tokens(self.db))
    }

    /// The bytes of the word up to the cursor.
    pub(crate) fn typed(&self) -> Range<usize> {
        self.word.start as usize..self.cursor as usize
    }
}

fn at_start(
    db: &dyn Db,
    file: SourceFile,
    item: Option<Item>,
    word: Range<u32>,
    cursor: u32,
    continues_item: bool,
) -> Context<'_> {
    let end = item.map_or(0, |item| item.tokens(db).len());
    Context { db, file, item, end, word, cursor, starts_item: true, continues_item, starts_line: true }
}

/// The text between two tokens.
struct Gap {
    newline: bool,
    semicolon: bool,
    in_comment: bool,
}

fn gap(text: &str, range: Range<u32>) -> Option<Gap> {
    let between = text.get(range.start as usize..range.end as usize)?;
    let tokens = lex(between);
    let holds = |kind| tokens.iter().any(|token| token.kind == kind);
    let in_comment = tokens.last().is_some_and(|last| {
        matches!(last.kind, TokenKind::LineComment | TokenKind::DocComment | TokenKind::UnterminatedComment)
    });
    Some(Gap { newline: holds(TokenKind::Newline), semicolon: holds(TokenKind::Semicolon), in_comment })
}

fn ends_with_semicolon(db: &dyn Db, file: SourceFile, position: usize, until: u32) -> bool {
    let layout = file.layout(db);
    let Some(ranges) = layout.ranges(position) else { return false };
    let count = layout.pieces().get(position).map_or(0, |piece| piece.tokens.len()) as u32;
    let end = layout.start(position) + ranges.byte_range(Span::new(0, count)).end;
    gap(file.text(db), end..until).is_some_and(|gap| gap.semicolon)
}

fn is_literal(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, String | UnterminatedString | Integer | Float)
}

/// Whether a cursor is behind a terminated string.
fn ends_string(kind: TokenKind, token: Option<usize>, offset: u32, bytes: &dyn Fn(usize) -> Range<u32>) -> bool {
    kind == TokenKind::String && token.is_some_and(|token| bytes(token).end == offset)
}

fn closes_kernel(tokens: &ItemTokens, end: usize) -> bool {
    tokens.kind(end - 1) == Some(TokenKind::CloseBrace)
}

/// The brackets that are open before a token, outermost first.
pub(crate) fn open_brackets(tokens: &ItemTokens, end: usize) -> Vec<usize> {
    let mut open: Vec<usize> = Vec::new();
    for at in 0..end {
        match tokens.kind(at) {
            Some(kind) if kind.is_opening() => open.push(at),
            Some(kind) if kind.is_closing() => {
                // A missing closing bracket is supplied by the one around it.
                let pairs = |opening: &usize| tokens.kind(*opening).and_then(TokenKind::closing) == Some(kind);
                if let Some(opening) = open.iter().rposition(pairs) {
                    open.truncate(opening);
                }
            }
            _ => {}
        }
    }
    open
}
