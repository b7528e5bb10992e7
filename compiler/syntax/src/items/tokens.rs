//! The tokens of one item, without positions.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::{FxHashSet, FxHasher};

use crate::offsets::Offsets;
use crate::token::TokenKind;

/// The kinds and texts of an item's significant tokens, without positions.
///
/// Two items that differ only in white space and comments are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ItemTokens(Arc<Tokens>);

#[derive(Debug, Default, PartialEq, Eq, Hash)]
struct Tokens {
    /// Each token's kind.
    kinds: Box<[TokenKind]>,
    /// The end of each token's text.
    ends: Offsets,
    /// The concatenated texts.
    text: Box<str>,
    /// The hashes of all words, and of the parts of hyphenated words, ascending.
    words: Box<[u32]>,
}

/// The hash of a word for [`ItemTokens::says_any`].
pub fn word_hash(word: &str) -> u32 {
    let mut hasher = FxHasher::default();
    word.hash(&mut hasher);
    // The upper half of this hash is better distributed.
    (hasher.finish() >> 32) as u32
}

impl ItemTokens {
    /// Collects tokens from their kinds and texts.
    pub fn new<'text>(tokens: impl IntoIterator<Item = (TokenKind, &'text str)>) -> Self {
        let mut text = String::new();
        let tokens: Vec<_> = tokens
            .into_iter()
            .map(|(kind, part)| {
                text.push_str(part);
                (kind, text.len() as u32)
            })
            .collect();
        Self::collected(&tokens, text)
    }

    /// Makes tokens from their kinds, the ends of their texts, and the concatenated texts.
    pub(super) fn collected(tokens: &[(TokenKind, u32)], text: String) -> Self {
        let kinds = tokens.iter().map(|(kind, _)| *kind).collect();
        let ends = Offsets::new(tokens.iter().map(|(_, end)| *end));
        let words = hashes_of_words(tokens, &text);
        Self(Arc::new(Tokens { kinds, ends, text: text.into(), words }))
    }

    /// The hashes of all words, and of the parts of hyphenated words, ascending.
    pub(crate) fn word_hashes(&self) -> &[u32] {
        &self.0.words
    }

    /// Whether one of the words with these hashes may occur. `false` is always right.
    pub fn says_any(&self, hashes: &FxHashSet<u32>) -> bool {
        // Looks up the smaller set in the larger one.
        match hashes.len() < self.0.words.len() {
            true => hashes.iter().any(|hash| self.0.words.binary_search(hash).is_ok()),
            false => self.0.words.iter().any(|word| hashes.contains(word)),
        }
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.0.kinds.len()
    }

    /// Whether there are no tokens; an item of a file is never empty.
    pub fn is_empty(&self) -> bool {
        self.0.kinds.is_empty()
    }

    /// The total length of the texts, in bytes.
    pub fn total_bytes(&self) -> usize {
        self.0.text.len()
    }

    /// The kind of a token.
    pub fn kind(&self, index: usize) -> Option<TokenKind> {
        self.0.kinds.get(index).copied()
    }

    /// All kinds.
    pub fn kinds(&self) -> impl ExactSizeIterator<Item = TokenKind> + '_ {
        self.0.kinds.iter().copied()
    }

    /// The text of a token; empty if there is no such token.
    pub fn text(&self, index: usize) -> &str {
        &self.0.text[self.start(index)..self.start(index + 1)]
    }

    /// The length of a token's text, in bytes; 0 if there is no such token.
    pub fn bytes(&self, index: usize) -> u32 {
        (self.start(index + 1) - self.start(index)) as u32
    }

    /// The start of a token in the concatenated texts.
    fn start(&self, index: usize) -> usize {
        let end_of = |index: usize| self.0.ends.get(index).map_or(self.0.text.len(), |end| end as usize);
        index.checked_sub(1).map_or(0, end_of)
    }
}

fn hashes_of_words(tokens: &[(TokenKind, u32)], text: &str) -> Box<[u32]> {
    let mut hashes = Vec::with_capacity(tokens.len());
    let mut start = 0;
    for &(kind, end) in tokens {
        let word = &text[start..end as usize];
        start = end as usize;
        if kind.is_word() {
            hashes.push(word_hash(word));
            if word.contains('-') {
                hashes.extend(word.split('-').map(word_hash));
            }
        }
    }
    hashes.sort_unstable();
    hashes.dedup();
    hashes.into()
}
