//! Splits hyphenated words that mean a subtraction.

use super::marks::{Marks, PREFIX};
use super::words::Word;
use crate::token::TokenKind;

/// Splits each undeclared hyphenated word whose parts are declared into a subtraction.
///
/// `M-N` binds its parts more tightly than `M - N`, so a word beside an operator that would bind one of the parts stays
/// unchanged.
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

/// Whether a neighbour binds at least as tightly as a subtraction, or makes the word a name.
fn binds_tightly(kind: Option<TokenKind>, before: bool) -> bool {
    use TokenKind::*;
    match kind {
        Some(Star | Slash | Percent | Hash | Dot | PathSeparator) => true,
        Some(Minus) => before,
        Some(OpenParen | OpenBracket | Colon) => !before,
        // After a word, only a keyword can follow here; the word that it names is no operand.
        Some(Kernel | Run | Map | Unit | Tiling | Const | Dim | Mdspan | Let | View | Shared | For) => before,
        _ => false,
    }
}
