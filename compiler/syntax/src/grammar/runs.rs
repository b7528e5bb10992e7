//! Parses `run NAME[generic: value](arg: init) with M = 1000 expect E within TOL save y: "y.npy"`.

use chumsky::prelude::*;

use super::chains::joined;
use super::expressions::Expressions;
use super::input::{Failure, Of};
use super::literals::string_literal;
use super::parts::*;
use crate::error::{Expected, SyntaxErrorKind};
use crate::span::Span;
use crate::token::TokenKind;
use crate::tree::*;

/// A run.
pub(super) fn run(expressions: &Expressions) -> Of<ItemKind> {
    let arguments = expressions.arguments.clone().or(missing(Expected::Arguments).map(|()| Vec::new()));
    any()
        .ignore_then(name(Expected::RunKernel))
        .then(generics(expressions))
        .then_ignore(leftover(|kind| kind == TokenKind::OpenParen || is_clause(kind), Expected::Arguments))
        .then(arguments)
        .then(clauses(expressions))
        .map(|(((kernel, generics), args), clauses)| ItemKind::Run(Box::new(Run { kernel, generics, args, ..clauses })))
        .boxed()
}

/// Parses `[B: 64, T: f32]`.
fn generics(expressions: &Expressions) -> Of<Vec<Argument>> {
    let value = word()
        .then_ignore(colon(Expected::GenericValue))
        .then(expressions.expect(Expected::Expression))
        .map(|(name, value)| Argument { name: Some(name), value });
    just(TokenKind::OpenBracket)
        .ignore_then(elements(value))
        .then_ignore(leftover(|_| false, Expected::CommaOrClosing))
        .then_ignore(just(TokenKind::CloseBracket))
        .or(empty().map(|()| Vec::new()))
        .boxed()
}

/// Whether a word starts a clause.
fn is_clause(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::With | TokenKind::Expect | TokenKind::Within | TokenKind::Save)
}

/// Whether the next tokens start an element of a clause rather than the next clause.
fn starts_element(separator: TokenKind) -> impl Fn([Option<TokenKind>; 2]) -> bool + Clone {
    move |[word, next]| word.is_some_and(|word| word.is_word() && (!is_clause(word) || next == Some(separator)))
}

/// Clauses in any order, each at most once, apart from expectations.
fn clauses(expressions: &Expressions) -> Of<Run> {
    let binding = ahead(starts_element(TokenKind::Equal))
        .ignore_then(word())
        .then_ignore(expect(TokenKind::Equal, Expected::Binding))
        .then(expressions.expect(Expected::Expression));
    let bindings = list(binding.boxed(), Expected::BindingName);
    let saved = ahead(starts_element(TokenKind::Colon))
        .ignore_then(word())
        .then_ignore(expect(TokenKind::Colon, Expected::SavedFile))
        .then(
            string_literal().or(missing(Expected::SavedFile)
                .map_with(|(), extra| StringLiteral { text: Default::default(), span: extra.span() })),
        );
    let saves = list(saved.boxed(), Expected::SavedName);
    let value = expressions.expect(Expected::Expression);
    let unknown = leftover(is_clause, Expected::Clause).boxed();
    custom(move |input| {
        let nowhere = Name { text: Default::default(), span: Span::default() };
        let mut run =
            Run { kernel: nowhere, generics: vec![], args: vec![], with: vec![], expect: vec![], save: vec![] };
        // A tolerance that stands before what it is for.
        let mut early: Option<(Expr, Span)> = None;
        while let [Some(kind)] = peek(input) {
            let span = next_span(input);
            let repeated = match kind {
                TokenKind::With => {
                    input.skip();
                    let more = input.parse(&bindings)?;
                    let repeated = !run.with.is_empty();
                    run.with.extend(more);
                    repeated
                }
                TokenKind::Save => {
                    input.skip();
                    let more = input.parse(&saves)?;
                    let repeated = !run.save.is_empty();
                    run.save.extend(more);
                    repeated
                }
                TokenKind::Expect => {
                    input.skip();
                    let condition = input.parse(&value)?;
                    let within = early.take().map(|(within, _)| within);
                    run.expect.push(Expectation { condition, within });
                    false
                }
                TokenKind::Within => {
                    input.skip();
                    let value = input.parse(&value)?;
                    match run.expect.last_mut() {
                        Some(last) if last.within.is_none() => {
                            let (within, further) = tolerance_and_further(value);
                            last.within = Some(within);
                            run.expect.extend(further.map(|condition| Expectation { condition, within: None }));
                            false
                        }
                        None if early.is_none() => {
                            early = Some((value, span));
                            false
                        }
                        _ => true,
                    }
                }
                // Clauses may be separated by commas.
                TokenKind::Comma => {
                    input.skip();
                    false
                }
                _ => {
                    input.parse(&unknown)?;
                    break;
                }
            };
            if repeated {
                input.emit(Failure::new(SyntaxErrorKind::Repeated, span));
            }
        }
        if let Some((_, span)) = early {
            input.emit(Failure::expected(Expected::Expectation, span));
        }
        Ok(run)
    })
    .boxed()
}

/// The tolerance in `within 1e-6 && z == b`, and the conditions behind it, which have none so far.
fn tolerance_and_further(value: Expr) -> (Expr, Option<Expr>) {
    match value.kind {
        ExprKind::Chain { first, rest } if rest.iter().all(|link| link.op == BinaryOp::And) => {
            let mut links = rest.into_iter();
            let further = links.next().map(|link| joined(link.operand, links.collect()));
            (*first, further)
        }
        _ => (value, None),
    }
}

/// The elements of a clause; reports that there are none.
fn list<Output: 'static>(element: Of<Output>, expected: Expected) -> Of<Vec<Output>> {
    element
        .separated_by(just(TokenKind::Comma))
        .at_least(1)
        .allow_trailing()
        .collect()
        .or(missing(expected).map(|()| Vec::new()))
        .boxed()
}
