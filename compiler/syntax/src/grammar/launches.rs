//! Parses adjacent launch clauses: `cluster(1) block(384)`.

use chumsky::prelude::*;

use super::input::{Failure, Of, With};
use super::parts::*;
use crate::error::SyntaxErrorKind;
use crate::token::TokenKind;
use crate::tree::*;

/// Parses a `postfix` expression, and directly after it further launch clauses.
///
/// A single clause stays a call, since `block(0)` may also be a dimension of a shape called `block`; name resolution
/// decides that.
pub(super) fn launch(postfix: Of<Expr>, arguments: Of<Vec<Argument>>) -> Of<Expr> {
    postfix
        .then(launch_clause(arguments).repeated().collect::<Vec<_>>())
        .map_with(|(first, clauses), extra: &mut With<'_>| {
            let span = extra.span();
            let Some(second) = clauses.first() else {
                return first;
            };
            let misplaced = second.span;
            match first_clause(first) {
                Ok(first) => {
                    let clauses = std::iter::once(first).chain(clauses).collect();
                    Expr { kind: ExprKind::Launch(clauses), span }
                }
                Err(other) => {
                    extra.emit(Failure::new(SyntaxErrorKind::MisplacedLaunchClause, misplaced));
                    other
                }
            }
        })
        .boxed()
}

/// Parses `block(384)`.
pub(super) fn launch_clause(arguments: Of<Vec<Argument>>) -> Of<LaunchClause> {
    ahead(|[word, paren]| paren == Some(TokenKind::OpenParen) && word.and_then(clause_of).is_some())
        .ignore_then(any())
        .then(arguments)
        .map_with(|(word, args), extra: &mut With<'_>| LaunchClause {
            kind: clause_of(word).unwrap_or(LaunchClauseKind::Block),
            args: args.into_iter().map(|argument| argument.value).collect(),
            span: extra.span(),
        })
        .boxed()
}

/// The launch clause of a word.
fn clause_of(word: TokenKind) -> Option<LaunchClauseKind> {
    match word {
        TokenKind::Cluster => Some(LaunchClauseKind::Cluster),
        TokenKind::Grid => Some(LaunchClauseKind::Grid),
        TokenKind::Block => Some(LaunchClauseKind::Block),
        _ => None,
    }
}

/// Converts `cluster(1)`, parsed as a call, to a launch clause.
fn first_clause(expr: Expr) -> Result<LaunchClause, Expr> {
    let ExprKind::Postfix { base, suffixes } = &expr.kind else {
        return Err(expr);
    };
    let kind = match &base.kind {
        ExprKind::Name(name) => clause_of(TokenKind::of_name(name.as_bytes())),
        _ => None,
    };
    match (kind, suffixes.as_slice()) {
        (Some(kind), [Suffix { kind: SuffixKind::Call(args), .. }]) => {
            let args = args.iter().map(|argument| argument.value.clone()).collect();
            Ok(LaunchClause { kind, args, span: expr.span })
        }
        _ => Err(expr),
    }
}
