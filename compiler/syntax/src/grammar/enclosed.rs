//! Expressions with delimiters: tuples and units, sizes, groups, and conditionals.

use chumsky::prelude::*;

use super::input::{Of, With};
use super::parts::*;
use crate::error::Expected;
use crate::span::Span;
use crate::token::TokenKind;
use crate::tree::*;

/// Parses `(e)`, `(a, b)` and `(domain; box)`.
pub(super) fn paren(list: Of<Vec<Expr>>) -> Of<Expr> {
    // A trailing comma distinguishes `(a,)` from `(a)`.
    let after_comma = empty().map_with(|(), extra: &mut With<'_>| {
        let span: Span = extra.span();
        let last = (span.start as usize).checked_sub(1);
        last.is_some_and(|last| extra.state().kind(last) == Some(TokenKind::Comma))
    });
    just(TokenKind::OpenParen)
        .ignore_then(list.clone().then(after_comma))
        .then(just(TokenKind::Semicolon).ignore_then(list).or_not())
        .then_ignore(leftover(|_| false, Expected::CommaOrClosing))
        .then_ignore(just(TokenKind::CloseParen))
        .map_with(|((mut content, comma), box_), extra: &mut With<'_>| {
            let kind = match box_ {
                Some(box_) => ExprKind::Unit { domain: without_tuple(content), box_: without_tuple(box_) },
                None if content.len() == 1 && !comma => match content.pop() {
                    Some(only) => ExprKind::Paren(Box::new(only)),
                    None => ExprKind::Error,
                },
                None => ExprKind::Tuple(content),
            };
            Expr { kind, span: extra.span() }
        })
        .boxed()
}

/// The elements of a tuple, if it is the only expression.
fn without_tuple(mut exprs: Vec<Expr>) -> Vec<Expr> {
    match exprs.as_mut_slice() {
        [Expr { kind: ExprKind::Tuple(inner), .. }] => std::mem::take(inner),
        _ => exprs,
    }
}

/// Parses `|e|`.
pub(super) fn size(element: Of<Expr>) -> Of<Expr> {
    just(TokenKind::SizeOpen)
        .ignore_then(element)
        .then_ignore(leftover(|_| false, Expected::SizeEnd))
        .then_ignore(just(TokenKind::SizeClose))
        .map_with(|inner, extra: &mut With<'_>| Expr { kind: ExprKind::Size(Box::new(inner)), span: extra.span() })
        .boxed()
}

/// Parses `{ 0: _, (1, 2): merge => 1 }`.
pub(super) fn group(element: Of<Expr>) -> Of<Expr> {
    let transform = expect(TokenKind::Colon, Expected::Transform).ignore_then(element.clone());
    let upper = just(TokenKind::FatArrow).ignore_then(element.clone()).map(ids).or_not();
    let entry = element.then(transform).then(upper).map_with(|((lower, transform), upper), extra: &mut With<'_>| {
        GroupEntry { lower: ids(lower), transform, upper, span: extra.span() }
    });
    just(TokenKind::OpenBrace)
        .ignore_then(elements(entry))
        .then_ignore(leftover(|_| false, Expected::CommaOrClosing))
        .then_ignore(just(TokenKind::CloseBrace))
        .map_with(|entries, extra: &mut With<'_>| Expr { kind: ExprKind::Group(entries), span: extra.span() })
        .boxed()
}

/// The dimensions in a tuple or a single expression.
fn ids(expr: Expr) -> Vec<Expr> {
    match expr.kind {
        ExprKind::Tuple(ids) => ids,
        ExprKind::Paren(id) => vec![*id],
        _ => vec![expr],
    }
}

/// Parses `if c { a } else if d { b } else { e }`.
pub(super) fn condition(element: Of<Expr>, header: Of<Expr>) -> Of<Expr> {
    let branch = just(TokenKind::OpenBrace)
        .ignore_then(element)
        .then_ignore(leftover(|_| false, Expected::CommaOrClosing))
        .then_ignore(just(TokenKind::CloseBrace))
        .or(missing_expr(Expected::Body))
        .boxed();
    let arm = just(TokenKind::If)
        .ignore_then(header)
        .then(branch.clone())
        .map(|(condition, value)| Arm { condition, value })
        .boxed();
    let else_if = ahead(|kinds| kinds == [Some(TokenKind::Else), Some(TokenKind::If)])
        .ignore_then(just(TokenKind::Else))
        .ignore_then(arm.clone());
    let otherwise = just(TokenKind::Else).ignore_then(branch).or(missing_expr(Expected::Else));
    arm.then(else_if.repeated().collect::<Vec<_>>())
        .then(otherwise)
        .map_with(|((first, others), otherwise), extra: &mut With<'_>| {
            let arms = std::iter::once(first).chain(others).collect();
            Expr { kind: ExprKind::If { arms, otherwise: Box::new(otherwise) }, span: extra.span() }
        })
        .boxed()
}
