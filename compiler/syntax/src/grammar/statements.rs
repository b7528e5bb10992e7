//! What a kernel's body consists of.
//!
//! A statement ends with a `;`. It may be left out before the closing brace and, since it may be left out at
//! the end of a line and lines are not seen here, before a token that can only start a statement.

use std::sync::Arc;

use chumsky::prelude::*;

use super::expressions::Expressions;
use super::functions::function;
use super::input::{Failure, Of};
use super::parts::*;
use super::simple_statements::{assert, async_, define, let_, shared, view};
use crate::error::{Expected, SyntaxErrorKind};
use crate::foreign::{Construct, Foreign};
use crate::span::Span;
use crate::token::TokenKind;
use crate::tree::*;

/// `{ … }`, reported where it is missing.
pub(super) fn block(expressions: &Expressions) -> Of<Block> {
    let mut block = Recursive::declare();
    let statement = statement(expressions, block.clone().boxed());
    let statements = ahead(|[next]| next.is_some_and(|kind| !kind.is_closing()))
        .ignore_then(statement)
        .repeated()
        .collect::<Vec<_>>()
        .map(|statements| statements.into_iter().flatten().collect());
    block.define(
        just(TokenKind::OpenBrace)
            .ignore_then(statements)
            .then_ignore(just(TokenKind::CloseBrace))
            .or(missing(Expected::Body).map(|()| Vec::new()))
            .map_with(|statements, extra| Block { statements, span: extra.span() })
            .boxed(),
    );
    block.boxed()
}

/// A statement that a word starts.
struct Beginning {
    /// The words that may start it.
    words: &'static [TokenKind],
    /// Whether such a word starts it before this token; otherwise the word is a name.
    stands_before: fn(Option<TokenKind>) -> bool,
    parser: Rule,
}

type Rule = fn(&Expressions, Of<Block>) -> Of<StatementKind>;

/// All statements that a word starts.
const BEGINNINGS: &[Beginning] = {
    use TokenKind::*;
    const fn beginning(
        words: &'static [TokenKind],
        stands_before: fn(Option<TokenKind>) -> bool,
        parser: Rule,
    ) -> Beginning {
        Beginning { words, stands_before, parser }
    }
    &[
        beginning(&[View], is_name, |expressions, _| view(expressions)),
        beginning(&[Let], |next| is_name(next) || next == Some(Underscore), |expressions, _| let_(expressions)),
        beginning(&[Const, Map], is_name, |expressions, _| define(expressions)),
        beginning(&[Fn], is_name, |expressions, block| {
            function(expressions, block).map(|function| StatementKind::Function(Arc::new(function))).boxed()
        }),
        beginning(&[Assert], |next| next.is_some_and(starts_claim), |expressions, _| assert(expressions)),
        beginning(&[Shared], is_name, |expressions, _| shared(expressions)),
        beginning(&[For], |next| is_name(next) || next == Some(OpenParen), for_),
        beginning(&[While], starts_condition, while_),
        beginning(&[Break, Continue], ends_leave, |_, _| leave()),
        beginning(&[With], is_name, with),
        beginning(&[If], starts_condition, if_),
        beginning(&[Async], is_name, |expressions, _| async_(expressions)),
    ]
};

impl Beginning {
    /// Whether two tokens at the beginning of a statement start it.
    fn is_at(&self, [first, second]: [Option<TokenKind>; 2]) -> bool {
        first.is_some_and(|word| self.words.contains(&word)) && (self.stands_before)(second)
    }
}

fn is_name(kind: Option<TokenKind>) -> bool {
    kind.is_some_and(TokenKind::is_word)
}

fn starts_condition(kind: Option<TokenKind>) -> bool {
    kind.is_some_and(TokenKind::starts_operand)
}

/// A statement with its `;`; `None` where there is none or it could not be parsed.
fn statement(expressions: &Expressions, block: Of<Block>) -> Of<Option<Statement>> {
    let parsers: Vec<_> =
        BEGINNINGS.iter().map(|beginning| (beginning, (beginning.parser)(expressions, block.clone()))).collect();
    let (other, end) = (assignment(expressions), end());
    custom(move |input| {
        let ahead = peek(input);
        let start = input.cursor();
        if ahead[0] == Some(TokenKind::Semicolon) {
            input.skip();
            return Ok(None);
        }
        let parser = parsers.iter().find(|(beginning, _)| beginning.is_at(ahead)).map_or(&other, |(_, parser)| parser);
        let kind = input.parse(parser)?;
        let span: Span = input.span_since(&start);
        let ends_with_body = match &kind {
            StatementKind::For { .. }
            | StatementKind::While { .. }
            | StatementKind::With { .. }
            | StatementKind::If { .. } => true,
            StatementKind::Function(function) => function.has_braces(),
            _ => false,
        };
        if !ends_with_body {
            input.parse(&end)?;
        } else if let [Some(TokenKind::Semicolon)] = peek(input) {
            input.skip();
        }
        let failed = match &kind {
            StatementKind::Expr(expr) | StatementKind::Assign { target: expr, .. } => expr.kind == ExprKind::Error,
            _ => false,
        };
        Ok((!failed).then_some(Statement { kind, span }))
    })
    .boxed()
}

