//! Where expressions and operands begin and end, before they are parsed.

use super::Preparation;
use crate::token::TokenKind;

/// The most tokens in a search that may fail; without a limit, many searches together would take long.
pub(super) const MOST_TOKENS: usize = 64;

impl Preparation<'_> {
    /// Whether an operand precedes, so that only an operator can follow.
    pub(super) fn after_operand(&self) -> bool {
        let ends = |kind: TokenKind| kind.ends_operand() && kind != TokenKind::CloseBrace;
        self.previous.is_some_and(ends) && !self.after_word_of_clause()
    }

    /// Whether an operand can start here.
    pub(super) fn before_operand(&self) -> bool {
        self.previous.is_none_or(|kind| !kind.ends_operand()) || self.after_word_of_clause()
    }

    /// Whether the previous token is a word that an operand follows. A word such as `per` is one only behind an operand:
    /// `y[i] = per * 2;` reads a variable.
    fn after_word_of_clause(&self) -> bool {
        use TokenKind::*;
        let Some(word) = self.previous.filter(|kind| comes_before_operand(*kind)) else { return false };
        let before = self.terminals.len().checked_sub(2).and_then(|before| self.terminals.get(before));
        matches!(word, If | Else) || before.is_none_or(|before| before.kind.ends_operand())
    }

    /// Removes the expression that ends here; returns the index of its first token.
    pub(super) fn expression_start(&mut self, at: usize) -> usize {
        let mut depth = 0_usize;
        let boundary = self.terminals.iter().rposition(|terminal| {
            if depth == 0 && (terminal.kind.is_opening() || bounds_expression(terminal.kind)) {
                return true;
            }
            if terminal.kind.is_closing() {
                depth += 1;
            } else if terminal.kind.is_opening() {
                depth -= 1;
            }
            false
        });
        self.terminals.truncate(boundary.map_or(0, |boundary| boundary + 1));
        self.terminals.last().map_or(0, |terminal| terminal.span.end as usize).min(at)
    }

    /// The end of the expression from a token on, at most `limit`; `ends` recognises further ends.
    pub(super) fn expression_end(&self, from: usize, limit: usize, ends: impl Fn(&Self, usize) -> bool) -> usize {
        let (mut depth, mut choices) = (0_usize, 0_usize);
        let limit = limit.min(self.tokens.len());
        for at in from..limit {
            let kind = self.kind(at);
            if depth == 0 && kind == TokenKind::Question {
                choices += 1;
            } else if depth == 0 && kind == TokenKind::Colon && choices > 0 {
                choices -= 1;
            } else if kind == TokenKind::Semicolon || depth == 0 && (bounds_expression(kind) || ends(self, at)) {
                return at;
            } else if kind.is_opening() {
                depth += 1;
            } else if kind.is_closing() {
                match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => return at,
                }
            }
        }
        limit
    }

    /// The start of the operand before a token, including calls, indices and members; `None` if it is far away.
    pub(super) fn operand_start(&self, end: usize) -> Option<usize> {
        let (mut depth, mut at) = (0_usize, end);
        loop {
            at = at.checked_sub(1).filter(|at| at + MOST_TOKENS > end)?;
            let kind = self.tokens.kind(at)?;
            if kind.is_closing() {
                depth += 1;
            } else if kind.is_opening() {
                depth = depth.checked_sub(1)?;
            }
            let before = at.checked_sub(1).and_then(|before| self.tokens.kind(before))?;
            let goes_on = match kind {
                TokenKind::OpenParen | TokenKind::OpenBracket => before.ends_operand() && !comes_before_operand(before),
                _ => kind == TokenKind::Dot || before == TokenKind::Dot,
            };
            if depth == 0 && !goes_on {
                return Some(at);
            }
        }
    }

    /// The end of the operand that starts at a token, including calls, indices and members; `None` if it is far away.
    pub(super) fn operand_end(&self, start: usize) -> Option<usize> {
        use TokenKind::*;
        let (mut depth, mut at) = (0_usize, start);
        loop {
            let kind = self.tokens.kind(at).filter(|_| at < start + MOST_TOKENS)?;
            if kind.is_opening() {
                depth += 1;
            } else if kind.is_closing() {
                depth = depth.checked_sub(1)?;
            }
            at += 1;
            let goes_on = match self.tokens.kind(at) {
                Some(OpenParen | OpenBracket | Dot) => true,
                Some(_) => depth == 0 && kind == Dot,
                None => false,
            };
            if depth == 0 && !goes_on {
                return Some(at);
            }
        }
    }
}

/// Whether a word is followed by an operand, although it may also be a name.
fn comes_before_operand(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, Assert | Show | Expect | Within | Where | In | Via | Per | If | Else)
}

/// Whether a token outside brackets always ends an expression.
fn bounds_expression(kind: TokenKind) -> bool {
    use TokenKind::*;
    let separates = matches!(kind, Comma | Semicolon | Colon | FatArrow | Pipe | OpenBrace | CloseBrace);
    let follows = matches!(kind, Let | View | For | Shared | With | Save | Masked);
    kind.assigns() || separates || follows || comes_before_operand(kind)
}
