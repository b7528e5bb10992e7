//! What is called with the arguments in a bracket.

use super::documentation::{Entry, Subject, find};
use check::db::{Db, SourceFile};
use check::names;
use syntax::items::ItemTokens;
use syntax::token::TokenKind;

/// The token that names what is called with the arguments in a bracket.
pub(crate) fn callee(tokens: &ItemTokens, bracket: usize) -> Option<usize> {
    if tokens.kind(bracket) != Some(TokenKind::OpenParen) {
        return None;
    }
    let mut name = bracket.checked_sub(1)?;
    if tokens.kind(name) == Some(TokenKind::Bang) {
        name = name.checked_sub(1)?;
    }
    tokens.kind(name)?.is_word().then_some(name)
}

/// The entry of what is called with the arguments in a bracket.
pub(crate) fn called_with(
    db: &dyn Db,
    file: SourceFile,
    tokens: &ItemTokens,
    bracket: usize,
) -> Option<&'static Entry> {
    called(db, file, tokens, callee(tokens, bracket)?)
}

/// The entry of the function that a token names.
pub(crate) fn called(db: &dyn Db, file: SourceFile, tokens: &ItemTokens, name: usize) -> Option<&'static Entry> {
    use Subject::*;
    let word = tokens.text(name);
    if name.checked_sub(1).and_then(|before| tokens.kind(before)) == Some(TokenKind::Dot) {
        let subjects: &[Subject] = match tokens.kind(0) {
            Some(TokenKind::Run) => &[TensorMember, MapMember],
            Some(TokenKind::Kernel) => &[TileMember, PartitionMember, MapMember],
            _ => &[MapMember, TilingMember],
        };
        return find(word, subjects).filter(|entry| !entry.parameters().is_empty());
    }
    // A declared name is not a function: `s(k)` selects a dimension.
    if names::lookup(db, file, word.into()).is_some() {
        return None;
    }
    let subjects: &[Subject] = match tokens.kind(0) {
        Some(TokenKind::Kernel) => &[KernelFunction, TileFunction, Clause, Statement, Function],
        Some(TokenKind::Run) => &[Initial, ExpectFunction, KernelFunction, Function],
        _ => &[Function],
    };
    find(word, subjects).filter(|entry| !entry.parameters().is_empty())
}
