//! Words in a kernel's body that start a statement, even if they are misspelt.

use super::Preparation;
use crate::error::SyntaxErrorKind;
use crate::token::TokenKind;

impl Preparation<'_> {
    /// Whether a word inside parentheses or square brackets of a kernel's body starts a statement.
    pub(super) fn starts_statement(&self, kind: TokenKind, at: usize) -> bool {
        use TokenKind::*;
        if !matches!(kind, Let | View | For | Shared | Const | Map) || !self.brackets.in_braces() {
            return false;
        }
        let (second, third) = (self.tokens.kind(at + 1), self.tokens.kind(at + 2));
        let named = second.is_some_and(TokenKind::is_word);
        match kind {
            Let => named && (second == Some(Mut) || matches!(third, Some(Equal | Colon))),
            View | Const | Map => named && third == Some(Equal),
            For => named && third == Some(In),
            Shared => named && third == Some(Colon),
            _ => false,
        }
    }

    /// Whether a statement starts with the next token.
    pub(super) fn starts_here(&self) -> bool {
        use TokenKind::*;
        let ended = matches!(self.previous, Some(OpenBrace | CloseBrace | Semicolon));
        ended && self.head.has_body() && self.in_body()
    }

    /// The keyword that was probably meant by a name at the start of a statement.
    pub(super) fn statement_word(&mut self, at: usize) -> Option<TokenKind> {
        use TokenKind::*;
        if !self.starts_here() || !self.tokens.kind(at + 1).is_some_and(TokenKind::is_word) {
            return None;
        }
        let meant = nearest(self.tokens.text(at), &[View, Let, For, Shared, With, If])?;
        self.report(SyntaxErrorKind::MisspeltWord { suggestion: meant }, at, at + 1);
        Some(meant)
    }
}

/// The word with the spelling most similar to a text, if it is similar enough.
pub(super) fn nearest(text: &str, words: &[TokenKind]) -> Option<TokenKind> {
    let distance = |word: &TokenKind| {
        let word = word.fixed_text().unwrap_or("");
        let distance = strsim::osa_distance(&text.to_lowercase(), word);
        // In a short word, a single different letter is much.
        (distance * 3 <= word.len().max(3)).then_some(distance)
    };
    // A word longer than all keywords cannot be a misspelling, and comparing would take time.
    if text.len() > 16 {
        return None;
    }
    words
        .iter()
        .filter_map(|word| Some((distance(word)?, *word)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}
