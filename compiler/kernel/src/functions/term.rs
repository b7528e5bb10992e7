//! Functions that are composed of others.

use super::super::typed::{BinaryOp, UnaryOp};
use super::MathFunction;

/// An expression over the arguments of a call. It uses each argument once: expressions are trees, and a second use of
/// an argument would double their size at each nesting.
#[derive(Debug)]
pub enum Term {
    /// The argument of that number.
    Argument(usize),
    /// A float of the arguments' type.
    Float(f64),
    /// An operator of one operand.
    Unary(UnaryOp, &'static Term),
    /// An operator of two operands.
    Binary(BinaryOp, &'static Term, &'static Term),
    /// An operation.
    Math(MathFunction, &'static [Term]),
}

/// Builds the expression of a term.
pub trait Build {
    /// The type of expressions.
    type Expr;

    /// A float of the arguments' type.
    fn float(&mut self, value: f64) -> Self::Expr;

    /// An operator of one operand.
    fn unary(&mut self, op: UnaryOp, operand: Self::Expr) -> Self::Expr;

    /// An operator of two operands.
    fn binary(&mut self, op: BinaryOp, left: Self::Expr, right: Self::Expr) -> Self::Expr;

    /// An operation.
    fn math(&mut self, function: MathFunction, arguments: Vec<Self::Expr>) -> Self::Expr;
}

impl Term {
    /// Whether its value is a `bool`.
    pub fn gives_bool(&self) -> bool {
        match self {
            Self::Unary(UnaryOp::Not, _) => true,
            Self::Binary(op, ..) => op.gives_bool(),
            Self::Unary(UnaryOp::Negate, _) | Self::Argument(_) | Self::Float(_) | Self::Math(..) => false,
        }
    }

    /// The expression with its arguments substituted; `None` if there are too few of them.
    pub fn build<B: Build>(&self, builder: &mut B, arguments: &mut [Option<B::Expr>]) -> Option<B::Expr> {
        Some(match self {
            Self::Argument(number) => arguments.get_mut(*number)?.take()?,
            Self::Float(value) => builder.float(*value),
            Self::Unary(op, operand) => {
                let operand = operand.build(builder, arguments)?;
                builder.unary(*op, operand)
            }
            Self::Binary(op, left, right) => {
                let left = left.build(builder, arguments)?;
                let right = right.build(builder, arguments)?;
                builder.binary(*op, left, right)
            }
            Self::Math(function, operands) => {
                let operands = operands.iter().map(|operand| operand.build(builder, arguments));
                let operands = operands.collect::<Option<Vec<_>>>()?;
                builder.math(*function, operands)
            }
        })
    }
}
