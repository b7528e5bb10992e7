//! The input, state and errors of the chumsky parsers.
//!
//! The input owns its tokens, so the parsers borrow nothing, and one instance of them parses all items of a thread.

use std::ops::Range;
use std::sync::Arc;

use chumsky::DefaultExpected;
use chumsky::error::{Error, LabelError};
use chumsky::extra::{Full, SimpleState};
use chumsky::input::{Input, ValueInput};
use chumsky::prelude::Boxed;
use chumsky::util::MaybeRef;

use super::prepare::Terminal;
use crate::error::{Expected, SyntaxErrorKind};
use crate::items::ItemTokens;
use crate::span::Span;
use crate::token::TokenKind;
use crate::wanted::Wanted;

/// The tokens of one item.
pub(super) struct Terminals {
    pub(super) all: Arc<[Terminal]>,
    /// Whether the tree is still wanted; if not, the tokens end early.
    pub(super) wanted: Wanted,
}

/// The number of tokens between two polls of `wanted`.
const BETWEEN_LOOKS: usize = 1024;

impl Terminals {
    /// The next token; advances the cursor.
    fn next(&self, cursor: &mut usize) -> Option<TokenKind> {
        let terminal = self.all.get(*cursor)?;
        if cursor.is_multiple_of(BETWEEN_LOOKS) && !self.wanted.is_wanted() {
            return None;
        }
        *cursor += 1;
        Some(terminal.kind)
    }

    /// The position of the gap before a token.
    fn gap(&self, at: usize) -> u32 {
        match (self.all.get(at), self.all.last()) {
            (Some(terminal), _) => terminal.span.start,
            (None, Some(last)) => last.span.end,
            (None, None) => 0,
        }
    }
}

impl Input<'static> for Terminals {
    type Span = Span;
    type Token = TokenKind;
    type MaybeToken = TokenKind;
    type Cursor = usize;
    type Cache = Self;

    fn begin(self) -> (usize, Self) {
        (0, self)
    }

    fn cursor_location(cursor: &usize) -> usize {
        *cursor
    }

    unsafe fn next_maybe(cache: &mut Self, cursor: &mut usize) -> Option<TokenKind> {
        Terminals::next(cache, cursor)
    }

    unsafe fn span(cache: &mut Self, range: Range<&usize>) -> Span {
        let start = cache.gap(*range.start);
        let last = range.end.checked_sub(1).filter(|last| last >= range.start);
        let end = last.and_then(|last| cache.all.get(last)).map_or(start, |terminal| terminal.span.end);
        Span::new(start, end.max(start))
    }
}

impl ValueInput<'static> for Terminals {
    unsafe fn next(cache: &mut Self, cursor: &mut usize) -> Option<TokenKind> {
        Terminals::next(cache, cursor)
    }
}

impl chumsky::span::Span for Span {
    type Context = ();
    type Offset = u32;

    fn new((): (), range: Range<u32>) -> Self {
        Span::new(range.start, range.end)
    }

    fn context(&self) {}

    fn start(&self) -> u32 {
        self.start
    }

    fn end(&self) -> u32 {
        self.end
    }
}

/// An error of the parsers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Failure {
    pub(super) kind: SyntaxErrorKind,
    pub(super) span: Span,
    pub(super) expected: Option<Expected>,
}

impl Failure {
    /// An unexpected token.
    pub(super) fn expected(expected: Expected, span: Span) -> Self {
        Self { kind: SyntaxErrorKind::Unexpected, span, expected: Some(expected) }
    }

    /// An error of a specific kind.
    pub(super) fn new(kind: SyntaxErrorKind, span: Span) -> Self {
        Self { kind, span, expected: None }
    }
}

impl LabelError<'static, Terminals, DefaultExpected<'static, TokenKind>> for Failure {
    fn expected_found<E: IntoIterator<Item = DefaultExpected<'static, TokenKind>>>(
        _: E,
        _: Option<MaybeRef<'static, TokenKind>>,
        span: Span,
    ) -> Self {
        Self { kind: SyntaxErrorKind::Unexpected, span, expected: None }
    }
}

impl Error<'static, Terminals> for Failure {
    fn merge(self, other: Self) -> Self {
        if self.expected.is_some() { self } else { other }
    }
}

/// The state of the parsers: the texts of the item.
pub(super) type Extra = Full<Failure, SimpleState<ItemTokens>, ()>;

/// A boxed parser, which keeps types and compile times small.
pub(super) type Of<Output> = Boxed<'static, 'static, Terminals, Output, Extra>;

/// The context of a parser's result: its span, the texts of the item, and the errors.
pub(super) type With<'parse> = chumsky::input::MapExtra<'static, 'parse, Terminals, Extra>;
