//! Parses numbers, strings and other single tokens.

use std::borrow::Cow;

use chumsky::prelude::*;
use smol_str::SmolStr;

use super::input::{Failure, Of, With};
use crate::error::SyntaxErrorKind;
use crate::foreign::{Construct, Foreign};
use crate::span::Span;
use crate::token::TokenKind;
use crate::tree::{Expr, ExprKind, StringLiteral};

/// Parses `true`, `_`, `?`, and the token for parts that are nested too deeply.
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

/// Parses `64`, `2.0`.
pub(super) fn number() -> Of<Expr> {
    one_of([TokenKind::Integer, TokenKind::Float])
        .map_with(|kind, extra: &mut With<'_>| {
            let span: Span = extra.span();
            let text = extra.state().text(span.start as usize);
            let value = if kind == TokenKind::Integer {
                integer_value(text).map(integer)
            } else {
                float_value(text).map(ExprKind::Float)
            };
            let (kind, failure) = match value {
                Ok(kind) => return Expr { kind, span },
                Err(error) => misread(text, error, span),
            };
            extra.emit(failure);
            Expr { kind, span }
        })
        .boxed()
}

/// The value that stands for a malformed number, and its error.
fn misread(text: &str, error: SyntaxErrorKind, span: Span) -> (ExprKind, Failure) {
    match without_suffix(text).filter(|_| error == SyntaxErrorKind::MalformedNumber) {
        Some((number, kind)) => {
            let number = SmolStr::from(number);
            let edits = vec![(span, number.clone())];
            let foreign = Foreign { construct: Construct::Suffix { number }, edits };
            (kind, Failure::new(SyntaxErrorKind::Foreign(Box::new(foreign)), span))
        }
        None => (ExprKind::Int(None), Failure::new(error, span)),
    }
}

/// The text and the value of a number with a suffix of C, CUDA or Rust.
fn without_suffix(text: &str) -> Option<(String, ExprKind)> {
    const SUFFIXES: &[&str] = &[
        "f32", "f64", "f16", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "ull", "ll", "ul", "u", "l", "f",
        "h",
    ];
    let lower = text.to_ascii_lowercase();
    let suffix = SUFFIXES.iter().find(|suffix| lower.ends_with(*suffix))?;
    let number = text.get(..text.len() - suffix.len())?.trim_end_matches('_');
    let is_float = suffix.starts_with('f') || *suffix == "h" || number.contains('.');
    match integer_value(number) {
        Ok(value) if is_float && !lower.starts_with("0x") => {
            Some((format!("{number}.0"), ExprKind::Float(value as f64)))
        }
        Ok(value) if !is_float => Some((number.to_owned(), integer(value))),
        _ if lower.starts_with("0x") || !number.contains(['.', 'e', 'E']) => None,
        _ => Some((number.to_owned(), ExprKind::Float(float_value(number).ok()?))),
    }
}

/// An integer as an expression.
fn integer(value: u64) -> ExprKind {
    i64::try_from(value).map_or(ExprKind::Unsigned(value), |value| ExprKind::Int(Some(value)))
}

/// The value of an integer literal.
fn integer_value(text: &str) -> Result<u64, SyntaxErrorKind> {
    let text = text.strip_suffix("_ic").unwrap_or(text);
    let (radix, digits) = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(digits) => (16, digits),
        None => (10, text),
    };
    let digits = match digits.contains('_') {
        true => Cow::Owned(digits.replace('_', "")),
        false => Cow::Borrowed(digits),
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Err(SyntaxErrorKind::MalformedNumber);
    }
    u64::from_str_radix(&digits, radix).map_err(|_| SyntaxErrorKind::IntegerTooLarge {
        digits: match radix {
            16 => SmolStr::from(format!("0x{digits}")),
            _ => SmolStr::from(digits),
        },
    })
}

/// Parses `-9223372036854775808`, the least integer, whose digits alone are too large.
pub(super) fn least_integer() -> Of<Expr> {
    just(TokenKind::Minus)
        .then(just(TokenKind::Integer))
        .map_with(|_, extra: &mut With<'_>| Expr { kind: ExprKind::Int(Some(i64::MIN)), span: extra.span() })
        .boxed()
}

/// Whether a number has the digits of [`least_integer`].
pub(super) fn is_least_integer(text: &str) -> bool {
    integer_value(text).is_ok_and(|value| value == i64::MIN.unsigned_abs())
}

/// The value of a float literal.
fn float_value(text: &str) -> Result<f64, SyntaxErrorKind> {
    let value = text.replace('_', "").parse().map_err(|_| SyntaxErrorKind::MalformedNumber)?;
    if f64::is_finite(value) { Ok(value) } else { Err(SyntaxErrorKind::FloatTooLarge) }
}

/// Parses `"x.npy"` as an expression.
pub(super) fn string() -> Of<Expr> {
    string_literal().map(|literal| Expr { span: literal.span, kind: ExprKind::Str(literal.text) }).boxed()
}

/// Parses `"x.npy"`.
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

/// The value of a string literal, and its first unknown escape.
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
