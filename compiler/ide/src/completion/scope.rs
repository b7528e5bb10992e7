//! The names of a kernel that are in scope at a token, read from its tokens.

use syntax::items::ItemTokens;
use syntax::token::TokenKind;

use super::super::names::LocalKind;

/// A name in scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Local {
    /// The token that declares it.
    pub(super) token: usize,
    /// What it is.
    pub(super) kind: LocalKind,
}

/// The names in scope at a token of a kernel; inner names shadow outer ones. The declarations of the statement that
/// starts at `statement` are not included.
pub(super) fn locals(tokens: &ItemTokens, statement: usize, end: usize) -> Vec<Local> {
    let mut found: Vec<(usize, Local)> = Vec::new();
    let body = body_start(tokens, end);
    found.extend(generics(tokens, end).map(|generic| (0, generic)));
    for token in params(tokens, body.unwrap_or(end)) {
        let tensor = (token + 1..end)
            .map_while(|at| tokens.kind(at))
            .take_while(|kind| !matches!(kind, TokenKind::Comma | TokenKind::CloseParen))
            .any(|kind| kind == TokenKind::OpenBracket);
        let kind = if tensor { LocalKind::Tensor } else { LocalKind::Scalar };
        found.push((0, Local { token, kind }));
    }
    let mut depth = 0;
    for at in body.unwrap_or(end)..statement {
        match tokens.kind(at) {
            Some(TokenKind::OpenBrace) => depth += 1,
            Some(TokenKind::CloseBrace) => {
                depth -= usize::from(depth > 0);
                found.retain(|(declared, _)| *declared <= depth);
            }
            Some(kind) => {
                found.extend(declared(tokens, at, kind).into_iter().map(|(inner, local)| (depth + inner, local)))
            }
            None => break,
        }
    }
    let mut visible: Vec<Local> = Vec::new();
    for (_, local) in found.into_iter().rev() {
        if !visible.iter().any(|nearer| tokens.text(nearer.token) == tokens.text(local.token)) {
            visible.push(local);
        }
    }
    visible.reverse();
    visible
}

/// Where the body of a kernel opens.
pub(super) fn body_start(tokens: &ItemTokens, end: usize) -> Option<usize> {
    (0..end).find(|at| tokens.kind(*at) == Some(TokenKind::OpenBrace))
}

/// The tokens that name the parameters.
pub(super) fn params(tokens: &ItemTokens, end: usize) -> Vec<usize> {
    let named = |at: &usize| {
        let before = at.checked_sub(1).and_then(|before| tokens.kind(before));
        matches!(before, Some(TokenKind::OpenParen | TokenKind::Comma))
            && tokens.kind(*at).is_some_and(TokenKind::is_word)
            && tokens.kind(at + 1) == Some(TokenKind::Colon)
    };
    let start = behind_generics(tokens);
    let mut depth = 0_usize;
    // The clauses behind the parameters have names with colons, too: `tune(B: [32, 64])`.
    let close = (start..end).find(|at| {
        match tokens.kind(*at) {
            Some(kind) if kind.is_opening() => depth += 1,
            Some(kind) if kind.is_closing() => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    (start..close.unwrap_or(end)).filter(named).collect()
}

/// The token behind the brackets that follow the name of a kernel, of which a run gives the values; directly behind the
/// name if there are none.
pub(crate) fn behind_generics(tokens: &ItemTokens) -> usize {
    if tokens.kind(2) != Some(TokenKind::OpenBracket) {
        return 2;
    }
    let mut depth = 0_usize;
    for at in 2..tokens.len() {
        match tokens.kind(at) {
            Some(kind) if kind.is_opening() => depth += 1,
            Some(kind) if kind.is_closing() => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The generic parameters of a kernel.
pub(super) fn generics(tokens: &ItemTokens, end: usize) -> impl Iterator<Item = Local> {
    (3..behind_generics(tokens).min(end)).filter_map(|at| {
        let starts = matches!(tokens.kind(at - 1), Some(TokenKind::OpenBracket | TokenKind::Comma));
        let kind = match tokens.kind(at + 1) {
            Some(TokenKind::Equal) => LocalKind::Generic,
            Some(TokenKind::Colon) => LocalKind::Type,
            _ => return None,
        };
        (starts && tokens.kind(at).is_some_and(TokenKind::is_word)).then_some(Local { token: at, kind })
    })
}

/// The declarations of a token, with the depth of their scope relative to the token's.
fn declared(tokens: &ItemTokens, at: usize, kind: TokenKind) -> Vec<(usize, Local)> {
    let name = |token: usize, kind| tokens.kind(token).filter(|word| word.is_word()).map(|_| Local { token, kind });
    match kind {
        TokenKind::View => name(at + 1, LocalKind::View).map(|local| (0, local)).into_iter().collect(),
        TokenKind::Shared if tokens.kind(at + 2) == Some(TokenKind::Colon) => {
            name(at + 1, LocalKind::Shared).map(|local| (0, local)).into_iter().collect()
        }
        TokenKind::Let if tokens.kind(at + 1) == Some(TokenKind::Mut) => {
            name(at + 2, LocalKind::Variable).map(|local| (0, local)).into_iter().collect()
        }
        TokenKind::Const | TokenKind::Map if tokens.kind(at + 2) == Some(TokenKind::Equal) => {
            name(at + 1, LocalKind::Defined).map(|local| (0, local)).into_iter().collect()
        }
        TokenKind::Fn if tokens.kind(at + 1).is_some_and(TokenKind::is_word) => {
            name(at + 1, LocalKind::Function).map(|local| (0, local)).into_iter().collect()
        }
        TokenKind::Let => name(at + 1, LocalKind::Constant).map(|local| (0, local)).into_iter().collect(),
        TokenKind::For => (at + 1..tokens.len())
            .take_while(|token| !matches!(tokens.kind(*token), Some(TokenKind::In | TokenKind::OpenBrace)))
            .filter_map(|token| name(token, LocalKind::Iterator).map(|local| (1, local)))
            .collect(),
        _ => Vec::new(),
    }
}
