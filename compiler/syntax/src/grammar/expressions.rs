//! Parses expressions.
//!
//! Operators and operands are first read as a flat row and then grouped by precedence ([`super::chains`]), so the
//! recursion depth of the parser is that of the brackets.

use chumsky::prelude::*;
use smol_str::SmolStr;

use super::chains::{fold, operator_of};
use super::enclosed::{condition, group, paren, size};
use super::input::{Failure, Of};
use super::launches::launch;
use super::literals::{constant, is_least_integer, least_integer, number, string};
use super::parts::*;
use super::reshape_map::reshape_map;
use crate::error::Expected;
use crate::token::TokenKind;
use crate::tree::*;

/// The parsers of expressions.
#[derive(Clone)]
pub(super) struct Expressions {
    /// Any expression; fails only if the next token cannot start one.
    pub(super) any: Of<Expr>,
    /// An expression before a `{` that starts a body: it has no group and no `if`, except in brackets.
    pub(super) header: Of<Expr>,
    /// An expression between `<` and `>`: it has no `>`, except in brackets.
    pub(super) rank: Of<Expr>,
    /// `(a, k: b)`; fails only at its first token.
    pub(super) arguments: Of<Vec<Argument>>,
    /// Expressions separated by commas.
    pub(super) list: Of<Vec<Expr>>,
}

impl Expressions {
    /// Any expression; reports a missing one.
    pub(super) fn expect(&self, expected: Expected) -> Of<Expr> {
        self.any.clone().or(missing_expr(expected)).boxed()
    }

    /// An expression before a body; reports a missing one.
    pub(super) fn expect_header(&self, expected: Expected) -> Of<Expr> {
        self.header.clone().or(missing_expr(expected)).boxed()
    }
}

/// Builds the parsers of expressions.
pub(super) fn expressions() -> Expressions {
    let mut any = Recursive::declare();
    let mut header = Recursive::declare();
    let element: Of<Expr> = any.clone().or(missing_expr(Expected::Expression)).boxed();
    let list = elements(element.clone());
    let arguments = arguments(element.clone());
    let atoms = Atoms {
        name: word().map(|name| Expr { span: name.span, kind: ExprKind::Name(name.text) }).boxed(),
        number: number(),
        string: string(),
        constant: constant(),
        paren: paren(list.clone()),
        list: bracketed(list.clone(), Expected::Expression)
            .map(|(content, span)| Expr { kind: ExprKind::List(content), span })
            .boxed(),
        size: size(element.clone()),
        group: group(element.clone()),
        condition: condition(element.clone(), header.clone().or(missing_expr(Expected::Condition)).boxed()),
        reshape_map: reshape_map(list.clone(), element),
    };
    let suffixes = suffixes(list.clone(), arguments.clone());
    let operand = |braces| operand(&atoms, braces, suffixes.clone(), arguments.clone());
    let all = |_| true;
    any.define(chain(operand(true), all));
    header.define(chain(operand(false), all));
    let rank = chain(operand(true), |kind| !matches!(kind, TokenKind::Greater | TokenKind::GreaterEqual));
    Expressions { any: any.boxed(), header: header.boxed(), rank, arguments, list }
}

/// A row of operands with operators between them. Rows may be as long as a file, so the cost of each operand matters.
fn chain(operand: Of<Expr>, allowed: fn(TokenKind) -> bool) -> Of<Expr> {
    let right = operand.clone().or(missing_expr(Expected::Operand)).boxed();
    custom(move |input| {
        let first = input.parse(&operand)?;
        let mut rest = Vec::new();
        while let [Some(kind)] = peek(input)
            && allowed(kind)
            && let Some(operator) = operator_of(kind)
        {
            let span = next_span(input);
            input.skip();
            rest.push(((operator, span), input.parse(&right)?));
        }
        Ok(fold(first, rest, &mut |failure| input.emit(failure)))
    })
    .boxed()
}

/// Whether a token is a whole operand: a name or a number without a suffix.
fn is_whole_operand(token: TokenKind, after: Option<TokenKind>) -> bool {
    use TokenKind::*;
    let ends = |kind: TokenKind| operator_of(kind).is_some() || kind.is_closing() || matches!(kind, Comma | Semicolon);
    matches!(token, Name | Integer | Float) && after.is_none_or(ends)
}

/// The parsers for the starts of operands, chosen by the first token.
#[derive(Clone)]
struct Atoms {
    name: Of<Expr>,
    number: Of<Expr>,
    string: Of<Expr>,
    constant: Of<Expr>,
    paren: Of<Expr>,
    list: Of<Expr>,
    size: Of<Expr>,
    group: Of<Expr>,
    condition: Of<Expr>,
    reshape_map: Of<Expr>,
}

