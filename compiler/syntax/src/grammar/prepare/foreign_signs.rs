//! Handles what other languages write in signatures and runs: `float *x`, `y: out f32[N]`, `with (N = 4)`.

use elements::ElementType;
use smol_str::SmolStr;

use super::Preparation;
use super::foreign::{gap, one, span};
use super::operands::MOST_TOKENS;
use crate::head::Head;
use crate::phrases;
use crate::token::TokenKind;

/// Words before the type of a tensor that is written.
const WRITTEN: &[&str] = &["out", "inout", "output", "ref", "var", "mutable"];

/// Words for a tensor of elements.
const TENSORS: &[&str] =
    &["tensor", "Tensor", "array", "Array", "ndarray", "NDArray", "buffer", "Buffer", "TensorView", "span"];

/// Words for how far numbers may differ.
const TOLERANCES: &[&str] = &["atol", "rtol", "tol", "tolerance", "eps"];

impl Preparation<'_> {
    /// Whether this is among the parameters of a kernel or a function, and not in brackets inside of them.
    fn in_parameters(&self) -> bool {
        let named = |opening: u32| {
            let before = (opening as usize).checked_sub(1).and_then(|before| self.tokens.kind(before));
            matches!(before, Some(TokenKind::Name | TokenKind::CloseBracket))
        };
        let is_list = |(bracket, opening)| bracket == TokenKind::OpenParen && named(opening);
        self.head.has_body() && self.brackets.depth() == 1 && self.brackets.innermost().is_some_and(is_list)
    }

    /// Handles a token of a signature; returns the next one to read.
    pub(super) fn foreign_in_signature(&mut self, kind: TokenKind, at: usize) -> Option<usize> {
        use TokenKind::*;
        if kind == Colon && self.head == Head::Function && self.brackets.depth() == 0 {
            (self.previous == Some(CloseParen)).then_some(())?;
            self.report_phrase(&phrases::RESULT, vec![(one(at), SmolStr::new_static(" ->"))], at, at + 1);
            self.push(Arrow, at, at + 1);
            return Some(at + 1);
        }
        if !self.in_parameters() {
            return None;
        }
        match kind {
            Name | Const if matches!(self.previous, Some(OpenParen | Comma)) => self.parameter_of_c(at),
            Name if matches!(self.previous, Some(Colon | Mut)) => {
                self.written_word(at).or_else(|| self.tensor_type(at))
            }
            Mut if self.previous.is_some_and(TokenKind::ends_operand) => self.mut_behind(at),
            _ => None,
        }
    }

    /// Handles `const float *x`, which is read as a parameter of an unknown type. It is reported once for all parameters.
    fn parameter_of_c(&mut self, at: usize) -> Option<usize> {
        use TokenKind::*;
        let is_part = |at: &usize| matches!(self.tokens.kind(*at), Some(Name | Const | Star | Ampersand));
        let name = (at..at + MOST_TOKENS).take_while(is_part).last().filter(|name| *name > at)?;
        let end = match self.tokens.kind(name + 1)? {
            OpenBracket => self.closing(name + 1)? + 1,
            _ => name + 1,
        };
        let ends = matches!(self.tokens.kind(end), Some(Comma | CloseParen));
        if !ends || !self.tokens.kind(name).is_some_and(TokenKind::is_word) {
            return None;
        }
        self.report_phrase_once(&phrases::PARAMETER, at, end);
        self.push(Name, name, name + 1);
        self.push(Colon, name + 1, name + 1);
        self.left_out.push(end as u32);
        Some(end)
    }

    /// Handles `out f32[N]`, which is read as `mut f32[N]`.
    fn written_word(&mut self, at: usize) -> Option<usize> {
        let is_before_type = self.tokens.kind(at + 1).is_some_and(TokenKind::is_word);
        if !is_before_type || !WRITTEN.contains(&self.tokens.text(at)) {
            return None;
        }
        self.report_phrase(&phrases::WRITTEN, vec![(one(at), SmolStr::new_static("mut"))], at, at + 1);
        self.push(TokenKind::Mut, at, at + 1);
        Some(at + 1)
    }

    /// Handles the `mut` of `y: f32[N] mut`, which is read as if it stood before the type.
    fn mut_behind(&mut self, at: usize) -> Option<usize> {
        let colon = self.terminals.iter().rposition(|terminal| terminal.kind == TokenKind::Colon)?;
        let found = *self.terminals.get(colon)?;
        let (end, before) = (found.span.end as usize, SmolStr::new(self.tokens.text(at - 1)));
        let has_one = self.terminals.get(colon + 1).is_some_and(|next| next.kind == TokenKind::Mut);
        let inserted = (!has_one).then(|| (gap(end), SmolStr::new_static(" mut")));
        let removed = (span(at - 1, at + 1), before);
        self.report_phrase(&phrases::WRITTEN, inserted.into_iter().chain([removed]).collect(), at, at + 1);
        if !has_one {
            self.terminals.insert(colon + 1, super::Terminal { kind: TokenKind::Mut, span: gap(end) });
        }
        Some(at + 1)
    }

    /// Handles `Tensor[f32, N]` and `tensor<f32, N>`, which are left out.
    fn tensor_type(&mut self, at: usize) -> Option<usize> {
        use TokenKind::*;
        let closing = match self.tokens.kind(at + 1)? {
            OpenBracket => CloseBracket,
            Less => Greater,
            _ => return None,
        };
        let element = ElementType::from_elsewhere(self.tokens.text(at + 2))?;
        let is_list = TENSORS.contains(&self.tokens.text(at)) && self.tokens.kind(at + 3) == Some(Comma);
        let close = (at + 4..at + MOST_TOKENS).find(|at| self.tokens.kind(*at) == Some(closing)).filter(|_| is_list)?;
        let shape = (at + 4..close).map(|at| self.tokens.text(at)).collect::<Vec<&str>>().concat();
        if shape.contains(['(', '[', '<', ')', ';']) {
            return None;
        }
        let text = format!("{}[{}]", element.name(), shape.replace(',', ", "));
        self.report_phrase(&phrases::TENSOR, vec![(span(at, close + 1), text.into())], at, close + 1);
        self.left_out.push(close as u32 + 1);
        Some(close + 1)
    }

    /// Handles `use std/activations;`, of which no path is read.
    pub(super) fn bare_path(&mut self, at: usize) -> Option<usize> {
        if self.head != Head::Use || at != 1 || !self.tokens.kind(at)?.is_word() {
            return None;
        }
        let semicolon = (at..self.tokens.len()).find(|at| self.kind(*at) == TokenKind::Semicolon);
        let end = semicolon.unwrap_or(self.tokens.len());
        let path = (at..end).map(|at| self.tokens.text(at)).collect::<Vec<&str>>().concat().replace("::", "/");
        let ending = if path.ends_with(".shape") { "" } else { ".shape" };
        self.report_phrase(&phrases::PATH, vec![(span(at, end), format!("\"{path}{ending}\"").into())], at, end);
        self.push(TokenKind::Folded, at, end);
        Some(end)
    }

    /// Handles a token of a run's clauses; returns the next one to read.
    pub(super) fn foreign_clause(&mut self, kind: TokenKind, at: usize) -> Option<usize> {
        use TokenKind::*;
        if self.head != Head::Run || self.brackets.depth() > 0 {
            return None;
        }
        let next = self.tokens.kind(at + 1);
        let behind = self.previous.is_some_and(TokenKind::ends_operand);
        match kind {
            Name if behind && TOLERANCES.contains(&self.tokens.text(at)) => {
                let end = at + 1 + usize::from(matches!(next, Some(Equal | Colon)));
                self.report_phrase(
                    &phrases::TOLERANCE,
                    vec![(span(at, end), SmolStr::new_static("within"))],
                    at,
                    at + 1,
                );
                self.push(Within, at, end);
                Some(end)
            }
            Assert if behind => {
                self.report_phrase(&phrases::EXPECTATION, vec![(one(at), SmolStr::new_static("expect"))], at, at + 1);
                self.push(Expect, at, at + 1);
                Some(at + 1)
            }
            Name if self.previous == Some(CloseParen) && next == Some(Equal) => {
                self.report_phrase(&phrases::SIZES, vec![(gap(at), SmolStr::new_static(" with"))], at, at + 1);
                self.push(With, at, at);
                None
            }
            With if next == Some(OpenParen) => self.sizes_in_brackets(at),
            _ => None,
        }
    }

    /// Handles `with (M = 3, N = 4)`, which is read without the brackets.
    fn sizes_in_brackets(&mut self, at: usize) -> Option<usize> {
        let close = self.closing(at + 1)?;
        if !self.tokens.kind(at + 2)?.is_word() || self.tokens.kind(at + 3) != Some(TokenKind::Equal) {
            return None;
        }
        let text = crate::grammar::from_c::joined(self.tokens, at + 2, close)?;
        self.report_phrase(&phrases::SIZES, vec![(span(at + 1, close + 1), text.into())], at + 1, close + 1);
        self.push(TokenKind::With, at, at + 1);
        (at + 2..close).for_each(|at| self.push(self.kind(at), at, at + 1));
        Some(close + 1)
    }
}
