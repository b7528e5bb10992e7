//! The positions of a file's items and tokens, updated incrementally.
//!
//! A file consists of pieces, one for each item: from the item's first token to the first token of the next. A piece
//! contains no absolute position, so an edit makes new pieces where it changes the text and only moves the others. That
//! is sound because the lexer and the splitter have no state at the start of an item: what they find from there on
//! depends only on the text from there on, and the start of an item depends on the tokens before it and the first three
//! of the item. Only a kernel without its last brace may end by what follows (see [`super::items`]); it is read again
//! with any edit before the next item that no body can contain.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::items::{FileError, FileItem, ItemTokens, split};
use super::lexer::{lex, lex_part};
use super::positions::{TokenRanges, TokenStarts};

/// The tokens that decide the start of an item: one more than the splitter looks ahead.
const LOOKAHEAD: usize = 4;
/// The items beyond an edit that are read at first, in search of an unchanged item.
const FIRST_WINDOW: usize = 4;

/// An item with the white space and comments after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// The item's significant tokens.
    pub tokens: ItemTokens,
    /// The item's documentation.
    pub documentation: Option<Arc<str>>,
    /// The starts of the tokens, relative to the first.
    starts: TokenStarts,
    /// Whether no open body before it can contain it.
    firm: bool,
    /// Whether it is a kernel whose end depends on everything up to the next firm piece.
    cut: bool,
}

impl Piece {
    /// The byte ranges of the tokens, relative to the first.
    fn ranges(&self) -> TokenRanges<'_> {
        self.starts.ranges(&self.tokens)
    }
}

/// A file's pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileLayout {
    pieces: Vec<Arc<Piece>>,
    /// The first byte of each piece.
    starts: Vec<u32>,
    /// A summary of the words in each piece.
    words: Vec<WordSummary>,
    /// The errors outside items, in the order of the text.
    errors: Vec<FileError>,
}

/// The pieces that an edit replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The replaced pieces.
    pub old: Range<usize>,
    /// The new pieces.
    pub new: Range<usize>,
}

impl FileLayout {
    /// The layout of a text.
    pub fn new(text: &str) -> Self {
        Self::default().followed_by(text, 0..text.len()).0
    }

    /// The pieces, in the order of the file.
    pub fn pieces(&self) -> &[Arc<Piece>] {
        &self.pieces
    }

    /// The errors outside items.
    pub fn errors(&self) -> &[FileError] {
        &self.errors
    }

    /// The first byte of a piece; 0 if there is no such piece.
    pub fn start(&self, position: usize) -> u32 {
        self.starts.get(position).copied().unwrap_or(0)
    }

    /// The pieces that contain one of the words with these hashes (see [`ItemTokens::says_any`]), ascending.
    pub fn saying_any(&self, hashes: &FxHashSet<u32>) -> impl Iterator<Item = usize> {
        let any = WordSummary::new(hashes);
        let may_say = self.words.iter().enumerate().filter(move |(_, words)| words.meets(any));
        may_say.map(|(position, _)| position).filter(move |position| self.pieces[*position].tokens.says_any(hashes))
    }

    /// For the hash of each word, the pieces that contain it, ascending.
    pub fn sayings(&self) -> FxHashMap<u32, Vec<usize>> {
        let mut sayings: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (position, piece) in self.pieces.iter().enumerate() {
            for hash in piece.tokens.word_hashes() {
                sayings.entry(*hash).or_default().push(position);
            }
        }
        sayings
    }

