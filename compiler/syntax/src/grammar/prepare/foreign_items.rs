//! Handles items of other languages, which are left out as a whole: `def f(x):`, `import numpy`, `f<<<1, 256>>>(x);`.

use smol_str::SmolStr;

use super::Preparation;
use super::foreign::span;
use crate::phrases;
use crate::token::TokenKind;

impl Preparation<'_> {
    /// Handles an item of another language; returns its end.
    pub(super) fn foreign_item(&mut self) -> Option<usize> {
        let places = [0, 1, 2];
        let phrase = phrases::of_item(places.map(|at| self.tokens.text(at)), places.map(|at| self.tokens.kind(at)))?;
        let end = self.tokens.len();
        let is_line = (1..end).all(|at| {
            let kind = self.kind(at);
            kind.is_word() || matches!(kind, TokenKind::Dot | TokenKind::Comma | TokenKind::Star | TokenKind::Semicolon)
        });
        let removed = (phrases::is_left_out(phrase) && is_line).then(|| (span(0, end), SmolStr::default()));
        let reported = if removed.is_some() { end } else { end.min(2) };
        self.report_phrase(phrase, removed.into_iter().collect(), 0, reported);
        self.push(TokenKind::Folded, 0, end);
        Some(end)
    }
}
