//! Parses `kernel NAME[generics](params) where facts tune(candidates) cluster(c) grid(n) block(b) { body }`.

use std::sync::Arc;

use chumsky::prelude::*;

use super::expressions::Expressions;
use super::input::{Failure, Of};
use super::launches::launch_clause;
use super::parts::*;
use super::statements::block;
use crate::error::{Expected, SyntaxErrorKind};
use crate::token::TokenKind;
use crate::tree::*;

/// A kernel.
pub(super) fn kernel(expressions: &Expressions) -> Of<ItemKind> {
    let before_params = |kind| matches!(kind, TokenKind::OpenParen | TokenKind::OpenBrace);
    let body = leftover(|kind| kind == TokenKind::OpenBrace, Expected::KernelBody).ignore_then(
        ahead(|[next]| next == Some(TokenKind::OpenBrace))
            .ignore_then(block(expressions))
            .or(missing(Expected::KernelBody)
                .map_with(|(), extra| Block { statements: Vec::new(), span: extra.span() })),
    );
    just(TokenKind::Kernel)
        .or(any())
        .ignore_then(name(Expected::KernelName))
        .then(generics(expressions))
        .then_ignore(leftover(before_params, Expected::Parameters))
        .then(params(expressions))
        .then(clause(expressions).repeated().collect::<Vec<_>>())
        .then(body)
        .map(|((((name, generics), params), found), body)| {
            let (mut facts, mut tune, mut clauses) = (Vec::new(), Vec::new(), Vec::new());
            for clause in found {
                match clause {
                    Clause::Facts(more) => facts.extend(more),
                    Clause::Tune(more) => tune.extend(more),
                    Clause::Launch(clause) => clauses.push(clause),
                }
            }
            ItemKind::Kernel(Arc::new(Kernel { name, generics, params, facts, tune, clauses, body }))
        })
        .boxed()
}

/// What stands between the parameters of a kernel and its body.
#[derive(Clone)]
enum Clause {
    /// `where N <= B`
    Facts(Vec<Expr>),
    /// `tune(B: [32, 64])`
    Tune(Vec<Argument>),
    /// `grid(4)`
    Launch(LaunchClause),
}

/// Parses one clause.
fn clause(expressions: &Expressions) -> Of<Clause> {
    let facts = just(TokenKind::Where).ignore_then(
        expressions
            .header
            .clone()
            .separated_by(just(TokenKind::Comma))
            .at_least(1)
            .allow_trailing()
            .collect()
            .or(missing(Expected::Fact).map(|()| Vec::new())),
    );
    let tune = just(TokenKind::Tune)
        .ignore_then(expressions.arguments.clone().or(missing(Expected::Candidates).map(|()| Vec::new())));
    choice((
        facts.map(Clause::Facts),
        tune.map(Clause::Tune),
        launch_clause(expressions.arguments.clone()).map(Clause::Launch),
    ))
    .boxed()
}

/// Parses `[B = 64, T: f16 | f32 = f32]`; reports `<T, const B>`, with which other languages write them.
fn generics(expressions: &Expressions) -> Of<Vec<Generic>> {
    let list = just(TokenKind::OpenBracket)
        .ignore_then(elements(generic(expressions)))
        .then_ignore(leftover(|_| false, Expected::CommaOrClosing))
        .then_ignore(just(TokenKind::CloseBracket));
    let angle = just(TokenKind::Less)
        .map_with(|_, extra| extra.span())
        .validate(|span, _, emitter| emitter.emit(Failure::new(SyntaxErrorKind::AngleGenerics, span)))
        .then_ignore(
            any()
                .filter(|kind| !matches!(kind, TokenKind::Greater | TokenKind::OpenParen | TokenKind::OpenBrace))
                .repeated(),
        )
        .then_ignore(just(TokenKind::Greater).or_not())
        .map(|()| Vec::new());
    choice((list, angle, empty().map(|()| Vec::new()))).boxed()
}

/// Parses `B = 64` or `T: f16 | f32 = f32`.
fn generic(expressions: &Expressions) -> Of<Generic> {
    let types = just(TokenKind::Colon)
        .ignore_then(name(Expected::ElementType).separated_by(just(TokenKind::Bar)).at_least(1).collect::<Vec<_>>())
        .then(just(TokenKind::Equal).ignore_then(name(Expected::ElementType)).or_not())
        .map(|(types, default)| GenericKind::Element { types, default });
    let constant = just(TokenKind::Equal)
        .ignore_then(expressions.expect(Expected::Expression))
        .map(Some)
        .or(missing(Expected::GenericDefault).map(|()| None))
        .map(|default| GenericKind::Constant { default });
    name(Expected::GenericName)
        .then(types.or(constant))
        .map_with(|(name, kind), extra| Generic { name, kind, span: extra.span() })
        .boxed()
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
