//! Items in the body of a kernel: each is reported where it stands, and its names are known from there on.

use smol_str::SmolStr;

use super::Preparation;
use crate::error::SyntaxErrorKind;
use crate::grammar::from_c::joined;
use crate::span::Span;
use crate::token::TokenKind;

impl Preparation<'_> {
    /// Whether an item starts at a token of a kernel's body, where a statement may start.
    pub(super) fn starts_item(&self, at: usize) -> bool {
        use TokenKind::*;
        let (second, third) = (self.tokens.kind(at + 1), self.tokens.kind(at + 2));
        let named = second.is_some_and(TokenKind::is_word);
        let is_item = match self.kind(at) {
            Unit | Tiling => named && matches!(third, Some(Equal | Colon)),
            Dim => named,
            Show => second.is_some_and(|kind| {
                kind.starts_operand() && !matches!(kind, OpenParen | OpenBracket | OpenBrace | Minus | Bar)
            }),
            _ => false,
        };
        // Behind an operand, only the `;` of the statement before is missing.
        let may_start = self.starts_here() || self.previous.is_some_and(TokenKind::ends_operand);
        is_item && may_start && self.head.has_body() && self.in_body()
    }

    /// Whether a constant is defined at a token, rather than a variable of C declared.
    pub(super) fn defines(&self, at: usize) -> bool {
        let named = self.tokens.kind(at + 1).is_some_and(TokenKind::is_word);
        named && self.tokens.kind(at + 2) == Some(TokenKind::Equal)
    }

    /// Reports an item, and reads it as variables of unknown values; returns the next token to read.
    pub(super) fn item_inside(&mut self, at: usize) -> usize {
        use TokenKind::*;
        let end = self.item_end(at + 1);
        self.report(SyntaxErrorKind::ItemInsideKernel { moved: self.moved(at, end) }, at, end);
        if !self.starts_here() {
            self.push(Semicolon, at, at);
        }
        for name in self.names_of_item(at, end) {
            self.push(Let, name, name);
            self.push(Name, name, name + 1);
            self.push(Equal, name + 1, name + 1);
            self.push(Folded, name + 1, name + 1);
            self.push(Semicolon, name + 1, name + 1);
        }
        // The `;` of the item would be that of an empty statement.
        end + usize::from(self.tokens.kind(end) == Some(Semicolon))
    }

    /// The end of the item whose first word is before `from`: its `;`, the brace around it, or, where the `;` is missing,
    /// the word after an operand.
    fn item_end(&self, from: usize) -> usize {
        use TokenKind::*;
        let mut depth = 0_usize;
        for at in from..self.tokens.len() {
            let kind = self.kind(at);
            let behind_operand = at > from && self.kind(at - 1).ends_operand() && self.kind(at - 1) != Where;
            if kind.is_closing() && depth == 0 {
                return at;
            } else if kind.is_closing() {
                depth -= 1;
            } else if depth == 0 && (kind == Semicolon || behind_operand && kind.is_word() && kind != Where) {
                return at;
            } else if kind.is_opening() {
                depth += 1;
            }
        }
        self.tokens.len()
    }

    /// The places of the names that an item declares.
    fn names_of_item(&self, at: usize, end: usize) -> Vec<usize> {
        use TokenKind::*;
        match self.kind(at) {
            Show => Vec::new(),
            Dim => {
                let names = (at + 1..end).take_while(|at| self.kind(*at) != Where);
                names.filter(|at| self.kind(*at).is_word()).collect()
            }
            _ => vec![at + 1],
        }
    }

    /// The edits that move an item before the kernel, unless it uses what the kernel declares.
    fn moved(&self, at: usize, end: usize) -> Vec<(Span, SmolStr)> {
        let uses_own = (at + 1..end).any(|word| self.kind(word).is_word() && self.declares(word, at));
        let Some(text) = joined(self.tokens, at, end).filter(|_| !uses_own) else { return Vec::new() };
        let text = text.replace('{', "{ ").replace('}', " }");
        let first = self.tokens.text(0);
        let with_semicolon = end + usize::from(self.tokens.kind(end) == Some(TokenKind::Semicolon));
        vec![
            (Span::new(0, 1), SmolStr::from(format!("{text};\n{first}"))),
            (Span::new(at as u32, with_semicolon as u32), SmolStr::default()),
        ]
    }

    /// Whether the kernel declares a word before the token `until`: as a parameter, a variable or an iterator.
    fn declares(&self, word: usize, until: usize) -> bool {
        use TokenKind::*;
        let text = self.tokens.text(word);
        (1..until).filter(|at| self.kind(*at).is_word() && self.tokens.text(*at) == text).any(|at| {
            let in_tuple = || {
                let close = (at..until).find(|at| self.kind(*at) == CloseParen);
                close.is_some_and(|close| self.kind(close + 1) == In)
            };
            match self.tokens.kind(at + 1) {
                Some(Colon | Equal | In) => true,
                Some(Comma | CloseParen) => in_tuple(),
                _ => false,
            }
        })
    }
}
