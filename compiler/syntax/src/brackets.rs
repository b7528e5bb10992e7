//! Which closing bracket belongs to which opening one, in sources where some are missing.
//!
//! The splitter and the grammar ask the same question and must give the same answer. A closing parenthesis or square
//! bracket never reaches past an open brace, so a stray `)` in a kernel's body cannot end the body; a closing
//! brace closes everything inside its own pair.

use super::token::TokenKind;

/// The brackets that are open at some point of a source.
#[derive(Debug, Default)]
pub(super) struct Brackets {
    /// The open ones, outermost first, each with a number its user gave it.
    open: Vec<(TokenKind, u32)>,
    /// How many parentheses and square brackets are open inside the innermost open brace (or outside of all).
    /// Without the counts, every stray closing bracket would have to search all that is open.
    counts: [u32; 2],
    /// The same for what is around each open brace.
    outer_counts: Vec<[u32; 2]>,
    /// How many of the open ones are no square brackets.
    others: usize,
}

impl Brackets {
    /// How many are open.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether all that are open are square brackets; also when none is.
    pub(super) fn only_square(&self) -> bool {
        self.others == 0
    }

    /// Whether a brace is open.
    pub(super) fn in_braces(&self) -> bool {
        !self.outer_counts.is_empty()
    }

    /// The innermost open one.
    pub(super) fn innermost(&self) -> Option<(TokenKind, u32)> {
        self.open.last().copied()
    }

    /// The kinds of the two innermost open ones, the innermost first.
    pub(super) fn innermost_two(&self) -> [Option<TokenKind>; 2] {
        let mut kinds = self.open.iter().rev().map(|&(kind, _)| kind);
        [kinds.next(), kinds.next()]
    }

    /// Opens one.
    pub(super) fn open(&mut self, kind: TokenKind, number: u32) {
        if kind != TokenKind::OpenBracket {
            self.others += 1;
        }
        match kind {
            TokenKind::OpenParen => self.counts[0] += 1,
            TokenKind::OpenBracket => self.counts[1] += 1,
            TokenKind::OpenBrace => self.outer_counts.push(std::mem::take(&mut self.counts)),
            _ => {}
        }
        self.open.push((kind, number));
    }

    /// How many of the innermost ones a closing bracket closes, the last of them with it and the ones before
    /// without their own; `None` if it closes none.
    pub(super) fn closed_by(&self, closing: TokenKind) -> Option<usize> {
        let (opening, exists) = match closing {
            TokenKind::CloseParen => (TokenKind::OpenParen, self.counts[0] > 0),
            TokenKind::CloseBracket => (TokenKind::OpenBracket, self.counts[1] > 0),
            TokenKind::CloseBrace => (TokenKind::OpenBrace, self.in_braces()),
            // A bar closes a size only if the size is the innermost.
            TokenKind::SizeClose => {
                return self.innermost().is_some_and(|(kind, _)| kind == TokenKind::SizeOpen).then_some(1);
            }
            _ => return None,
        };
        if !exists {
            return None;
        }
        self.open.iter().rev().position(|&(kind, _)| kind == opening).map(|above| above + 1)
    }

    /// Closes the innermost one.
    pub(super) fn close(&mut self) -> Option<(TokenKind, u32)> {
        let (kind, number) = self.open.pop()?;
        if kind != TokenKind::OpenBracket {
            self.others -= 1;
        }
        match kind {
            TokenKind::OpenParen => self.counts[0] -= 1,
            TokenKind::OpenBracket => self.counts[1] -= 1,
            TokenKind::OpenBrace => self.counts = self.outer_counts.pop().unwrap_or_default(),
            _ => {}
        }
        Some((kind, number))
    }

    /// Forgets all that is open.
    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.counts = [0; 2];
        self.outer_counts.clear();
        self.others = 0;
    }
}
