//! Operator precedence: turns a flat row of operands and operators into nested chains of equal precedence.

use super::input::Failure;
use crate::error::SyntaxErrorKind;
use crate::span::Span;
use crate::token::TokenKind;
use crate::tree::{BinaryOp, Expr, ExprKind, Link};

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// A binary operator.
    Binary(BinaryOp),
    /// `..`
    Range,
}

/// The operator of a token.
pub(super) fn operator_of(kind: TokenKind) -> Option<Operator> {
    use TokenKind as Token;
    Some(Operator::Binary(match kind {
        Token::DotDot => return Some(Operator::Range),
        Token::Pipe => BinaryOp::Pipe,
        Token::OrOr => BinaryOp::Or,
        Token::AndAnd => BinaryOp::And,
        Token::EqualEqual => BinaryOp::Equal,
        Token::NotEqual => BinaryOp::NotEqual,
        Token::Less => BinaryOp::Less,
        Token::LessEqual => BinaryOp::LessEqual,
        Token::Greater => BinaryOp::Greater,
        Token::GreaterEqual => BinaryOp::GreaterEqual,
        Token::Bar => BinaryOp::BitOr,
        Token::Caret => BinaryOp::BitXor,
        Token::Ampersand => BinaryOp::BitAnd,
        Token::ShiftLeft => BinaryOp::ShiftLeft,
        Token::ShiftRight => BinaryOp::ShiftRight,
        Token::Plus => BinaryOp::Add,
        Token::Minus => BinaryOp::Subtract,
        Token::Star => BinaryOp::Multiply,
        Token::Slash => BinaryOp::Divide,
        Token::Percent => BinaryOp::Remainder,
        Token::Hash => BinaryOp::BoundedProduct,
        _ => return None,
    }))
}

/// The precedence level of an operator; 0 binds most tightly.
fn level(operator: Operator) -> u8 {
    use BinaryOp::*;
    match operator {
        Operator::Binary(Multiply | Divide | Remainder | BoundedProduct) => 0,
        Operator::Binary(Add | Subtract) => 1,
        Operator::Binary(ShiftLeft | ShiftRight) => 2,
        Operator::Binary(BitAnd) => 3,
        Operator::Binary(BitXor) => 4,
        Operator::Binary(BitOr) => 5,
        Operator::Range => 6,
        Operator::Binary(Pipe) => 7,
        // As in Rust, and other than in C, `a & b == c` compares what `a` and `b` have in common.
        Operator::Binary(Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual) => 8,
        Operator::Binary(And) => 9,
        Operator::Binary(Or) => 10,
    }
}

/// The level of the operators that bind least tightly.
const LOOSEST: u8 = 10;

/// An operator with its span and its right operand.
type Step = ((Operator, Span), Expr);

/// Groups a row of operands by precedence. Takes one pass for each level, whatever the row's length.
pub(super) fn fold(mut first: Expr, mut rest: Vec<Step>, emit: &mut dyn FnMut(Failure)) -> Expr {
    if let Some(((operator, _), _)) = rest.first()
        && rest.iter().all(|((other, _), _)| matches!(other, Operator::Binary(_)) && level(*other) == level(*operator))
    {
        return one_chain(first, rest);
    }
    for tightest in 0..=LOOSEST {
        if rest.iter().any(|((operator, _), _)| level(*operator) == tightest) {
            (first, rest) = fold_level(first, rest, tightest, emit);
        }
    }
    first
}

/// The chain of a row whose operators all have the same level. Its links reuse the memory of the steps, since a row may
/// be long.
fn one_chain(first: Expr, rest: Vec<Step>) -> Expr {
    let link = |((operator, op_span), operand): Step| match operator {
        Operator::Binary(op) => Some(Link { op, op_span, operand }),
        Operator::Range => None,
    };
    let mut links: Vec<Link> = rest.into_iter().filter_map(link).collect();
    links.shrink_to_fit();
    joined(first, links)
}

/// Joins the operands of all operators of one level.
fn fold_level(first: Expr, rest: Vec<Step>, tightest: u8, emit: &mut dyn FnMut(Failure)) -> (Expr, Vec<Step>) {
    let mut left = None;
    let mut remaining = Vec::new();
    let mut before: Option<(Operator, Span)> = None;
    let mut operand = first;
    let mut links = Vec::new();
    let mut finish = |before: Option<(Operator, Span)>, operand: Expr| match before {
        Some(before) => remaining.push((before, operand)),
        None => left = Some(operand),
    };
    let mut rest = rest.into_iter();
    while let Some(((operator, op_span), right)) = rest.next() {
        if level(operator) != tightest {
            finish(before, joined(operand, std::mem::take(&mut links)));
            before = Some((operator, op_span));
            operand = right;
            continue;
        }
        match operator {
            Operator::Binary(op) => {
                if links.is_empty() {
                    // Long chains take much memory, so their exact length is reserved.
                    let same = |((operator, _), _): &&Step| level(*operator) == tightest;
                    links.reserve_exact(1 + rest.as_slice().iter().take_while(same).count());
                }
                links.push(Link { op, op_span, operand: right });
            }
            Operator::Range if matches!(operand.kind, ExprKind::Range(..)) => {
                // The third bound is dropped: otherwise a chain of ranges would nest as deeply as it is long.
                emit(Failure::new(SyntaxErrorKind::ChainedRange, op_span));
                operand.span = operand.span.to(right.span);
            }
            Operator::Range => {
                let span = operand.span.to(right.span);
                operand = Expr { kind: ExprKind::Range(Box::new(operand), Box::new(right)), span };
            }
        }
    }
    finish(before, joined(operand, links));
    let left = left.unwrap_or(Expr { kind: ExprKind::Error, span: Span::default() });
    (left, remaining)
}

/// The chain of an operand and its links; the operand itself if there are none.
pub(super) fn joined(first: Expr, rest: Vec<Link>) -> Expr {
    match rest.last() {
        None => first,
        Some(last) => {
            let span = first.span.to(last.operand.span);
            Expr { kind: ExprKind::Chain { first: Box::new(first), rest }, span }
        }
    }
}
