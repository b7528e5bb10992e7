//! Positions that survive edits: spans count an item's significant tokens, not bytes.
//!
//! White space and comments are not significant, so an edit of either keeps every span, and with it every tree and
//! every fact computed from one. Byte positions are only needed in the output of the compiler (the database has the
//! position of each token).

/// A half-open range of significant tokens, counted from the start of the item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first token.
    pub start: u32,
    /// The end of the tokens, exclusive. An empty span (`start == end`) is the gap before `start`.
    pub end: u32,
}

impl Span {
    /// The span of the tokens `start..end`.
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Whether it contains another span.
    pub fn holds(self, inner: Self) -> bool {
        self.start <= inner.start && inner.end <= self.end
    }

    /// The smallest span that contains both.
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}
