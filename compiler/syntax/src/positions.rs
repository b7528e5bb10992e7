//! The byte positions of an item's spans.

use std::ops::Range;

use super::items::ItemTokens;
use super::lexer::RawToken;
use super::offsets::Offsets;
use super::span::Span;
use super::token::TokenKind;

/// The first byte of each significant token of an item, relative to the item's first byte.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TokenStarts(Offsets);

impl TokenStarts {
    /// The starts of the first `count` significant tokens among `tokens`, relative to `start`.
    pub(super) fn new(tokens: &[RawToken], start: u32, count: usize) -> Self {
        let significant = tokens.iter().filter(|token| !token.kind.is_trivia());
        Self(Offsets::new(significant.take(count).map(|token| token.start - start)))
    }

    /// The byte ranges of these tokens.
    pub(super) fn ranges<'item>(&'item self, tokens: &'item ItemTokens) -> TokenRanges<'item> {
        TokenRanges { starts: &self.0, tokens }
    }
}

/// The byte range of each significant token of an item, relative to the item's first byte.
#[derive(Clone, Copy, Debug)]
pub struct TokenRanges<'item> {
    starts: &'item Offsets,
    tokens: &'item ItemTokens,
}

impl<'item> TokenRanges<'item> {
    /// The bytes of each token.
    pub fn all(self) -> impl Iterator<Item = Range<u32>> + 'item {
        (0..self.starts.len()).filter_map(move |index| self.get(index))
    }

    /// The bytes of a token.
    fn get(&self, index: usize) -> Option<Range<u32>> {
        let start = self.starts.get(index)?;
        Some(start..start + self.tokens.bytes(index))
    }

    /// The end of the last token.
    fn end(&self) -> u32 {
        self.starts.len().checked_sub(1).and_then(|last| self.get(last)).map_or(0, |range| range.end)
    }

    /// The bytes of a span. An empty span is at the end of the token before it, where a missing token should be.
    pub fn byte_range(&self, span: Span) -> Range<u32> {
        let gap = match (span.end as usize).checked_sub(1) {
            Some(last) => self.get(last).map_or_else(|| self.end(), |range| range.end),
            None => self.starts.get(0).unwrap_or(0),
        };
        match self.starts.get(span.start as usize) {
            Some(first) if span.start < span.end => first..gap,
            _ => gap..gap,
        }
    }

    /// The token that contains a byte or ends directly before it, for a cursor at this position. Between two tokens, a
    /// word or number takes precedence over punctuation.
    pub fn token_at(&self, offset: u32) -> Option<usize> {
        let next = self.tokens_before(offset);
        let here = self.starts.get(next).is_some_and(|start| start <= offset).then_some(next);
        let before = next.checked_sub(1).filter(|before| self.get(*before).is_some_and(|range| range.end == offset));
        match (here, before) {
            (Some(here), Some(before)) => {
                let reads =
                    |at| self.tokens.kind(at).is_some_and(|kind: TokenKind| kind.ends_operand() && !kind.is_closing());
                Some(if !reads(here) && reads(before) { before } else { here })
            }
            (here, before) => here.or(before),
        }
    }

    /// The number of tokens that end at or before a byte.
    pub fn tokens_before(&self, offset: u32) -> usize {
        // Only the last token that begins before the byte may extend beyond it.
        let begun = self.starts.below(offset);
        let reaches = begun.checked_sub(1).and_then(|last| self.get(last)).is_some_and(|range| range.end > offset);
        begun - usize::from(reaches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::FileLayout;

    #[test]
    fn spans_become_bytes() {
        let source = "/* x */ a : // y\n [1, 2]; b";
        let layout = FileLayout::new(source);
        let (ranges, base) = (layout.ranges(0).unwrap(), layout.start(0));
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
        let at = |offset| layout.ranges(0).unwrap().token_at(offset);
        assert_eq!(
            (0..=7).map(at).collect::<Vec<_>>(),
            [Some(0), Some(0), Some(0), Some(1), Some(2), Some(2), Some(3), Some(3)]
        );
    }
}