/// The `;`, or where it may be left out.
fn end() -> Of<()> {
    let skip = leftover(|kind| kind == TokenKind::Semicolon, Expected::EndOfStatement).boxed();
    custom(move |input| {
        if starts_statement(peek(input)) {
            return Ok(());
        }
        input.parse(&skip)?;
        if let [Some(TokenKind::Semicolon)] = peek(input) {
            input.skip();
        }
        Ok(())
    })
    .boxed()
}

/// Whether tokens after a complete statement can only start the next one.
fn starts_statement(ahead: [Option<TokenKind>; 2]) -> bool {
    use TokenKind::*;
    let assigns = match ahead {
        [Some(word), Some(next)] if word.is_word() => next.assigns() || matches!(next, OpenBracket | OpenParen | Dot),
        _ => false,
    };
    assigns || BEGINNINGS.iter().any(|beginning| beginning.is_at(ahead))
}

/// Whether a token starts the claim behind an `assert`; `assert[0]` and `assert - 1` are of a variable.
fn starts_claim(kind: TokenKind) -> bool {
    use TokenKind::*;
    kind.starts_operand() && !matches!(kind, OpenBracket | OpenBrace | Minus | Bar)
}

/// `for i in lo..hi step s { }`, `for (i, j) in grid(n, m) { }`
fn for_(expressions: &Expressions, block: Of<Block>) -> Of<StatementKind> {
    let tuple = just(TokenKind::OpenParen)
        .ignore_then(elements(name(Expected::LoopVariable)))
        .then_ignore(leftover(|_| false, Expected::CommaOrClosing))
        .then_ignore(just(TokenKind::CloseParen));
    let iterators = tuple.or(name(Expected::LoopVariable).map(|name| vec![name]));
    let header = iterators
        .then_ignore(expect(TokenKind::In, Expected::LoopDomain))
        .then(expressions.expect_header(Expected::Expression))
        .then(step(expressions.expect_header(Expected::Expression)))
        .map(|((iterators, domain), step)| Header { iterators, domain, step });
    just(TokenKind::For)
        .ignore_then(header_in_parentheses(expressions).or(header))
        .then(body(expressions, block))
        .map(|(Header { iterators, domain, step }, body)| StatementKind::For {
            iterators,
            domain,
            step,
            body: body.block,
        })
        .boxed()
}

/// What stands between the `for` and the body of a loop.
struct Header {
    iterators: Vec<Name>,
    domain: Expr,
    step: Option<Expr>,
}

/// `step s` behind a domain.
fn step(value: Of<Expr>) -> Of<Option<Expr>> {
    just(TokenKind::Step).ignore_then(value).or_not().boxed()
}

/// `(i in lo..hi)`, as others write it: reported, and read without the parentheses.
fn header_in_parentheses(expressions: &Expressions) -> Of<Header> {
    ahead(|[open, name, in_]| {
        open == Some(TokenKind::OpenParen) && name.is_some_and(TokenKind::is_word) && in_ == Some(TokenKind::In)
    })
    .ignore_then(just(TokenKind::OpenParen))
    .ignore_then(name(Expected::LoopVariable))
    .then_ignore(just(TokenKind::In))
    .then(expressions.expect(Expected::Expression))
    .then(step(expressions.expect(Expected::Expression)))
    .then_ignore(leftover(|_| false, Expected::CommaOrClosing))
    .then_ignore(just(TokenKind::CloseParen))
    .validate(|((name, domain), step), extra, emitter| {
        emitter.emit(Failure::new(SyntaxErrorKind::ParenthesizedLoop, extra.span()));
        Header { iterators: vec![name], domain, step }
    })
    .boxed()
}

/// `while c max n { }`
fn while_(expressions: &Expressions, block: Of<Block>) -> Of<StatementKind> {
    let most = just(TokenKind::Most).ignore_then(expressions.expect_header(Expected::Expression)).or_not();
    just(TokenKind::While)
        .ignore_then(expressions.expect_header(Expected::Condition))
        .then(most)
        .then(body(expressions, block))
        .map(|((condition, most), body)| {
            let (condition, body) = body.after(condition);
            StatementKind::While { condition, most, body }
        })
        .boxed()
}

/// `break`, `continue`
fn leave() -> Of<StatementKind> {
    let word = select! { TokenKind::Break => LeaveWord::Break, TokenKind::Continue => LeaveWord::Continue };
    word.map(StatementKind::Leave).boxed()
}

