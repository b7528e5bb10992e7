//! Parses `kernel NAME<generics>(params) cluster(c) grid(n) block(b) { body }`.

use std::sync::Arc;

use chumsky::prelude::*;

use super::expressions::Expressions;
use super::input::{Extra, Of, Terminals};
use super::launches::launch_clause;
use super::parts::*;
use super::statements::block;
use crate::error::Expected;
use crate::token::TokenKind;
use crate::tree::*;

/// A kernel.
pub(super) fn kernel(expressions: &Expressions) -> Of<ItemKind> {
    let before_params = |kind| matches!(kind, TokenKind::OpenParen | TokenKind::OpenBrace);
    let clauses = launch_clause(expressions.arguments.clone()).repeated().collect::<Vec<_>>();
    let body = leftover(|kind| kind == TokenKind::OpenBrace, Expected::KernelBody).ignore_then(
        ahead(|[next]| next == Some(TokenKind::OpenBrace))
            .ignore_then(block(expressions))
            .or(missing(Expected::KernelBody)
                .map_with(|(), extra| Block { statements: Vec::new(), span: extra.span() })),
    );
    just(TokenKind::Kernel)
        .or(any())
        .ignore_then(name(Expected::KernelName))
        .then(generics())
        .then_ignore(leftover(before_params, Expected::Parameters))
        .then(params(expressions))
        .then(clauses)
        .then(body)
        .map(|((((name, generics), params), clauses), body)| {
            ItemKind::Kernel(Arc::new(Kernel { name, generics, params, clauses, body }))
        })
        .boxed()
}

/// Parses `<T, const B>`.
fn generics() -> impl Parser<'static, Terminals, Vec<Name>, Extra> + Clone {
    let generic = ahead(|[next]| next.is_some_and(TokenKind::is_word))
        .ignore_then(just(TokenKind::Const).then_ignore(ahead(|[next]| next.is_some_and(TokenKind::is_word))).or_not())
        .ignore_then(name(Expected::GenericName));
    just(TokenKind::Less)
        .ignore_then(generic.separated_by(just(TokenKind::Comma)).allow_trailing().collect())
        .then_ignore(leftover(
            |kind| matches!(kind, TokenKind::Greater | TokenKind::OpenParen | TokenKind::OpenBrace),
            Expected::GenericName,
        ))
        .then_ignore(expect(TokenKind::Greater, Expected::GenericsEnd))
        .or(empty().map(|()| Vec::new()))
}

/// Parses `(a: f32, y: mut f32[N, M] strided [LD, 1])`.
fn params(expressions: &Expressions) -> Of<Vec<Param>> {
    let list = |expected| bracketed(expressions.list.clone(), expected).map(|(content, _)| content);
    let brackets = |[next]: [Option<TokenKind>; 1]| next == Some(TokenKind::OpenBracket);
    let mutable = just(TokenKind::Mut).or_not().map(|word| word.is_some());
    let shape = ahead(brackets).ignore_then(list(Expected::Expression)).or_not();
    let strides = just(TokenKind::Strided).ignore_then(list(Expected::Strides)).or_not();
    let param = name(Expected::ParameterName)
        .then_ignore(expect(TokenKind::Colon, Expected::ParameterType))
        .then(mutable)
        .then(name(Expected::ElementType))
        .then(shape)
        .then(strides)
        .map_with(|((((name, mutable), element), shape), strides), extra| Param {
            name,
            mutable,
            element,
            shape,
            strides,
            span: extra.span(),
        });
    just(TokenKind::OpenParen)
        .ignore_then(elements(param))
        .then_ignore(leftover(|_| false, Expected::CommaOrClosing))
        .then_ignore(just(TokenKind::CloseParen))
        .or(missing(Expected::Parameters).map(|()| Vec::new()))
        .boxed()
}
