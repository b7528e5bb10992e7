//! Handles statements of other languages: `#pragma unroll`, `v := e;`, `for j = 0 to 9 { … }`, `if c: …`, `switch (i) { … }`.

use elements::ElementType;
use smol_str::SmolStr;

use super::Preparation;
use super::foreign::{gap, one, span};
use super::operands::MOST_TOKENS;
use crate::foreign::Construct;
use crate::grammar::from_c::joined;
use crate::phrases::{self, Phrase};
use crate::span::Span;
use crate::token::TokenKind;

/// The casts of C++.
const CASTS: &[&str] = &["static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"];

/// The body behind a colon.
#[derive(Clone, Copy)]
pub(super) struct ColonBody {
    /// The colon, which is read as the brace that opens the body.
    colon: usize,
    /// The token before which the body ends, behind its only statement; `None` if that is not found.
    end: Option<usize>,
}

impl Preparation<'_> {
    /// Handles a statement of another language at a token; returns the next token to read.
    pub(super) fn foreign_statement(&mut self, kind: TokenKind, at: usize) -> Option<usize> {
        use TokenKind::*;
        if kind == Colon {
            return self.colon_body(at);
        }
        if kind == Else && self.tokens.kind(at + 1) == Some(Colon) && self.in_body() {
            self.expect_colon_body(at + 1);
            return None;
        }
        if !self.starts_here() {
            return None;
        }
        match kind {
            Hash => self.directive(at),
            For if let Some(next) = self.counted_loop(at) => Some(next),
            For | If | While => {
                let colon = self.header_colon(at)?;
                self.expect_colon_body(colon);
                None
            }
            Name if self.tokens.kind(at + 1) == Some(Colon) && self.tokens.kind(at + 2) == Some(Equal) => {
                let name = SmolStr::from(format!("let mut {} =", self.tokens.text(at)));
                self.report_phrase(&phrases::DECLARED_BY_SIGN, vec![(span(at, at + 3), name)], at, at + 3);
                self.push(Let, at, at);
                self.push(Mut, at, at);
                self.push(Name, at, at + 1);
                self.push(Equal, at + 1, at + 3);
                Some(at + 3)
            }
            Name if self.tokens.text(at) == "switch" => self.switch(at),
            Name if self.tokens.text(at) == "elif" => {
                self.report_phrase(&phrases::ELSE_IF, vec![(one(at), SmolStr::new_static("else if"))], at, at + 1);
                self.push(Else, at, at);
                self.expect_brace();
                self.push(If, at, at + 1);
                if let Some(colon) = self.header_colon(at) {
                    self.expect_colon_body(colon);
                }
                Some(at + 1)
            }
            _ => None,
        }
    }

    /// Handles `#pragma unroll`, and `#define A 4`, which is read as the `let` of an unknown value.
    fn directive(&mut self, at: usize) -> Option<usize> {
        use TokenKind::*;
        match self.tokens.text(at + 1) {
            "pragma" => {
                let end = match self.tokens.kind(at + 3)? {
                    Integer => at + 4,
                    OpenParen => self.closing(at + 3)? + 1,
                    _ => at + 3,
                };
                self.report_phrase(&phrases::PRAGMA, vec![(span(at, end), SmolStr::default())], at, end);
                Some(end)
            }
            "define" => {
                let end = self.operand_end(at + 3)?;
                self.report_phrase(&phrases::DEFINITION, Vec::new(), at, end);
                self.push(Let, at, at);
                self.push(Name, at + 2, at + 3);
                self.push(Equal, at + 3, at + 3);
                self.push(Folded, at + 3, end);
                self.push(Semicolon, end, end);
                Some(end)
            }
            _ => None,
        }
    }

    /// Handles `switch (i) { … }`, which is left out.
    fn switch(&mut self, at: usize) -> Option<usize> {
        let open = self.closing(at + 1).filter(|_| self.tokens.kind(at + 1) == Some(TokenKind::OpenParen))? + 1;
        if self.tokens.kind(open) != Some(TokenKind::OpenBrace) {
            return None;
        }
        let mut depth = 0_usize;
        let close = (open..self.tokens.len()).find(|at| {
            let kind = self.kind(*at);
            depth = depth + usize::from(kind.is_opening()) - usize::from(kind.is_closing() && depth > 0);
            depth == 0
        })?;
        self.report_phrase(&phrases::SWITCH, Vec::new(), at, open);
        Some(close + 1)
    }

    /// Handles the header of `for j = 0 to 9 {`, which is read as one over an unknown range.
    fn counted_loop(&mut self, at: usize) -> Option<usize> {
        use TokenKind::*;
        if self.tokens.kind(at + 1)? != Name || self.tokens.kind(at + 2)? != Equal {
            return None;
        }
        let ends = |at: &usize| matches!(self.tokens.kind(*at), None | Some(OpenBrace | Semicolon));
        let end = (at..at + MOST_TOKENS).find(ends).filter(|end| self.tokens.kind(*end) == Some(OpenBrace))?;
        let to = (at + 3..end).find(|at| self.tokens.text(*at) == "to")?;
        let (low, high) = (joined(self.tokens, at + 3, to)?, joined(self.tokens, to + 1, end)?);
        let after =
            high.parse::<i64>().map_or_else(|_| format!("{high} + 1"), |high| high.saturating_add(1).to_string());
        let range = SmolStr::from(format!("in {low}..{after}"));
        self.report_phrase(&phrases::COUNTED, vec![(span(at + 2, end), range)], at + 2, end);
        self.push(For, at, at + 1);
        self.push(Name, at + 1, at + 2);
        self.push(In, at + 2, at + 2);
        self.push(Folded, at + 2, end);
        Some(end)
    }

    /// The colon that ends the header of an `if` or a loop at a token, where no brace does.
    fn header_colon(&self, at: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for at in at + 1..at + MOST_TOKENS {
            let kind = self.tokens.kind(at)?;
            match kind {
                TokenKind::Colon if depth == 0 => return Some(at),
                TokenKind::OpenBrace | TokenKind::CloseBrace | TokenKind::Semicolon | TokenKind::Question => {
                    return None;
                }
                kind if kind.is_opening() => depth += 1,
                kind if kind.is_closing() => depth = depth.checked_sub(1)?,
                _ => {}
            }
        }
        None
    }

    /// Makes a colon begin a body, which ends behind the next statement.
    fn expect_colon_body(&mut self, colon: usize) {
        let mut depth = 0_usize;
        let mut end = None;
        for at in colon + 1..(colon + MOST_TOKENS).min(self.tokens.len()) {
            match self.kind(at) {
                TokenKind::Semicolon if depth == 0 => {
                    end = Some(at + 1);
                    break;
                }
                kind if kind.is_opening() => depth += 1,
                kind if kind.is_closing() && depth == 0 => {
                    end = Some(at);
                    break;
                }
                kind if kind.is_closing() => depth -= 1,
                _ => {}
            }
        }
        self.colon_bodies.push(ColonBody { colon, end });
    }

    /// Handles the colon before a body.
    fn colon_body(&mut self, at: usize) -> Option<usize> {
        let body = *self.colon_bodies.last().filter(|body| body.colon == at)?;
        // What else belongs to the body does not follow from the signs.
        let is_all = |end: &usize| matches!(self.tokens.kind(*end), Some(TokenKind::CloseBrace | TokenKind::Else));
        let edits = body
            .end
            .filter(is_all)
            .map(|end| vec![(one(at), SmolStr::new_static(" {")), (gap(end), SmolStr::new_static(" }"))]);
        self.report_phrase(&phrases::COLON, edits.unwrap_or_default(), at, at + 1);
        self.brace(at);
        self.open(TokenKind::OpenBrace, at);
        Some(at + 1)
    }

    /// Ends the bodies behind colons that end before a token.
    pub(super) fn end_colon_bodies(&mut self, at: usize) {
        while let Some(body) = self.colon_bodies.last().copied().filter(|body| body.end.is_some_and(|end| end <= at)) {
            self.colon_bodies.pop();
            let opened = |(bracket, opening)| bracket == TokenKind::OpenBrace && opening as usize == body.colon;
            if self.brackets.innermost().is_some_and(opened) {
                self.close_innermost(at, at);
            }
        }
    }

    /// Handles `static_cast<int>(x)`.
    pub(super) fn cast_of_cpp(&mut self, at: usize) -> Option<usize> {
        use TokenKind::*;
        if !CASTS.contains(&self.tokens.text(at)) || self.tokens.kind(at + 1) != Some(Less) {
            return None;
        }
        let greater = (at + 2..at + 7).find(|at| self.tokens.kind(*at) == Some(Greater))?;
        let words: Vec<&str> = (at + 2..greater).map(|at| self.tokens.text(at)).collect();
        let function = SmolStr::new_static(ElementType::from_elsewhere(&words.join(" "))?.name());
        let close = self.closing(greater + 1).filter(|_| self.tokens.kind(greater + 1) == Some(OpenParen))?;
        let edits = vec![(span(at, greater + 2), SmolStr::from(format!("{function}(")))];
        self.report_foreign(Construct::Cast { function }, edits, at, greater + 1);
        self.push(Folded, at, close + 1);
        Some(close + 1)
    }

    /// Handles the point of `2.` and of `.5`.
    pub(super) fn point(&mut self, at: usize) -> Option<usize> {
        use TokenKind::*;
        let next = self.tokens.kind(at + 1);
        if self.before_operand() && matches!(next, Some(Integer | Float)) {
            let number = SmolStr::from(format!("0.{}", self.tokens.text(at + 1).trim_end_matches(['f', 'F'])));
            self.report_phrase(&phrases::POINT, vec![(span(at, at + 2), number)], at, at + 2);
            self.push(Folded, at, at + 2);
            return Some(at + 2);
        }
        let last = *self.terminals.last().filter(|last| last.kind == Integer && last.span == one(at - 1))?;
        let suffixed = matches!(self.tokens.text(at + 1), "f" | "F");
        if next.is_some_and(TokenKind::is_word) && !suffixed {
            return None;
        }
        let end = at + 1 + usize::from(suffixed);
        let number = SmolStr::from(format!("{}.0", self.tokens.text(at - 1)));
        self.report_phrase(&phrases::POINT, vec![(span(at - 1, end), number)], at - 1, end);
        self.terminals.pop();
        self.push(Float, last.span.start as usize, end);
        Some(end)
    }

    pub(super) fn report_phrase(
        &mut self,
        phrase: &'static Phrase,
        edits: Vec<(Span, SmolStr)>,
        start: usize,
        end: usize,
    ) {
        self.report_foreign(Construct::Phrase(phrase), edits, start, end);
    }

    /// Reports a phrase that usually occurs in many places of an item at the first one.
    pub(super) fn report_phrase_once(&mut self, phrase: &'static Phrase, start: usize, end: usize) {
        if !self.has_reported(&Construct::Phrase(phrase)) {
            self.report_phrase(phrase, Vec::new(), start, end);
        }
    }
}