/// Whether a token ends a `break` or a `continue`; otherwise the word is a name.
fn ends_leave(next: Option<TokenKind>) -> bool {
    matches!(next, None | Some(TokenKind::Semicolon | TokenKind::CloseBrace))
}

/// `with threads(lo..hi, unit) { }`
fn with(expressions: &Expressions, block: Of<Block>) -> Of<StatementKind> {
    just(TokenKind::With)
        .ignore_then(expressions.expect_header(Expected::Expression))
        .then(body(expressions, block))
        .map(|(domain, body)| StatementKind::With { domain, body: body.block })
        .boxed()
}

/// `if a { } else if b { } else { }`
fn if_(expressions: &Expressions, block: Of<Block>) -> Of<StatementKind> {
    let arm = just(TokenKind::If)
        .ignore_then(expressions.expect_header(Expected::Condition))
        .then(body(expressions, block.clone()))
        .map(|(condition, body)| body.after(condition))
        .boxed();
    let else_if = ahead(|kinds| kinds == [Some(TokenKind::Else), Some(TokenKind::If)])
        .ignore_then(just(TokenKind::Else))
        .ignore_then(arm.clone());
    arm.then(else_if.repeated().collect::<Vec<_>>())
        .then(just(TokenKind::Else).ignore_then(body(expressions, block)).map(|body| body.block).or_not())
        .map(|((first, others), otherwise)| StatementKind::If {
            arms: std::iter::once(first).chain(others).collect(),
            otherwise,
        })
        .boxed()
}

/// The body after a statement's header, up to which everything else is reported and skipped.
fn body(expressions: &Expressions, block: Of<Block>) -> Of<Body> {
    let stop = |kind| matches!(kind, TokenKind::OpenBrace | TokenKind::Semicolon);
    let whole = |block| Body { block, after_error: false };
    let after_rest = skipped(stop, Expected::Body).then(block).map(|(after_error, block)| Body { block, after_error });
    body_without_braces(expressions).map(whole).or(after_rest).boxed()
}

/// The body after a statement's header.
struct Body {
    block: Block,
    /// Whether something was skipped before it, so that what was read of a condition may not be what was meant.
    after_error: bool,
}

impl Body {
    /// The condition and the body.
    fn after(self, condition: Expr) -> (Expr, Block) {
        let condition = if self.after_error { error_expr(condition.span) } else { condition };
        (condition, self.block)
    }
}

/// One assignment, as others write it: reported, and read as a body. A word alone is `return`, of which more is said where
/// names are known.
fn body_without_braces(expressions: &Expressions) -> Of<Block> {
    let statement = assignment(expressions).map_with(|kind, extra| Statement { kind, span: extra.span() });
    ahead(|[word, next]| {
        let assigns = next.is_some_and(|next| next == TokenKind::OpenBracket || next.assigns());
        word.is_some_and(TokenKind::is_word) && (assigns || next == Some(TokenKind::Semicolon))
    })
    .ignore_then(statement)
    .then_ignore(end())
    .validate(|statement, extra, emitter| {
        let span: Span = extra.span();
        if let StatementKind::Assign { .. } = &statement.kind {
            let gaps = [(span.start, " {"), (span.end, " }")];
            let edits = gaps.map(|(at, text)| (Span::new(at, at), text.into())).to_vec();
            let foreign = Foreign { construct: Construct::BodyWithoutBraces, edits };
            emitter.emit(Failure::new(SyntaxErrorKind::Foreign(Box::new(foreign)), span));
        }
        Block { statements: vec![statement], span }
    })
    .boxed()
}

/// `a = e`, `ys[i] += e`, or an expression
fn assignment(expressions: &Expressions) -> Of<StatementKind> {
    let operator = select! {
        TokenKind::Equal => None,
        TokenKind::PlusEqual => Some(BinaryOp::Add),
        TokenKind::MinusEqual => Some(BinaryOp::Subtract),
        TokenKind::StarEqual => Some(BinaryOp::Multiply),
        TokenKind::SlashEqual => Some(BinaryOp::Divide),
        TokenKind::PercentEqual => Some(BinaryOp::Remainder),
        TokenKind::AmpersandEqual => Some(BinaryOp::BitAnd),
        TokenKind::BarEqual => Some(BinaryOp::BitOr),
        TokenKind::CaretEqual => Some(BinaryOp::BitXor),
        TokenKind::ShiftLeftEqual => Some(BinaryOp::ShiftLeft),
        TokenKind::ShiftRightEqual => Some(BinaryOp::ShiftRight),
    };
    expressions
        .expect(Expected::Statement)
        .then(operator.then(expressions.expect(Expected::Expression)).or_not())
        .map(|(target, assigned)| match assigned {
            Some((op, value)) => StatementKind::Assign { target, op, value, word: None },
            None => StatementKind::Expr(target),
        })
        .boxed()
}
