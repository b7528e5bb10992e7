//! Handles the words of CUDA Tile C++: `ct::partition_view p{t, ct::shape{2_ic, 2_ic}};`, `p.load_masked(ct::view_padding_nan_t{}, i)`.

use smol_str::SmolStr;

use super::Preparation;
use super::foreign::{gap, span};
use super::operands::MOST_TOKENS;
use crate::foreign::Construct;
use crate::token::TokenKind;

impl Preparation<'_> {
    /// Handles a word of CUDA Tile C++ at a token, which is the first one of its path; returns the next token to read.
    pub(super) fn cuda_tiles(&mut self, at: usize) -> Option<usize> {
        let word = self.last_of_path(at)?;
        match self.tokens.text(word) {
            "partition_view" if self.in_body() && self.starts_here() => self.partition_view(at, word + 1),
            "tensor_span" if self.in_body() && self.starts_here() => self.tensor_span(at, word + 1),
            "auto" if self.in_body() && self.starts_here() => {
                let made = self.last_of_path(word + 3).filter(|made| self.tokens.text(*made) == "partition_view")?;
                let assigned = self.tokens.kind(word + 2) == Some(TokenKind::Equal);
                if assigned { self.divided(at, word + 1, made + 1) } else { None }
            }
            other => {
                let padding = other.strip_prefix("view_padding_")?.strip_suffix("_t")?;
                let padding = SmolStr::new(padding);
                self.padding(padding, at, word + 1)
            }
        }
    }

    /// The last word of `a::b::c`, which may be a single word.
    fn last_of_path(&self, at: usize) -> Option<usize> {
        let mut word = at;
        while self.tokens.kind(word)?.is_word() {
            if self.tokens.kind(word + 1) != Some(TokenKind::PathSeparator) {
                return Some(word);
            }
            word += 2;
        }
        None
    }

    /// Handles `ct::partition_view p{t, ct::shape{2_ic, 2_ic}}`, with the name at a token.
    fn partition_view(&mut self, at: usize, name: usize) -> Option<usize> {
        // `partition_view<…>` and a pointer to one are left to others.
        self.tokens.kind(name).filter(|kind| kind.is_word())?;
        self.divided(at, name, name + 1)
    }

    /// Handles the partition with this name, whose arguments stand in the brackets at `open`.
    fn divided(&mut self, at: usize, name: usize, open: usize) -> Option<usize> {
        let close = self.arguments_end(open)?;
        let edits = self.in_words_of_ours(open + 1, close).map(|arguments| {
            let text = format!("view {} = partition({arguments})", self.tokens.text(name));
            (span(at, close + 1), SmolStr::from(text))
        });
        self.report_foreign(Construct::PartitionView, edits.into_iter().collect(), at, close + 1);
        self.push(TokenKind::View, at, at);
        self.push(TokenKind::Name, name, name + 1);
        self.push(TokenKind::Equal, name + 1, name + 1);
        self.push(TokenKind::Folded, name + 1, close + 1);
        Some(close + 1)
    }

    /// Handles `ct::tensor_span t{&x[0][0], ct::extents{4_ic, 8_ic}}`: a parameter is one already.
    fn tensor_span(&mut self, at: usize, name: usize) -> Option<usize> {
        self.tokens.kind(name).filter(|kind| kind.is_word())?;
        let close = self.arguments_end(name + 1)?;
        self.report_foreign(Construct::TensorSpan, Vec::new(), at, close + 1);
        self.push(TokenKind::View, at, at);
        self.push(TokenKind::Name, name, name + 1);
        self.push(TokenKind::Equal, name + 1, name + 1);
        self.push(TokenKind::Folded, name + 1, close + 1);
        Some(close + 1)
    }

    /// Handles `ct::view_padding_nan_t{}` as an argument.
    fn padding(&mut self, padding: SmolStr, at: usize, open: usize) -> Option<usize> {
        use TokenKind::{CloseParen, Comma};
        let (_, opening) = self.brackets.innermost().filter(|(bracket, _)| *bracket == TokenKind::OpenParen)?;
        let end = match self.tokens.kind(open) {
            Some(TokenKind::OpenBrace | TokenKind::OpenParen) => self.arguments_end(open)? + 1,
            _ => open,
        };
        let named = SmolStr::from(format!("pad: {padding}"));
        let is_first = opening as usize + 1 == at;
        let call_end = self.closing(opening as usize).filter(|close| self.tokens.kind(*close) == Some(CloseParen));
        let edits = match (self.tokens.kind(end), call_end) {
            (Some(Comma), Some(close)) if is_first && end + 1 < close => {
                let next = (span(at, end + 2), SmolStr::new(self.tokens.text(end + 1)));
                vec![next, (gap(close), SmolStr::from(format!(", {named}")))]
            }
            (Some(CloseParen), _) => vec![(span(at, end), named)],
            _ => Vec::new(),
        };
        self.report_foreign(Construct::Padding { padding }, edits, at, end);
        // What is left has the form that it has in the language.
        match (self.tokens.kind(end), self.terminals.last().map(|terminal| terminal.kind)) {
            (Some(Comma), _) => Some(end + 1),
            (_, Some(Comma)) => {
                self.terminals.pop();
                Some(end)
            }
            _ => Some(end),
        }
    }

    /// The bracket that closes the arguments at a token, in braces or parentheses.
    fn arguments_end(&self, open: usize) -> Option<usize> {
        let kind = self.tokens.kind(open)?;
        if !matches!(kind, TokenKind::OpenBrace | TokenKind::OpenParen) {
            return None;
        }
        self.closing(open).filter(|close| self.tokens.kind(*close) == kind.closing())
    }

    /// The tokens with `[2, 2]` in the place of `ct::shape{2_ic, 2_ic}`.
    fn in_words_of_ours(&self, start: usize, end: usize) -> Option<String> {
        if end > start + MOST_TOKENS {
            return None;
        }
        let (mut text, mut at, mut lists) = (String::new(), start, Vec::new());
        while at < end {
            let shape = self.last_of_path(at).filter(|word| self.tokens.text(*word) == "shape");
            if let Some(close) = shape.and_then(|word| self.arguments_end(word + 1)) {
                text.push('[');
                lists.push(close);
                at = shape? + 2;
                continue;
            }
            let (kind, word) = (self.tokens.kind(at)?, self.tokens.text(at));
            match kind {
                _ if lists.last() == Some(&at) => {
                    lists.pop();
                    text.push(']');
                }
                TokenKind::Comma => text.push_str(", "),
                // `n-1` without spaces would be a name.
                TokenKind::Plus | TokenKind::Minus | TokenKind::Star | TokenKind::Slash | TokenKind::Percent => {
                    text.push_str(&format!(" {word} "));
                }
                TokenKind::Integer => text.push_str(word.strip_suffix("_ic").unwrap_or(word)),
                TokenKind::PathSeparator | TokenKind::OpenBrace | TokenKind::CloseBrace | TokenKind::Semicolon => {
                    return None;
                }
                _ => text.push_str(word),
            }
            at += 1;
        }
        Some(text)
    }
}
