//! `reshape_map([3] | [4] => layout: [i0, t0], offset: 0)`, also as the Rust macro `gpu::reshape_map!(…)`.

use chumsky::prelude::*;

use super::input::{Extra, Failure, Of, Terminals};
use super::parts::*;
use crate::syntax::error::{Expected, SyntaxErrorKind};
use crate::syntax::span::Span;
use crate::syntax::token::TokenKind;
use crate::syntax::tree::*;

/// A `reshape_map`, or another name after `gpu::`.
pub(super) fn reshape_map(list: Of<Vec<Expr>>, element: Of<Expr>) -> Of<Expr> {
    let dimensions = |expected| bracketed(list.clone(), expected);
    let inside = dimensions(Expected::LocalDimensions)
        .then_ignore(leftover(|kind| ends_dimensions(kind) || kind == TokenKind::Bar, Expected::ThreadDimensions))
        .then_ignore(bar())
        .then(dimensions(Expected::ThreadDimensions))
        .then_ignore(leftover(ends_dimensions, Expected::Arrow))
        .then_ignore(arrow())
        .then(parts(list, element))
        .boxed();
    let call = just(TokenKind::ReshapeMap)
        .then(just(TokenKind::Bang).or_not())
        .then(just(TokenKind::OpenParen))
        .ignore_then(inside)
        .then_ignore(just(TokenKind::CloseParen))
        .map(|(((local, local_span), (thread, thread_span)), (layout, offset))| {
            let map = ReshapeMap { local, local_span, thread, thread_span, layout, offset };
            ExprKind::ReshapeMap(Box::new(map))
        });
    let other = name(Expected::MemberName).map(|name| ExprKind::Name(name.text));
    just(TokenKind::Gpu)
        .then(just(TokenKind::PathSeparator))
        .or_not()
        .ignore_then(call.or(other))
        .map_with(|kind, extra| Expr { kind, span: extra.span() })
        .boxed()
}

/// Whether a token may follow the dimensions, rightly or by a mistake with a report of its own.
fn ends_dimensions(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, FatArrow | Layout | Offset | Comma | Equal | OpenBracket)
}

/// The `|`, or a comma that people write for it.
fn bar() -> impl Parser<'static, Terminals, (), Extra> + Clone {
    custom(|input| {
        let [next, second] = peek(input);
        if next != Some(TokenKind::Bar) {
            let span = next_span(input);
            input.emit(Failure::expected(Expected::ThreadDimensions, span));
        }
        if next == Some(TokenKind::Bar) || (next, second) == (Some(TokenKind::Comma), Some(TokenKind::OpenBracket)) {
            input.skip();
        }
        Ok(())
    })
}

/// The `=>`, which may be left out with all that follows it.
fn arrow() -> impl Parser<'static, Terminals, (), Extra> + Clone {
    custom(|input| {
        let [next, second] = peek(input);
        let span = next_span(input);
        match next {
            Some(TokenKind::FatArrow) => input.skip(),
            Some(TokenKind::Layout | TokenKind::Offset | TokenKind::OpenBracket) => {
                input.emit(Failure::new(SyntaxErrorKind::MissingArrow, span));
            }
            // A comma after the last part is allowed.
            Some(TokenKind::Comma) if second.is_some_and(TokenKind::is_closing) => {}
            Some(TokenKind::Comma | TokenKind::Equal) => {
                input.emit(Failure::expected(Expected::Arrow, span));
                input.skip();
            }
            _ => {}
        }
        Ok(())
    })
}

/// `layout: […]` and `offset: e`, in any order, with or without a comma between them.
fn parts(list: Of<Vec<Expr>>, element: Of<Expr>) -> Of<(Option<Layout>, Option<Expr>)> {
    let entries = bracketed(list, Expected::Layout).map(|(entries, span)| Layout { entries, span }).boxed();
    let layout = expect(TokenKind::Colon, Expected::Layout).ignore_then(entries.clone()).boxed();
    let offset = expect(TokenKind::Colon, Expected::Offset).ignore_then(element).boxed();
    let separator = |kind| matches!(kind, TokenKind::Comma | TokenKind::Layout | TokenKind::Offset);
    let unknown = leftover(separator, Expected::LayoutOrOffset).boxed();
    custom(move |input| {
        let mut found = (None, None);
        while let [Some(kind)] = peek(input) {
            let span = next_span(input);
            match kind {
                TokenKind::Comma => input.skip(),
                TokenKind::Layout => {
                    input.skip();
                    let part = input.parse(&layout)?;
                    once(&mut found.0, part, span, |failure| input.emit(failure));
                }
                TokenKind::OpenBracket => {
                    input.emit(Failure::new(SyntaxErrorKind::MissingLayoutWord, span));
                    let part = input.parse(&entries)?;
                    once(&mut found.0, part, span, |failure| input.emit(failure));
                }
                TokenKind::Offset => {
                    input.skip();
                    let part = input.parse(&offset)?;
                    once(&mut found.1, part, span, |failure| input.emit(failure));
                }
                kind if kind.is_closing() => break,
                _ => input.parse(&unknown)?,
            }
        }
        Ok(found)
    })
    .boxed()
}

/// Keeps the first of several parts that may stand only once, and reports the others.
fn once<Part>(slot: &mut Option<Part>, part: Part, span: Span, emit: impl FnOnce(Failure)) {
    match slot {
        Some(_) => emit(Failure::new(SyntaxErrorKind::Repeated, span)),
        None => *slot = Some(part),
    }
}
