//! Numbers, strings and the other single tokens with a value.

use chumsky::prelude::*;
use smol_str::SmolStr;

use super::input::{Failure, Of, With};
use crate::syntax::error::SyntaxErrorKind;
use crate::syntax::span::Span;
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{Expr, ExprKind, StringLiteral};

/// `true`, `_`, `?`, and what was nested too deeply.
pub(super) fn constant() -> Of<Expr> {
    select! {
        TokenKind::True => ExprKind::Bool(true),
        TokenKind::False => ExprKind::Bool(false),
        TokenKind::Underscore => ExprKind::Underscore,
        TokenKind::Question => ExprKind::Question,
        TokenKind::Folded => ExprKind::Error,
    }
    .map_with(|kind, extra: &mut With<'_>| Expr { kind, span: extra.span() })
    .boxed()
}

/// `64`, `2.0`
pub(super) fn number() -> Of<Expr> {
    one_of([TokenKind::Integer, TokenKind::Float])
        .map_with(|kind, extra: &mut With<'_>| {
            let span: Span = extra.span();
            let text = extra.state().text(span.start as usize);
            let value = if kind == TokenKind::Integer {
                integer_value(text).map(|value| ExprKind::Int(Some(value)))
            } else {
                float_value(text).map(ExprKind::Float)
            };
            let kind = value.unwrap_or_else(|error| {
                extra.emit(Failure::new(error, span));
                ExprKind::Int(None)
            });
            Expr { kind, span }
        })
        .boxed()
}

/// The value of an integer as written.
fn integer_value(text: &str) -> Result<i64, SyntaxErrorKind> {
    let text = text.strip_suffix("_ic").unwrap_or(text);
    let (radix, digits) = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(digits) => (16, digits),
        None => (10, text),
    };
    let digits = digits.replace('_', "");
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Err(SyntaxErrorKind::MalformedNumber);
    }
    i64::from_str_radix(&digits, radix).map_err(|_| SyntaxErrorKind::IntegerTooLarge {
        digits: match radix {
            16 => SmolStr::from(format!("0x{digits}")),
            _ => SmolStr::from(digits),
        },
    })
}

/// The value of another number as written.
fn float_value(text: &str) -> Result<f64, SyntaxErrorKind> {
    let value = text.replace('_', "").parse().map_err(|_| SyntaxErrorKind::MalformedNumber)?;
    if f64::is_finite(value) { Ok(value) } else { Err(SyntaxErrorKind::FloatTooLarge) }
}

/// `"x.npy"` as an expression.
pub(super) fn string() -> Of<Expr> {
    string_literal().map(|literal| Expr { span: literal.span, kind: ExprKind::Str(literal.text) }).boxed()
}

/// `"x.npy"`
pub(super) fn string_literal() -> Of<StringLiteral> {
    one_of([TokenKind::String, TokenKind::UnterminatedString])
        .map_with(|_, extra: &mut With<'_>| {
            let span: Span = extra.span();
            let (text, unknown) = string_value(extra.state().text(span.start as usize));
            if let Some(escape) = unknown {
                extra.emit(Failure::new(SyntaxErrorKind::UnknownEscape { escape }, span));
            }
            StringLiteral { text, span }
        })
        .boxed()
}

/// A string as written to its value, and the first escape that stands for nothing.
fn string_value(text: &str) -> (SmolStr, Option<char>) {
    let text = text.strip_prefix('"').unwrap_or(text);
    let mut value = String::with_capacity(text.len());
    let mut unknown = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => match characters.next() {
                Some('n') => value.push('\n'),
                Some('r') => value.push('\r'),
                Some('t') => value.push('\t'),
                Some(quoted @ ('"' | '\\')) => value.push(quoted),
                Some(other) => {
                    unknown = unknown.or(Some(other));
                    value.push(other);
                }
                None => {}
            },
            _ => value.push(character),
        }
    }
    (SmolStr::from(value), unknown)
}
