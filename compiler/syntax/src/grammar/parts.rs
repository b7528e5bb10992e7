//! Basic parsers.
//!
//! After its first token, no parser of the grammar fails: missing parts are reported ([`missing`]), superfluous ones
//! are reported and skipped ([`leftover`]), and the tree has [`ExprKind::Error`] there. So one mistake never
//! invalidates the rest of its item.

use chumsky::input::InputRef;
use chumsky::prelude::*;
use smol_str::SmolStr;

use super::input::{Extra, Failure, Of, Terminals, With};
use crate::error::{Expected, SyntaxErrorKind};
use crate::foreign::{Construct, Foreign};
use crate::items::ItemTokens;
use crate::phrases;
use crate::span::Span;
use crate::token::TokenKind;
use crate::tree::{Expr, ExprKind, Name};

/// The input of handwritten parsers.
pub(super) type Reader<'parse> = InputRef<'static, 'parse, Terminals, Extra>;

/// The kinds of the next tokens.
pub(super) fn peek<const COUNT: usize>(input: &mut Reader<'_>) -> [Option<TokenKind>; COUNT] {
    let start = input.save();
    let kinds = std::array::from_fn(|_| input.next());
    input.rewind(start);
    kinds
}

/// The span of the next token; empty at the end.
pub(super) fn next_span(input: &mut Reader<'_>) -> Span {
    let start = input.save();
    let cursor = input.cursor();
    input.next();
    let span = input.span_since(&cursor);
    input.rewind(start);
    span
}

/// Reports that something is missing before the next token.
pub(super) fn missing(expected: Expected) -> impl Parser<'static, Terminals, (), Extra> + Clone {
    custom(move |input| {
        let span = next_span(input);
        input.emit(Failure::expected(expected, span));
        Ok(())
    })
}

/// A missing expression before the next token.
pub(super) fn missing_expr(expected: Expected) -> impl Parser<'static, Terminals, Expr, Extra> + Clone {
    missing(expected).map_with(|(), extra: &mut With<'_>| error_expr(extra.span()))
}

/// An expression with a syntax error.
pub(super) fn error_expr(span: Span) -> Expr {
    Expr { kind: ExprKind::Error, span }
}

/// A token of a kind; reports a missing one. Returns whether it was there.
pub(super) fn expect(kind: TokenKind, expected: Expected) -> impl Parser<'static, Terminals, bool, Extra> + Clone {
    just(kind).to(true).or(missing(expected).to(false))
}

/// The `:` between a name and its value; reports `=` instead of it, or a missing one.
pub(super) fn colon(expected: Expected) -> impl Parser<'static, Terminals, (), Extra> + Clone {
    custom(move |input| {
        let span = next_span(input);
        match peek(input) {
            [Some(TokenKind::Colon)] => input.skip(),
            [Some(TokenKind::Equal)] => {
                if let Some(kind) = equal_after_name(input.state(), span.start as usize) {
                    input.emit(Failure::new(kind, span));
                }
                input.skip();
            }
            _ => input.emit(Failure::expected(expected, span)),
        }
        Ok(())
    })
}

/// What is said of the `=` behind a name; nothing if the argument before says it already.
fn equal_after_name(tokens: &ItemTokens, equal: usize) -> Option<SyntaxErrorKind> {
    let name = equal.checked_sub(1).filter(|name| phrases::of_reduction(tokens.text(*name)).is_some());
    let Some(name) = name else {
        let (name, next) = (tokens.text(equal.saturating_sub(1)), tokens.text(equal + 1));
        return Some(SyntaxErrorKind::EqualAfterName { text: format!("{name}: {next}").into() });
    };
    // `axis=1, keepdims=True` is one mistake.
    let before = name.checked_sub(4).filter(|_| tokens.text(name - 1) == "," && tokens.text(name - 3) == "=");
    if before.is_some_and(|before| phrases::of_reduction(tokens.text(before)).is_some()) {
        return None;
    }
    let follows = tokens.text(name + 3) == "," && tokens.text(name + 5) == "=";
    let second = Some(name + 4).filter(|at| follows && phrases::of_reduction(tokens.text(*at)).is_some());
    let edit = |at: usize| {
        let value = tokens.text(at + 2);
        let value = if value == "True" { "true" } else { value };
        let before = phrases::of_reduction(tokens.text(at)).unwrap_or_default();
        (Span::new(at as u32, at as u32 + 3), SmolStr::from(format!("{before}{value}")))
    };
    let edits = [name].into_iter().chain(second).map(edit).collect();
    let construct = Construct::Phrase(&phrases::REDUCTION);
    Some(SyntaxErrorKind::Foreign(Box::new(Foreign { construct, edits })))
}

