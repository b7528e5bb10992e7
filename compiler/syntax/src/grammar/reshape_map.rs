//! Parses `reshape_map([3] | [4] => layout: [i0, t0], offset: 0)`, also as the Rust macro `gpu::reshape_map!(…)`.

use chumsky::prelude::*;

use super::input::{Extra, Failure, Of, Terminals};
use super::parts::*;
use crate::error::{Expected, SyntaxErrorKind};
use crate::span::Span;
use crate::token::TokenKind;
use crate::tree::*;

/// Parses a `reshape_map`, or another name after `gpu::`.
pub(super) fn reshape_map(list: Of<Vec<Expr>>, element: Of<Expr>) -> Of<Expr> {
    let dimensions = |expected| bracketed(list.clone(), expected);
    let inside = dimensions(Expected::LocalDimensions)
        .then_ignore(leftover(ends_local_dimensions, Expected::ThreadDimensions))
        .then_ignore(bar())
        .then(dimensions(Expected::ThreadDimensions))
        .then_ignore(leftover(ends_thread_dimensions, Expected::Arrow))
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

/// Whether a token may follow the dimensions, including tokens with a specific error.
fn ends_dimensions(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, FatArrow | Arrow | Layout | Offset | Comma | Equal | OpenBracket)
}

fn ends_local_dimensions(kind: TokenKind) -> bool {
    ends_dimensions(kind) || matches!(kind, TokenKind::Bar | TokenKind::OrOr)
}

fn ends_thread_dimensions(kind: TokenKind) -> bool {
    ends_dimensions(kind) || kind == TokenKind::Minus
}

/// The `|`; reports what is written instead of it before the thread dimensions: nothing, a comma, `||`.
fn bar() -> impl Parser<'static, Terminals, (), Extra> + Clone {
    use TokenKind::*;
    custom(|input| {
        let span = next_span(input);
        match peek(input) {
            [Some(Bar), _] => input.skip(),
            [Some(Comma | OrOr), Some(OpenBracket)] => {
                input.emit(Failure::new(SyntaxErrorKind::MissingBar, span));
                input.skip();
            }
            [Some(OpenBracket), _] => input.emit(Failure::new(SyntaxErrorKind::MissingBar, span)),
            _ => input.emit(Failure::expected(Expected::ThreadDimensions, span)),
        }
        Ok(())
    })
}

/// The `=>`, which may be omitted with everything after it; reports what is written instead of it: nothing, a comma,
/// `=`, `->`.
fn arrow() -> impl Parser<'static, Terminals, (), Extra> + Clone {
    use TokenKind::*;
    custom(|input| {
        let span = next_span(input);
        match peek(input) {
            [Some(FatArrow), _] => input.skip(),
            [Some(Layout | Offset | OpenBracket), _] => input.emit(Failure::new(SyntaxErrorKind::MissingArrow, span)),
            // A trailing comma is allowed.
            [Some(Comma), Some(second)] if second.is_closing() => {}
            [Some(Comma | Equal | Arrow), _] => {
                input.emit(Failure::new(SyntaxErrorKind::MissingArrow, span));
                input.skip();
            }
            [Some(Minus), _] => input.emit(Failure::expected(Expected::Arrow, span)),
            _ => {}
        }
        Ok(())
    })
}

/// Parses `layout: […]` and `offset: e`, in any order, with or without a comma between them.
fn parts(list: Of<Vec<Expr>>, element: Of<Expr>) -> Of<(Option<Layout>, Option<Expr>)> {
    let entries = bracketed(list, Expected::Layout).map(|(entries, span)| Layout { entries, span }).boxed();
    // A missing layout is reported once, and not for its length as well.
    let brackets = ahead(|[next]| next == Some(TokenKind::OpenBracket)).ignore_then(entries.clone()).map(Some);
    let layout = colon(Expected::Layout).ignore_then(brackets.or(missing(Expected::Layout).to(None))).boxed();
    let offset = colon(Expected::Offset).ignore_then(element).boxed();
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
                    if let Some(part) = input.parse(&layout)? {
                        once(&mut found.0, part, span, |failure| input.emit(failure));
                    }
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

/// Keeps the first of several parts that may occur once, and reports the others.
fn once<Part>(slot: &mut Option<Part>, part: Part, span: Span, emit: impl FnOnce(Failure)) {
    match slot {
        Some(_) => emit(Failure::new(SyntaxErrorKind::Repeated, span)),
        None => *slot = Some(part),
    }
}
