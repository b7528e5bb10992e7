//! Statements without a body that a word starts.

use chumsky::prelude::*;
use smol_str::SmolStr;

use super::expressions::Expressions;
use super::input::Of;
use super::parts::*;
use crate::error::Expected;
use crate::token::TokenKind;
use crate::tree::*;

/// `const N = e`, `map m = e`
pub(super) fn define(expressions: &Expressions) -> Of<StatementKind> {
    let word = select! { TokenKind::Const => DefinitionWord::Const, TokenKind::Map => DefinitionWord::Map };
    word.then(name(Expected::DefinedName))
        .then_ignore(expect(TokenKind::Equal, Expected::Definition))
        .then(expressions.expect(Expected::Expression))
        .map(|((word, name), value)| StatementKind::Define { word, name, value })
        .boxed()
}

/// `assert e`
pub(super) fn assert(expressions: &Expressions) -> Of<StatementKind> {
    just(TokenKind::Assert)
        .ignore_then(expressions.expect(Expected::Expression))
        .map(|value| StatementKind::Assert { value })
        .boxed()
}

/// `view v = t via m per block masked`
pub(super) fn view(expressions: &Expressions) -> Of<StatementKind> {
    let clause = |word, expected| just(word).ignore_then(expressions.expect(expected)).or_not();
    just(TokenKind::View)
        .ignore_then(name(Expected::VariableName))
        .then_ignore(expect(TokenKind::Equal, Expected::Value))
        .then(expressions.expect(Expected::Expression))
        .then(clause(TokenKind::Via, Expected::Expression))
        .then(clause(TokenKind::Per, Expected::Expression))
        .then(just(TokenKind::Masked).map_with(|_, extra| extra.span()).or_not())
        .map(|((((name, source), via), per), masked)| StatementKind::View { name, source, via, per, masked })
        .boxed()
}

/// `let mut x: f32 = e`, `let t: f32[4, 4] = e`
pub(super) fn let_(expressions: &Expressions) -> Of<StatementKind> {
    let mutable = just(TokenKind::Mut)
        .then_ignore(ahead(|[next]| next.is_some_and(TokenKind::is_word)))
        .or_not()
        .map(|word| word.is_some());
    let shape = ahead(|[next]| next == Some(TokenKind::OpenBracket))
        .ignore_then(bracketed(expressions.list.clone(), Expected::ElementType))
        .map(|(shape, _)| shape)
        .or_not();
    let element = just(TokenKind::Colon).ignore_then(name(Expected::ElementType)).then(shape).or_not();
    // A value that nobody uses.
    let unnamed =
        just(TokenKind::Underscore).map_with(|_, extra| Name { text: SmolStr::new_static("_"), span: extra.span() });
    just(TokenKind::Let)
        .ignore_then(mutable)
        .then(unnamed.or(name(Expected::VariableName)))
        .then(element)
        .then_ignore(expect(TokenKind::Equal, Expected::Value))
        .then(expressions.expect(Expected::Expression))
        .map(|(((mutable, name), typed), value)| {
            let (element, shape) = typed.map_or((None, None), |(element, shape)| (Some(element), shape));
            StatementKind::Let { name, mutable, element, shape, value }
        })
        .boxed()
}

/// `shared buf : f32[64, 64] |> xor`
pub(super) fn shared(expressions: &Expressions) -> Of<StatementKind> {
    let shape = bracketed(expressions.list.clone(), Expected::SharedType).map(|(shape, _)| shape);
    let layout = just(TokenKind::Pipe).ignore_then(expressions.expect(Expected::Operand));
    just(TokenKind::Shared)
        .ignore_then(name(Expected::VariableName))
        .then_ignore(expect(TokenKind::Colon, Expected::SharedType))
        .then(name(Expected::ElementType))
        .then(shape)
        .then(layout.or_not())
        .map(|(((name, element), shape), layout)| StatementKind::Shared {
            name,
            element,
            shape,
            layout: layout.map(stages).unwrap_or_default(),
        })
        .boxed()
}

/// The stages of a pipeline.
fn stages(expr: Expr) -> Vec<Expr> {
    match expr.kind {
        ExprKind::Chain { first, rest } if rest.iter().all(|link| link.op == BinaryOp::Pipe) => {
            std::iter::once(*first).chain(rest.into_iter().map(|link| link.operand)).collect()
        }
        _ => vec![expr],
    }
}

/// `async s[i] = x[j]`
pub(super) fn async_(expressions: &Expressions) -> Of<StatementKind> {
    just(TokenKind::Async)
        .map_with(|_, extra| extra.span())
        .then(expressions.expect(Expected::Statement))
        .then_ignore(expect(TokenKind::Equal, Expected::Value))
        .then(expressions.expect(Expected::Expression))
        .map(|((word, target), value)| StatementKind::Assign { target, op: None, value, word: Some(word) })
        .boxed()
}