/// Any word.
pub(super) fn word() -> impl Parser<'static, Terminals, Name, Extra> + Clone {
    any().filter(|kind: &TokenKind| kind.is_word()).map_with(|_, extra: &mut With<'_>| {
        let span: Span = extra.span();
        Name { text: SmolStr::new(extra.state().text(span.start as usize)), span }
    })
}

/// A word; if it is missing, reports that and returns an empty name.
pub(super) fn name(expected: Expected) -> impl Parser<'static, Terminals, Name, Extra> + Clone {
    word()
        .or(missing(expected)
            .map_with(|(), extra: &mut With<'_>| Name { text: SmolStr::default(), span: extra.span() }))
}

/// Succeeds without consuming a token if the next ones match.
pub(super) fn ahead<const COUNT: usize>(
    right: impl Fn([Option<TokenKind>; COUNT]) -> bool + Clone + 'static,
) -> impl Parser<'static, Terminals, (), Extra> + Clone {
    custom(
        move |input| {
            if right(peek(input)) { Ok(()) } else { Err(Failure::new(SyntaxErrorKind::Unexpected, Span::default())) }
        },
    )
}

/// Succeeds unless the next token closes the surrounding brackets.
pub(super) fn inside() -> impl Parser<'static, Terminals, (), Extra> + Clone {
    ahead(|[next]| next.is_some_and(|kind| !kind.is_closing() && kind != TokenKind::Semicolon))
}

/// Reports and skips everything before the next acceptable token, whole brackets at a time. Brackets that close the
/// surrounding ones are always acceptable.
pub(super) fn leftover(
    stops: impl Fn(TokenKind) -> bool + Clone + 'static,
    expected: Expected,
) -> impl Parser<'static, Terminals, (), Extra> + Clone {
    skipped(stops, expected).ignored()
}

/// The same; tells whether there was anything.
pub(super) fn skipped(
    stops: impl Fn(TokenKind) -> bool + Clone + 'static,
    expected: Expected,
) -> impl Parser<'static, Terminals, bool, Extra> + Clone {
    custom(move |input| {
        let mut depth = 0_usize;
        let mut first = true;
        while let [Some(kind)] = peek(input) {
            if depth == 0 && (kind.is_closing() || stops(kind)) {
                break;
            }
            if first {
                let span = next_span(input);
                // `=` at the end of a statement was not meant as a comparison.
                let compares = kind == TokenKind::Equal && expected != Expected::EndOfStatement;
                input.emit(match compares {
                    true => Failure::new(SyntaxErrorKind::AssignmentInExpression, span),
                    false => Failure::expected(expected, span),
                });
                first = false;
            }
            if kind.is_opening() {
                depth += 1;
            } else if kind.is_closing() {
                depth -= 1;
            }
            input.skip();
        }
        Ok(!first)
    })
}

/// Elements between two brackets, separated by commas, with an optional trailing comma.
pub(super) fn elements<Output: 'static>(
    element: impl Parser<'static, Terminals, Output, Extra> + Clone + 'static,
) -> Of<Vec<Output>> {
    let stop = |kind| matches!(kind, TokenKind::Comma | TokenKind::Semicolon);
    inside()
        .ignore_then(element)
        .then_ignore(leftover(stop, Expected::CommaOrClosing))
        .separated_by(just(TokenKind::Comma))
        .allow_trailing()
        .collect()
        .boxed()
}

/// Elements in square brackets, with the span of the brackets; reports a missing opening bracket.
pub(super) fn bracketed<Output: 'static>(content: Of<Vec<Output>>, expected: Expected) -> Of<(Vec<Output>, Span)> {
    just(TokenKind::OpenBracket)
        .ignore_then(content)
        .then_ignore(just(TokenKind::CloseBracket))
        .or(missing(expected).map(|()| Vec::new()))
        .map_with(|content, extra: &mut With<'_>| (content, extra.span()))
        .boxed()
}
