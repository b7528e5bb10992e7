//! Spans of an item back to bytes.

use std::ops::Range;

use super::lexer::RawToken;
use super::span::Span;
use super::token::TokenKind;

/// Where each significant token of an item stands, counted from the item's first byte.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenRanges {
    ranges: Vec<Range<u32>>,
}

impl TokenRanges {
    /// The ranges of the first `count` significant tokens among `tokens`, whose first byte is at `start`.
    pub fn new(tokens: &[RawToken], start: u32, count: usize) -> Self {
        let significant = tokens.iter().filter(|token| !token.kind.is_trivia());
        Self { ranges: significant.map(|token| token.start - start..token.end - start).take(count).collect() }
    }

    /// The bytes of each token.
    pub fn all(&self) -> &[Range<u32>] {
        &self.ranges
    }

    /// The bytes of a span. An empty span points at the end of the token before it: what is missing there belongs to
    /// what stands there.
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
                let reads = |at| kind(at).is_some_and(|kind| kind.ends_operand() && !kind.is_closing());
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
    use super::*;
    use crate::syntax::layout::FileLayout;

    /// The ranges of the first item of a source, and where it starts.
    fn first(source: &str) -> (TokenRanges, u32) {
        let layout = FileLayout::new(source);
        (layout.ranges(0).unwrap().clone(), layout.start(0))
    }

    #[test]
    fn spans_become_bytes() {
        let source = "/* x */ a : // y\n [1, 2]; b";
        let (ranges, base) = first(source);
        let text = |start, end| {
            let range = ranges.byte_range(Span::new(start, end));
            let (start, end) = (range.start + base, range.end + base);
            (start, &source[start as usize..end as usize])
        };
        assert_eq!(text(0, 1), (8, "a"));
        assert_eq!(text(0, 7), (8, "a : // y\n [1, 2]"));
        assert_eq!(text(2, 3), (18, "["));
        assert_eq!(text(0, 0), (8, ""));
        assert_eq!(text(1, 1), (9, ""));
        assert_eq!(text(2, 2), (11, ""));
        assert_eq!(text(7, 7), (24, ""));
        // A span beyond the item is at its end.
        assert_eq!(text(9, 12), (24, ""));
    }

    #[test]
    fn a_cursor_is_on_a_token() {
        let source = "ab :[ c";
        let layout = FileLayout::new(source);
        let tokens = &layout.pieces()[0].tokens;
        let at = |offset| layout.ranges(0).unwrap().token_at(offset, |index| tokens.kind(index));
        assert_eq!(
            (0..=7).map(at).collect::<Vec<_>>(),
            [Some(0), Some(0), Some(0), Some(1), Some(2), Some(2), Some(3), Some(3)]
        );
    }
}