    /// The byte ranges of a piece's tokens, relative to [`FileLayout::start`].
    pub fn ranges(&self, position: usize) -> Option<TokenRanges<'_>> {
        self.pieces.get(position).map(|piece| piece.ranges())
    }

    /// The piece that contains a byte, or the last one that begins before it.
    pub fn piece_at(&self, offset: u32) -> Option<usize> {
        self.starts.partition_point(|start| *start <= offset).checked_sub(1)
    }

    /// The layout after an edit. Reads only the necessary part of the text.
    pub fn edited(&self, old: &str, new: &str) -> (Self, Replaced) {
        let same_before = common_prefix(old.as_bytes(), new.as_bytes());
        let same_behind = common_suffix(&old.as_bytes()[same_before..], &new.as_bytes()[same_before..]);
        let kept = self.kept(same_before as u32);
        let moved = new.len() as i64 - old.len() as i64;
        let mut window = FIRST_WINDOW;
        loop {
            let tail = self.starts.partition_point(|start| (*start as usize) < old.len() - same_behind) + window;
            let found = match self.starts.get(tail) {
                Some(end) => self.read_window(new, kept, (i64::from(*end) + moved) as usize, same_behind, moved),
                None => Some(self.read_to_end(new, kept)),
            };
            if let Some(found) = found {
                return found;
            }
            window *= 4;
        }
    }

    /// The number of changed bytes between two texts, without their common start and end.
    pub fn bytes_between(old: &str, new: &str) -> usize {
        let before = common_prefix(old.as_bytes(), new.as_bytes());
        new.len() - before - common_suffix(&old.as_bytes()[before..], &new.as_bytes()[before..])
    }

    /// The number of pieces at the start that an edit after the first `same` bytes cannot change.
    fn kept(&self, same: u32) -> usize {
        let mut unchanged = 0;
        for position in (0..self.starts.partition_point(|start| *start < same)).rev() {
            unchanged += self.pieces[position].ranges().tokens_before((same - 1).saturating_sub(self.starts[position]));
            if unchanged >= LOOKAHEAD {
                return self.before_cut(position);
            }
        }
        0
    }

    /// The position, or that of a kernel before it whose end depends on what follows the position.
    fn before_cut(&self, position: usize) -> usize {
        let before = self.pieces[..position].iter().rposition(|piece| piece.firm || piece.cut);
        before.filter(|before| self.pieces[*before].cut).unwrap_or(position)
    }

    /// Reads from the first piece that is not kept to the end of the text.
    fn read_to_end(&self, text: &str, kept: usize) -> (Self, Replaced) {
        let (layout, _) = self.read_again(text, kept, text.len());
        let replaced = Replaced { old: kept..self.pieces.len(), new: kept..layout.pieces.len() };
        (layout, replaced)
    }

    /// Reads from the first piece that is not kept up to `end`, and keeps the old pieces from the first new piece on
    /// that equals an old one; `None` if there is none.
    fn read_window(
        &self,
        text: &str,
        kept: usize,
        end: usize,
        same_behind: usize,
        moved: i64,
    ) -> Option<(Self, Replaced)> {
        let (mut layout, cut_by_end) = self.read_again(text, kept, end);
        if cut_by_end {
            return None;
        }
        // The first new piece that starts where an old one did, with the same text from there on, equals that one
        // except for its documentation.
        let meets = |start: u32| {
            let before = u32::try_from(i64::from(start) - moved).ok()?;
            (start as usize >= text.len() - same_behind).then(|| self.starts.binary_search(&before).ok())?
        };
        let (met, old) = (kept..layout.starts.len()).find_map(|at| Some((at, meets(layout.starts[at])?)))?;
        let tokens: usize = layout.pieces[met + 1..].iter().map(|piece| piece.tokens.len()).sum();
        if tokens < LOOKAHEAD {
            return None;
        }
        layout.pieces.truncate(met + 1);
        layout.starts.truncate(met + 1);
        layout.words.truncate(met + 1);
        layout.words.extend_from_slice(&self.words[old + 1..]);
        layout.pieces.extend_from_slice(&self.pieces[old + 1..]);
        layout.starts.extend(self.starts[old + 1..].iter().map(|start| (i64::from(*start) + moved) as u32));
        // Errors stand in the order of the text. Those of the new pieces were found now, those behind them before.
        let behind = self.starts.get(old + 1).map_or(i64::MAX, |start| i64::from(*start));
        layout.errors.retain(|error| i64::from(error.range.start) < behind.saturating_add(moved));
        let behind = self.errors.partition_point(|error| i64::from(error.range.start) < behind);
        layout.errors.extend(self.errors[behind..].iter().map(|error| shifted(error, moved)));
        Some((layout, Replaced { old: kept..old + 1, new: kept..met + 1 }))
    }

    /// The kept pieces, followed by those of the text after them up to `end`, and whether that end cut a kernel.
    fn read_again(&self, text: &str, kept: usize, end: usize) -> (Self, bool) {
        if kept == 0 {
            return Self::default().followed_by(text, 0..end);
        }
        let front = Self {
            pieces: self.pieces[..kept].to_vec(),
            starts: self.starts[..kept].to_vec(),
            words: self.words[..kept].to_vec(),
            errors: self.errors[..self.errors.partition_point(|error| error.range.start < self.start(kept))].to_vec(),
        };
        let (mut layout, cut_by_end) = front.followed_by(text, self.start(kept) as usize..end);
        // The comments before the first piece that is read again are in the last kept piece, as is the line before it.
        if let (Some(first), Some(before)) = (layout.pieces.get_mut(kept), self.pieces.get(kept)) {
            let first = Arc::make_mut(first);
            first.documentation.clone_from(&before.documentation);
            first.firm = before.firm;
        }
        (layout, cut_by_end)
    }

    /// These pieces, followed by those of a part of the text that begins and ends between tokens, and whether its end cut
    /// a kernel.
    fn followed_by(mut self, text: &str, part: Range<usize>) -> (Self, bool) {
        let from = part.start as u32;
        let text = text.get(part).unwrap_or("");
        let tokens = if from == 0 { lex(text) } else { lex_part(text) };
        let found = split(text, &tokens);
        self.errors.extend(found.errors.iter().map(|error| shifted(error, i64::from(from))));
        for FileItem { tokens: significant, doc: documentation, first, end, firm, cut } in found.items {
            let inside = &tokens[first as usize..end as usize];
            let start = inside.first().map_or(0, |token| token.start);
            let starts = TokenStarts::new(inside, start, significant.len());
            self.words.push(WordSummary::new(significant.word_hashes()));
            self.pieces.push(Arc::new(Piece { tokens: significant, documentation, starts, firm, cut }));
            self.starts.push(from + start);
        }
        (self, found.cut_by_end)
    }
}

