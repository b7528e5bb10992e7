//! Spans of an item back to bytes of its file.

use std::ops::Range;

use super::items::FileItem;
use super::lexer::RawToken;
use super::span::Span;
use super::token::TokenKind;

/// The bytes of one span of the item whose first token is `first`.
///
/// An empty span points at the end of the token before it: what is missing there belongs to what stands there.
/// Takes time linear in the distance; who asks more than a few times makes a [`TokenRanges`].
pub fn byte_range(tokens: &[RawToken], first: u32, span: Span) -> Range<u32> {
    let from = tokens.get(first as usize..).unwrap_or(&[]);
    let significant = from.iter().filter(|token| !token.kind.is_trivia());
    range(significant.map(|token| token.start..token.end).take(span.end.max(1) as usize), span)
}

/// The bytes of a span, given the ranges of the tokens from the item's first one on, at least up to its end.
fn range(ranges: impl Iterator<Item = Range<u32>>, span: Span) -> Range<u32> {
    let mut before = 0;
    let mut start = None;
    for (index, range) in ranges.enumerate() {
        if index == 0 {
            before = range.start;
        }
        if index as u32 == span.start && span.start < span.end {
            start = Some(range.start);
        }
        if (index as u32) < span.end {
            before = range.end;
        }
    }
    start.unwrap_or(before)..before
}

/// Where each significant token of an item stands in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRanges {
    ranges: Vec<Range<u32>>,
}

impl TokenRanges {
    /// Looks the tokens of an item up.
    pub fn new(tokens: &[RawToken], item: &FileItem) -> Self {
        let inside = tokens.get(item.first as usize..item.end as usize).unwrap_or(&[]);
        let significant = inside.iter().filter(|token| !token.kind.is_trivia());
        Self { ranges: significant.map(|token| token.start..token.end).take(item.tokens.len()).collect() }
    }

    /// The bytes of a span; see [`byte_range`].
    pub fn byte_range(&self, span: Span) -> Range<u32> {
        let gap = match (span.end as usize).checked_sub(1) {
            Some(last) => self.ranges.get(last).or(self.ranges.last()).map_or(0, |range| range.end),
            None => self.ranges.first().map_or(0, |range| range.start),
        };
        match self.ranges.get(span.start as usize) {
            Some(first) if span.start < span.end => first.start..gap,
            _ => gap..gap,
        }
    }

    /// The token that holds a byte, or ends directly before it: what a cursor there is on. At the border of two
    /// tokens a word or number wins over punctuation.
    pub fn token_at(&self, offset: u32, kind: impl Fn(usize) -> Option<TokenKind>) -> Option<usize> {
        let next = self.ranges.partition_point(|range| range.end <= offset);
        let here = self.ranges.get(next).is_some_and(|range| range.start <= offset).then_some(next);
        let before =
            next.checked_sub(1).filter(|&before| self.ranges.get(before).is_some_and(|range| range.end == offset));
        match (here, before) {
            (Some(here), Some(before)) => {
                let reads = |at| kind(at).is_some_and(|kind| kind.is_word() || kind.ends_operand());
                Some(if !reads(here) && reads(before) { before } else { here })
            }
            (here, before) => here.or(before),
        }
    }

    /// How many tokens end at or before a byte.
    pub fn tokens_before(&self, offset: u32) -> usize {
        self.ranges.partition_point(|range| range.end <= offset)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::syntax::items::split;
    use crate::syntax::lexer::lex;

    #[test]
    fn spans_become_bytes() {
        let source = "/* x */ a : // y\n [1, 2]; b";
        let tokens = lex(source);
        let item = split(source, &tokens).items.remove(0);
        let ranges = TokenRanges::new(&tokens, &item);
        let text = |start, end| {
            let range = ranges.byte_range(Span::new(start, end));
            assert_eq!(byte_range(&tokens, item.first, Span::new(start, end)), range);
            (range.start, &source[range.start as usize..range.end as usize])
        };
        assert_eq!(text(0, 1), (8, "a"));
        assert_eq!(text(0, 7), (8, "a : // y\n [1, 2]"));
        assert_eq!(text(2, 3), (18, "["));
        assert_eq!(text(0, 0), (8, ""));
        assert_eq!(text(1, 1), (9, ""));
        assert_eq!(text(2, 2), (11, ""));
        assert_eq!(text(7, 7), (24, ""));
    }

    #[test]
    fn a_cursor_is_on_a_token() {
        let source = "ab :[ c";
        let tokens = lex(source);
        let item = split(source, &tokens).items.remove(0);
        let ranges = TokenRanges::new(&tokens, &item);
        let at = |offset| ranges.token_at(offset, |index| item.tokens.kind(index));
        assert_eq!(
            (0..=7).map(at).collect::<Vec<_>>(),
            [Some(0), Some(0), Some(0), Some(1), Some(2), Some(2), Some(3), Some(3)]
        );
    }

    proptest! {
        #[test]
        fn any_span_has_bytes_in_the_file(source in "[a-z0-9 \n;:=,(){}\\[\\]é/*]{0,40}", start in 0_u32..50, length in 0_u32..50) {
            let tokens = lex(&source);
            for item in split(&source, &tokens).items {
                let range = TokenRanges::new(&tokens, &item).byte_range(Span::new(start, start + length));
                prop_assert!(range.start <= range.end && range.end as usize <= source.len());
                prop_assert!(source.get(range.start as usize..range.end as usize).is_some());
            }
        }
    }
}
