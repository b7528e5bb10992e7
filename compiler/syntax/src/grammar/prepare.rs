//! Prepares an item's tokens for the grammar.
//!
//! The grammar never has to search for a bracket: missing ones are added (as empty tokens) and superfluous ones are
//! removed, each with an error. So every list ends with its bracket, and errors in one list do not affect others.
//! Further, each single `|` becomes the start of a size, its end, or the bar of a `reshape_map`; misspelt words get the
//! kind of the intended word; syntax of other languages is reported; and parts that are nested too deeply or are too
//! long become one token.

mod cuda_tiles;
mod declarations;
mod foreign;
mod foreign_items;
mod foreign_signs;
mod foreign_statements;
mod inner_items;
mod operands;
mod signs;
mod words;

use self::foreign_statements::ColonBody;
use self::words::nearest;
use crate::brackets::Brackets;
use crate::error::{MAX_KERNEL_TOKENS, MAX_NESTING, SyntaxErrorKind};
use crate::head::{Head, head_of};
use crate::items::ItemTokens;
use crate::span::Span;
use crate::token::TokenKind;

/// A token as the grammar sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Terminal {
    /// Its kind.
    pub(super) kind: TokenKind,
    /// Its tokens in the item; empty for an added bracket.
    pub(super) span: Span,
}

/// An item prepared for the grammar.
pub(super) struct Prepared {
    /// The kind of the item.
    pub(super) head: Head,
    /// Its tokens, with paired brackets.
    pub(super) terminals: Vec<Terminal>,
    /// The errors.
    pub(super) errors: Vec<(SyntaxErrorKind, Span)>,
    /// Where something is left out that has been reported, so that its absence is no other error.
    pub(super) left_out: Vec<u32>,
}

/// Prepares an item.
pub(super) fn prepare(tokens: &ItemTokens) -> Prepared {
    let mut preparation = Preparation {
        tokens,
        head: Head::Expression,
        brackets: Brackets::default(),
        ifs: vec![0],
        previous: None,
        bound_of: None,
        folded_from: None,
        fold_is_unclosed: false,
        terminals: Vec::with_capacity(tokens.len() + 4),
        errors: Vec::new(),
        colon_bodies: Vec::new(),
        left_out: Vec::new(),
    };
    preparation.run();
    let Preparation { head, terminals, errors, left_out, .. } = preparation;
    Prepared { head, terminals, errors, left_out }
}

struct Preparation<'item> {
    tokens: &'item ItemTokens,
    head: Head,
    brackets: Brackets,
    /// For each open bracket and outside brackets: the number of `if`s without their `{`.
    ifs: Vec<u32>,
    /// The previous kind, as the grammar sees it.
    previous: Option<TokenKind>,
    /// Behind a `while` whose bound is still to come: the number of brackets around it.
    bound_of: Option<usize>,
    /// The start of the last part that is nested too deeply.
    folded_from: Option<u32>,
    /// Whether a part that is nested too deeply is never closed; then the open brackets around it are not reported.
    fold_is_unclosed: bool,
    terminals: Vec<Terminal>,
    errors: Vec<(SyntaxErrorKind, Span)>,
    /// The bodies behind colons that have not ended, outermost first.
    colon_bodies: Vec<ColonBody>,
    /// Where something is left out that has been reported.
    left_out: Vec<u32>,
}