/// A Bloom filter of words, with one bit for each. It rules out most pieces without a look at their words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WordSummary(u64);

impl WordSummary {
    fn new<'hash>(hashes: impl IntoIterator<Item = &'hash u32>) -> Self {
        Self(hashes.into_iter().fold(0, |bits, hash| bits | 1 << (hash % u64::BITS)))
    }

    fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

fn shifted(error: &FileError, by: i64) -> FileError {
    let shift = |at: u32| (i64::from(at) + by) as u32;
    FileError { kind: error.kind, range: shift(error.range.start)..shift(error.range.end) }
}

/// The length of the common start of two texts. Compares whole blocks first, since most of a file is equal.
fn common_prefix(left: &[u8], right: &[u8]) -> usize {
    const BLOCK: usize = 256;
    let blocks = left.chunks_exact(BLOCK).zip(right.chunks_exact(BLOCK));
    let same = blocks.take_while(|(left, right)| left == right).count() * BLOCK;
    same + left[same..].iter().zip(&right[same..]).take_while(|(left, right)| left == right).count()
}

/// The length of the common end of two texts.
fn common_suffix(left: &[u8], right: &[u8]) -> usize {
    const BLOCK: usize = 256;
    let blocks = left.rchunks_exact(BLOCK).zip(right.rchunks_exact(BLOCK));
    let same = blocks.take_while(|(left, right)| left == right).count() * BLOCK;
    let rest = |text: &[u8]| text.len() - same;
    let ends = left[..rest(left)].iter().rev().zip(right[..rest(right)].iter().rev());
    same + ends.take_while(|(left, right)| left == right).count()
}

#[cfg(test)]
mod tests;
