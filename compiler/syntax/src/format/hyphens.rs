//! Hyphenated words that stand for a difference.

use super::marks::{Marks, PREFIX};
use super::words::Word;
use crate::token::TokenKind;

/// Writes each hyphenated word that is not declared, but whose parts are, as the difference it means.
///
/// `M-N` binds its parts more tightly than `M - N` does, so a word next to an operator that would take one of
/// the parts away stays as it is.
pub(super) fn split_hyphens(words: &mut [Word<'_>], marks: &Marks, declared: &dyn Fn(&str) -> bool) {
    for index in 0..words.len() {
        let word = &words[index];
        if word.kind != TokenKind::Name || !word.text.contains('-') || declared(&word.text) {
            continue;
        }
        let before = index.checked_sub(1).map(|before| words[before].kind);
        let after = words.get(index + 1).map(|word| word.kind);
        let prefixed = index.checked_sub(1).is_some_and(|before| marks.has(before, PREFIX));
        let alone = !prefixed && !binds_tightly(before, true) && !binds_tightly(after, false);
        if alone && word.text.split('-').all(declared) {
            let text = word.text.replace('-', " - ");
            words[index].text = text.into();
        }
    }
}

/// Whether a neighbour binds at least as tightly as a difference does, or names the word.
fn binds_tightly(kind: Option<TokenKind>, before: bool) -> bool {
    use TokenKind::*;
    match kind {
        Some(Star | Slash | Percent | Hash | Dot | PathSeparator) => true,
        Some(Minus) => before,
        Some(OpenParen | OpenBracket | Colon) => !before,
        // After a word, only a word of the language can stand; what it names is not an operand.
        Some(Kernel | Run | Map | Unit | Tiling | Const | Dim | Mdspan | Let | View | Shared | For) => before,
        _ => false,
    }
}