/// Parses the start of an operand.
fn atom(atoms: Atoms, braces: bool) -> Of<Expr> {
    custom(move |input| {
        use TokenKind::*;
        let [first, second, third] = peek(input);
        let parser = match (first.unwrap_or(Semicolon), second, third) {
            (Integer | Float, ..) => &atoms.number,
            (String | UnterminatedString, ..) => &atoms.string,
            (OpenParen, ..) => &atoms.paren,
            (OpenBracket, ..) => &atoms.list,
            (SizeOpen, ..) => &atoms.size,
            (OpenBrace, ..) if braces => &atoms.group,
            (True | False | Underscore | Question | Folded, ..) => &atoms.constant,
            (If, Some(next), _) if braces && next.starts_operand() => &atoms.condition,
            (Gpu, Some(PathSeparator), _)
            | (ReshapeMap, Some(OpenParen), _)
            | (ReshapeMap, Some(Bang), Some(OpenParen)) => &atoms.reshape_map,
            (word, Some(next), _) if starts_clause(word, next) => {
                return Err(Failure::expected(Expected::Expression, next_span(input)));
            }
            (word, ..) if word.is_word() => &atoms.name,
            _ => return Err(Failure::expected(Expected::Expression, next_span(input))),
        };
        input.parse(parser)
    })
    .boxed()
}

/// Whether a word starts a statement or a clause, so that the expression before it is missing: as a name it would
/// directly precede another operand.
fn starts_clause(word: TokenKind, next: TokenKind) -> bool {
    use TokenKind::*;
    let starts = matches!(word, Let | View | Shared | For | With | Via | Per | Where | Expect | Within | Save);
    starts && (matches!(next, Name | Integer | Float | String) || word == Let && next == Mut)
}

/// Prefixes, an atom and suffixes.
fn operand(atoms: &Atoms, braces: bool, suffixes: Of<Vec<Suffix>>, arguments: Of<Vec<Argument>>) -> Of<Expr> {
    let (name, number) = (atoms.name.clone(), atoms.number.clone());
    let postfix = atom(atoms.clone(), braces)
        .then(suffixes)
        .map_with(|(base, suffixes), extra| match suffixes.is_empty() {
            true => base,
            false => Expr { kind: ExprKind::Postfix { base: Box::new(base), suffixes }, span: extra.span() },
        })
        .boxed();
    // Before a body, what follows an operand is a clause of the kernel: `where N <= 64 grid(4) {`.
    let plain = if braces { launch(postfix, arguments) } else { postfix };
    let prefixed = select! {
        TokenKind::Minus => PrefixOp::Negate,
        TokenKind::Bang => PrefixOp::Not,
        TokenKind::Tilde => PrefixOp::Complement,
    }
    .map_with(|op, extra| (op, extra.span()))
    .repeated()
    .at_least(1)
    .collect()
    .then(plain.clone().or(missing_expr(Expected::Operand)))
    .map_with(|(ops, operand), extra| Expr {
        kind: ExprKind::Prefix { ops, operand: Box::new(operand) },
        span: extra.span(),
    })
    .boxed();
    let least = least_integer();
    custom(move |input| match peek(input) {
        [Some(token), after] if is_whole_operand(token, after) => {
            input.parse(if token == TokenKind::Name { &name } else { &number })
        }
        [Some(TokenKind::Minus), Some(TokenKind::Integer)] if is_least_integer(second_text(input).as_str()) => {
            input.parse(&least)
        }
        [Some(TokenKind::Minus | TokenKind::Bang | TokenKind::Tilde), _] => input.parse(&prefixed),
        _ => input.parse(&plain),
    })
    .boxed()
}

/// The text of the token after the next one.
fn second_text(input: &mut Reader<'_>) -> SmolStr {
    let second = next_span(input).end as usize;
    SmolStr::new(input.state().text(second))
}

/// Any number of `.name`, `(…)` and `[…]`.
fn suffixes(list: Of<Vec<Expr>>, arguments: Of<Vec<Argument>>) -> Of<Vec<Suffix>> {
    let member = just(TokenKind::Dot).ignore_then(name(Expected::MemberName)).map(SuffixKind::Member);
    let call = arguments.map(SuffixKind::Call);
    let bracket = just(TokenKind::OpenBracket)
        .ignore_then(list)
        .then_ignore(just(TokenKind::CloseBracket))
        .map(SuffixKind::Bracket);
    choice((call, bracket, member))
        .map_with(|kind, extra| Suffix { kind, span: extra.span() })
        .repeated()
        .collect()
        .boxed()
}

/// Parses `(a, t via m, k: b)`.
fn arguments(element: Of<Expr>) -> Of<Vec<Argument>> {
    let names = |[word, colon]: [Option<TokenKind>; 2]| {
        word.is_some_and(TokenKind::is_word) && matches!(colon, Some(TokenKind::Colon | TokenKind::Equal))
    };
    let named = ahead(names).ignore_then(word()).then_ignore(colon(Expected::Expression));
    let via = just(TokenKind::Via).ignore_then(element.clone());
    let value = element.then(via.or_not()).map_with(|(source, map), extra| match map {
        Some(map) => Expr { kind: ExprKind::Via(Box::new(source), Box::new(map)), span: extra.span() },
        None => source,
    });
    let argument = named.or_not().then(value).map(|(name, value)| Argument { name, value });
    just(TokenKind::OpenParen)
        .ignore_then(elements(argument))
        .then_ignore(leftover(|_| false, Expected::CommaOrClosing))
        .then_ignore(just(TokenKind::CloseParen))
        .boxed()
}