impl Preparation<'_> {
    fn run(&mut self) {
        let mut at = self.foreign_item().unwrap_or_default();
        while at < self.tokens.len() {
            self.end_colon_bodies(at);
            let kind = self.kind(at);
            if kind == TokenKind::Unknown {
                at = self.unknown(at);
                continue;
            }
            if at == 0 {
                self.start(kind);
            } else if self.brackets.depth() <= MAX_NESTING
                && let Some(next) = self.foreign(kind, at)
            {
                at = next;
                continue;
            } else {
                self.token(kind, at);
            }
            at = if self.starts_long_body(kind) { self.long_body(at + 1) } else { at + 1 };
        }
        self.close_to(0, at);
    }

    /// Whether the bracket that was just opened starts a body that is too long.
    fn starts_long_body(&self, kind: TokenKind) -> bool {
        kind == TokenKind::OpenBrace
            && self.head.has_body()
            && self.brackets.depth() == 1
            && self.tokens.len() > MAX_KERNEL_TOKENS
    }

    /// Leaves out a kernel's whole body; returns the index of the brace that closes it.
    fn long_body(&mut self, from: usize) -> usize {
        self.report(SyntaxErrorKind::TooLong, 0, 2);
        let last = self.tokens.len() - 1;
        let end = if self.kind(last) == TokenKind::CloseBrace { last } else { last + 1 };
        self.push(TokenKind::Folded, from, end);
        end
    }

    /// Whether the current place is inside a kernel's body.
    fn in_body(&self) -> bool {
        self.brackets.innermost().is_some_and(|(bracket, _)| bracket == TokenKind::OpenBrace)
    }

    fn kind(&self, at: usize) -> TokenKind {
        self.tokens.kind(at).unwrap_or(TokenKind::Unknown)
    }

    fn report(&mut self, kind: SyntaxErrorKind, start: usize, end: usize) {
        self.errors.push((kind, Span::new(start as u32, end as u32)));
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        self.previous = Some(kind);
        if self.brackets.depth() <= MAX_NESTING {
            self.terminals.push(Terminal { kind, span: Span::new(start as u32, end as u32) });
        }
    }

    /// Reports the unknown characters from `at` on and leaves them out.
    fn unknown(&mut self, at: usize) -> usize {
        let mut end = at + 1;
        while end < self.tokens.len() && self.kind(end) == TokenKind::Unknown {
            end += 1;
        }
        self.report(SyntaxErrorKind::UnknownCharacter, at, end);
        // As an operator, it would have bound what stands on both sides.
        let operand_follows = self.tokens.kind(end).is_some_and(TokenKind::starts_operand);
        if at > 0 && operand_follows && self.after_operand() {
            let start = self.expression_start(at).min(at);
            let end = self.expression_end(end, usize::MAX, |_, _| false);
            self.push(TokenKind::Folded, start, end);
            return end;
        }
        end
    }

    /// Handles the first token, which decides the kind of the item.
    fn start(&mut self, kind: TokenKind) {
        let (second, third) = (self.tokens.kind(1), self.tokens.kind(2));
        self.head = head_of(kind, second, third);
        if self.head == Head::Expression && kind == TokenKind::Name && second.is_some_and(TokenKind::is_word) {
            use TokenKind::*;
            let meant = [Kernel, Run, Map, Mdspan, Dim, Const, Unit, Tiling, Assert, Show];
            if let Some(meant) = nearest(self.tokens.text(0), &meant) {
                self.report(SyntaxErrorKind::MisspeltWord { suggestion: meant }, 0, 1);
                self.head = head_of(meant, second, third);
                return self.token(meant, 0);
            }
        }
        self.token(kind, 0);
    }

    fn token(&mut self, kind: TokenKind, at: usize) {
        match kind {
            TokenKind::UnterminatedString => self.report(SyntaxErrorKind::UnterminatedString, at, at + 1),
            TokenKind::Semicolon => {
                self.semicolon(at);
                // The `;` would have ended the item if its brackets had been closed.
                if self.brackets.depth() == 0 {
                    return;
                }
            }
            TokenKind::OpenBrace => self.brace(at),
            TokenKind::If => self.expect_brace(),
            TokenKind::While if self.starts_here() => self.bound_of = Some(self.brackets.depth()),
            // An index contains no assignment, so it should have ended: `ys[i = 3;`.
            kind if kind.assigns()
                && self.brackets.innermost_two() == [TokenKind::OpenBracket, TokenKind::OpenBrace].map(Some) =>
            {
                self.close_to_brace(at);
            }
            _ if self.starts_statement(kind, at) => self.close_to_brace(at),
            _ => {}
        }
        match kind {
            TokenKind::Bar => match self.bar(at) {
                TokenKind::Bar => self.push(TokenKind::Bar, at, at + 1),
                size => self.size(size, at),
            },
            TokenKind::OrOr => match self.two_bars(at) {
                TokenKind::OrOr => self.push(TokenKind::OrOr, at, at + 1),
                size => {
                    self.size(size, at);
                    self.size(size, at);
                }
            },
            kind if kind.is_opening() => self.open(kind, at),
            kind if kind.is_closing() => self.close(kind, at),
            TokenKind::Name => {
                let kind = self.statement_word(at).unwrap_or(kind);
                self.push(kind, at, at + 1);
            }
            kind => self.push(kind, at, at + 1),
        }
    }

    /// Records an `if`, which needs a `{`.
    fn expect_brace(&mut self) {
        if let Some(ifs) = self.ifs.last_mut() {
            *ifs += 1;
        }
    }

    fn size(&mut self, kind: TokenKind, at: usize) {
        if kind == TokenKind::SizeOpen { self.open(kind, at) } else { self.close(kind, at) }
    }

    fn open(&mut self, kind: TokenKind, at: usize) {
        self.brackets.open(kind, at as u32);
        self.ifs.push(0);
        if self.brackets.depth() == MAX_NESTING + 1 {
            // An item that is too deep is too deep in many places: `if (…) {` opens two brackets.
            if self.folded_from.is_none() {
                self.report(SyntaxErrorKind::TooDeeplyNested, at, at + 1);
            }
            self.folded_from = Some(at as u32);
        }
        self.push(kind, at, at + 1);
    }

    fn close(&mut self, kind: TokenKind, at: usize) {
        match self.brackets.closed_by(kind) {
            None => self.report(SyntaxErrorKind::UnopenedBracket, at, at + 1),
            Some(count) => {
                self.close_to(self.brackets.depth() + 1 - count, at);
                self.close_innermost(at, at + 1);
            }
        }
    }

    /// Closes the innermost bracket with the tokens `start..end`, which are empty if its closing bracket is missing.
    fn close_innermost(&mut self, start: usize, end: usize) {
        let Some((opening, _)) = self.brackets.innermost() else {
            return;
        };
        self.ifs.pop();
        if self.brackets.depth() == MAX_NESTING + 1 {
            self.brackets.close();
            self.push(TokenKind::Folded, self.folded_from.unwrap_or_default() as usize, end);
        } else {
            self.push(opening.closing().unwrap_or(opening), start, end);
            self.brackets.close();
        }
    }

    /// Adds closing brackets before the token `at` until only `depth` brackets are open.
    fn close_to(&mut self, depth: usize, at: usize) {
        while self.brackets.depth() > depth {
            let Some((bracket, opening)) = self.brackets.innermost() else {
                return;
            };
            if self.brackets.depth() > MAX_NESTING {
                self.fold_is_unclosed = true;
            } else if !self.fold_is_unclosed {
                let opening = opening as usize;
                let swallowed_by_pipe =
                    bracket == TokenKind::SizeOpen && (opening..at).any(|at| self.kind(at) == TokenKind::Pipe);
                let opening = Span::new(opening as u32, opening as u32 + 1);
                let kind = SyntaxErrorKind::UnclosedBracket { opening, bracket, swallowed_by_pipe };
                self.report(kind, at, at);
            }
            self.close_innermost(at, at);
        }
    }

    /// Closes everything inside the innermost brace.
    fn close_to_brace(&mut self, at: usize) {
        while let Some((bracket, _)) = self.brackets.innermost() {
            if bracket == TokenKind::OpenBrace {
                break;
            }
            self.close_to(self.brackets.depth() - 1, at);
        }
    }

    /// A `;` closes all brackets that cannot contain one: all but the parentheses of a unit.
    fn semicolon(&mut self, at: usize) {
        let in_unit = self.brackets.depth() > 0 && self.closes_before_statement(at);
        while let Some((bracket, _)) = self.brackets.innermost() {
            if bracket == TokenKind::OpenBrace || bracket == TokenKind::OpenParen && in_unit {
                break;
            }
            self.close_to(self.brackets.depth() - 1, at);
        }
    }

    /// Whether the parenthesis around the `;` at `at` closes before another `;` or a brace.
    ///
    /// The search ends at the next `;`, so all searches together take linear time.
    fn closes_before_statement(&self, at: usize) -> bool {
        let mut depth = 0;
        for at in at + 1..self.tokens.len() {
            match self.kind(at) {
                TokenKind::OpenParen => depth += 1,
                TokenKind::CloseParen if depth == 0 => return true,
                TokenKind::CloseParen => depth -= 1,
                TokenKind::Semicolon | TokenKind::OpenBrace | TokenKind::CloseBrace => {
                    return false;
                }
                _ => {}
            }
        }
        false
    }

    /// A `{` after an operand starts a body, so in a kernel the brackets before it should have been closed.
    fn brace(&mut self, at: usize) {
        let after_operand = self.previous.is_some_and(TokenKind::ends_operand);
        if !after_operand || self.previous == Some(TokenKind::Else) {
            return;
        }
        match self.ifs.last_mut() {
            Some(ifs) if *ifs > 0 => *ifs -= 1,
            _ if self.head.has_body() => {
                self.close_to_brace(at);
                self.bound_of = None;
            }
            _ => {}
        }
    }
}
