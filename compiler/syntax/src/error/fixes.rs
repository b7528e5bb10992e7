//! Edits that correct an error.

use smol_str::SmolStr;

use super::{Found, SyntaxError, SyntaxErrorKind};
use crate::span::Span;
use crate::token::TokenKind;

/// An edit that corrects an error.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SyntaxFix {
    /// Its description, as the label of a button.
    pub title: String,
    /// The replaced tokens with their new text; an empty span inserts after the previous token.
    pub edits: Vec<(Span, SmolStr)>,
}

impl SyntaxError {
    /// An edit that corrects it, if there is an evident one.
    pub fn fix(&self) -> Option<SyntaxFix> {
        let gap = Span::new(self.span.start, self.span.start);
        let (title, span, text) = match &self.kind {
            SyntaxErrorKind::UnclosedBracket { bracket, .. } => {
                let closing = match bracket.closing()? {
                    TokenKind::SizeClose => "|",
                    closing => closing.fixed_text()?,
                };
                (format!("insert `{closing}`"), gap, closing)
            }
            SyntaxErrorKind::UnopenedBracket => ("remove the bracket".to_owned(), self.span, ""),
            SyntaxErrorKind::EqualForColon => ("write `:`".to_owned(), self.span, ":"),
            SyntaxErrorKind::EqualAfterName { text } => {
                let span = Span::new(self.span.start.saturating_sub(1), self.span.start + 2);
                return Some(SyntaxFix { title: "write `:`".to_owned(), edits: vec![(span, text.clone())] });
            }
            SyntaxErrorKind::ColonForEqual { .. } => ("write `=`".to_owned(), self.span, "="),
            SyntaxErrorKind::MissingBar => self.put("|", "| ", " |"),
            SyntaxErrorKind::MissingArrow => self.put("=>", "=> ", " =>"),
            SyntaxErrorKind::MissingLayoutWord => ("insert `layout:`".to_owned(), gap, "layout: "),
            SyntaxErrorKind::MisspeltWord { suggestion } => {
                (format!("write {suggestion}"), self.span, suggestion.fixed_text()?)
            }
            SyntaxErrorKind::LetOutsideKernel => ("write `const`".to_owned(), self.span, "const"),
            SyntaxErrorKind::Step { is_value: true } => return None,
            SyntaxErrorKind::Step { is_value: false } => {
                (format!("write `{}`", self.step().trim_start()), self.span, self.step())
            }
            SyntaxErrorKind::ThreePartLoop { header } => {
                let header = header.as_ref()?;
                let edits = vec![(self.span, header.clone())];
                return Some(SyntaxFix { title: format!("write `for {header}`"), edits });
            }
            SyntaxErrorKind::ItemInsideKernel { moved } if moved.is_empty() => return None,
            SyntaxErrorKind::ItemInsideKernel { moved } => {
                return Some(SyntaxFix { title: "move it before the kernel".to_owned(), edits: moved.clone() });
            }
            SyntaxErrorKind::Foreign(foreign) if foreign.edits.is_empty() => return None,
            SyntaxErrorKind::Foreign(foreign) => {
                return Some(SyntaxFix { title: foreign.title(), edits: foreign.edits.clone() });
            }
            SyntaxErrorKind::AssignmentInExpression => ("write `==`".to_owned(), self.span, "=="),
            _ => return None,
        };
        Some(SyntaxFix { title, edits: vec![(span, SmolStr::new_static(text))] })
    }

    /// The assignment operator for `++` or `--`.
    pub(super) fn step(&self) -> &'static str {
        match &self.found {
            Some(Found { kind: TokenKind::Minus, .. }) => " -= 1",
            _ => " += 1",
        }
    }

    /// The fix that inserts a sign, or replaces another one. A comma has no space before it.
    fn put(&self, sign: &'static str, before: &'static str, for_comma: &'static str) -> (String, Span, &'static str) {
        match self.found.as_ref().map(|found| found.kind) {
            Some(TokenKind::Comma) => (format!("write `{sign}`"), self.span, for_comma),
            Some(TokenKind::OrOr | TokenKind::Equal | TokenKind::Arrow) => (format!("write `{sign}`"), self.span, sign),
            _ => (format!("insert `{sign}`"), Span::new(self.span.start, self.span.start), before),
        }
    }
}
