//! Parses `fn NAME[generics](params) -> type { body }` and `fn NAME(params) = value`.

use std::sync::Arc;

use chumsky::prelude::*;

use super::expressions::Expressions;
use super::input::Of;
use super::parts::*;
use crate::error::Expected;
use crate::token::TokenKind;
use crate::tree::*;

/// A function as an item.
pub(super) fn function_item(expressions: &Expressions, block: Of<Block>) -> Of<ItemKind> {
    function(expressions, block).map(|function| ItemKind::Function(Arc::new(function))).boxed()
}

/// A function.
pub(super) fn function(expressions: &Expressions, block: Of<Block>) -> Of<Function> {
    let before_params = |kind| matches!(kind, TokenKind::OpenParen | TokenKind::OpenBrace | TokenKind::Equal);
    let before_body = |kind| matches!(kind, TokenKind::OpenBrace | TokenKind::Equal | TokenKind::Semicolon);
    let result = just(TokenKind::Arrow).ignore_then(type_name(expressions)).or_not();
    let value = just(TokenKind::Equal).ignore_then(expressions.expect(Expected::Expression));
    let braces = ahead(|[next]| next == Some(TokenKind::OpenBrace)).ignore_then(block).map(with_value);
    let absent = missing_expr(Expected::FunctionBody);
    just(TokenKind::Fn)
        .ignore_then(name(Expected::FunctionName))
        .then(generics())
        .then_ignore(leftover(before_params, Expected::Parameters))
        .then(params(expressions))
        .then(result)
        .then_ignore(leftover(before_body, Expected::FunctionBody))
        .then(choice((value, braces, absent)))
        .map_with(|((((name, generics), params), result), body), extra| Function {
            name,
            generics,
            params,
            result,
            body,
            span: extra.span(),
        })
        .boxed()
}

/// Parses `[T, N]`.
fn generics() -> Of<Vec<Name>> {
    just(TokenKind::OpenBracket)
        .ignore_then(elements(name(Expected::GenericName)))
        .then_ignore(leftover(|_| false, Expected::CommaOrClosing))
        .then_ignore(just(TokenKind::CloseBracket))
        .or(empty().map(|()| Vec::new()))
        .boxed()
}

/// Parses `(x: f32, n)`.
fn params(expressions: &Expressions) -> Of<Vec<FunctionParam>> {
    let annotation = just(TokenKind::Colon).ignore_then(type_name(expressions)).or_not();
    let param = name(Expected::ParameterName).then(annotation).map_with(|(name, annotation), extra| FunctionParam {
        name,
        annotation,
        span: extra.span(),
    });
    just(TokenKind::OpenParen)
        .ignore_then(elements(param))
        .then_ignore(leftover(|_| false, Expected::CommaOrClosing))
        .then_ignore(just(TokenKind::CloseParen))
        .or(missing(Expected::Parameters).map(|()| Vec::new()))
        .boxed()
}

/// Parses `f32` or `f32[M, N]`.
fn type_name(expressions: &Expressions) -> Of<TypeName> {
    let shape = ahead(|[next]| next == Some(TokenKind::OpenBracket))
        .ignore_then(bracketed(expressions.list.clone(), Expected::Expression).map(|(content, _)| content))
        .or_not();
    name(Expected::ElementType).then(shape).map(|(element, shape)| TypeName { element, shape }).boxed()
}

/// A block as an expression. An `if` at its end is an expression, too.
fn with_value(mut block: Block) -> Expr {
    if let Some(last) = block.statements.last_mut()
        && let StatementKind::If { otherwise: Some(_), .. } = &last.kind
    {
        let kind = std::mem::replace(&mut last.kind, StatementKind::Expr(error_expr(last.span)));
        if let StatementKind::If { arms, otherwise: Some(otherwise) } = kind {
            let arm = |(condition, block)| Arm { condition, value: with_value(block) };
            let arms = arms.into_iter().map(arm).collect();
            let kind = ExprKind::If { arms, otherwise: Box::new(with_value(otherwise)) };
            last.kind = StatementKind::Expr(Expr { kind, span: last.span });
        }
    }
    Expr { span: block.span, kind: ExprKind::Block(Box::new(block)) }
}
