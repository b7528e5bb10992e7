//! Matches brackets in sources where some are missing.
//!
//! The splitter and the grammar both use it, since they have to agree. A closing parenthesis or square bracket never
//! matches beyond an open brace, so a stray `)` in a kernel's body cannot end the body; a closing brace closes
//! everything inside its own pair.

use super::token::TokenKind;

/// The open brackets at some point of a source.
#[derive(Debug, Default)]
pub(super) struct Brackets {
    /// The open brackets, outermost first, each with a number from the user of this type.
    open: Vec<(TokenKind, u32)>,
    /// The numbers of parentheses and square brackets that are open inside the innermost open brace (or outside all
    /// braces). Without these counts, every stray closing bracket would need a search of all open brackets.
    counts: [u32; 2],
    /// For each open brace, the counts around it.
    outer_counts: Vec<[u32; 2]>,
    /// The number of open brackets that are not square.
    others: usize,
}

impl Brackets {
    /// The number of open brackets.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether no other brackets than square ones are open.
    pub(super) fn only_square(&self) -> bool {
        self.others == 0
    }

    /// Whether a brace is open.
    pub(super) fn in_braces(&self) -> bool {
        !self.outer_counts.is_empty()
    }

    /// The innermost open bracket.
    pub(super) fn innermost(&self) -> Option<(TokenKind, u32)> {
        self.open.last().copied()
    }

    /// Whether the innermost open bracket is a brace.
    pub(super) fn innermost_is_brace(&self) -> bool {
        self.innermost().is_some_and(|(bracket, _)| bracket == TokenKind::OpenBrace)
    }

    /// The kinds of the two innermost open brackets, innermost first.
    pub(super) fn innermost_two(&self) -> [Option<TokenKind>; 2] {
        let mut kinds = self.open.iter().rev().map(|&(kind, _)| kind);
        [kinds.next(), kinds.next()]
    }

    /// Opens a bracket.
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

    /// How many of the innermost open brackets a closing bracket closes: the last of these is its partner, the others
    /// lack theirs. `None` if it has no partner.
    pub(super) fn closed_by(&self, closing: TokenKind) -> Option<usize> {
        let (opening, exists) = match closing {
            TokenKind::CloseParen => (TokenKind::OpenParen, self.counts[0] > 0),
            TokenKind::CloseBracket => (TokenKind::OpenBracket, self.counts[1] > 0),
            TokenKind::CloseBrace => (TokenKind::OpenBrace, self.in_braces()),
            // A bar closes a size only if the size is the innermost bracket.
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

    /// Closes the innermost bracket.
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

    /// Forgets all open brackets.
    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.counts = [0; 2];
        self.outer_counts.clear();
        self.others = 0;
    }
}
