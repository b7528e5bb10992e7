//! Errors of arithmetic and of evaluation.

use std::fmt;

use super::{Sym, Symbol};

/// An operation on symbolic integers that has no result, with the operands that show why.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Arithmetic {
    /// The result, or a coefficient in it, overflows 64 bits.
    Overflow {
        /// The left operand.
        left: Sym,
        /// The operation as it is written, for example `*`.
        op: &'static str,
        /// The right operand.
        right: Sym,
    },
    /// The divisor is zero.
    DivisionByZero {
        /// The dividend.
        left: Sym,
        /// The operation as it is written, for example `/`.
        op: &'static str,
    },
    /// The result is too large: thousands of terms, or divisions nested very deeply.
    TooComplex {
        /// The operation as it is written, for example `*`.
        op: &'static str,
    },
}

impl fmt::Display for Arithmetic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Arithmetic::Overflow { left, op, right } if is_function(op) => {
                write!(formatter, "`{op}({left}, {right})` does not fit in 64 bits")
            }
            Arithmetic::Overflow { left, op, right } => {
                let (left, right) = (left.as_operand(), right.as_operand());
                write!(formatter, "`{left} {op} {right}` does not fit in 64 bits")
            }
            Arithmetic::DivisionByZero { left, op } if is_function(op) => {
                write!(formatter, "`{op}({left}, 0)` divides by zero")
            }
            Arithmetic::DivisionByZero { left, op } => {
                write!(formatter, "`{} {op} 0` divides by zero", left.as_operand())
            }
            Arithmetic::TooComplex { op } => {
                write!(formatter, "the result of this `{op}` has too many terms to work with")
            }
        }
    }
}

/// Whether an operation is written as a call rather than between its operands.
fn is_function(op: &str) -> bool {
    op.starts_with(|first: char| first.is_ascii_alphabetic())
}

impl std::error::Error for Arithmetic {}

/// Why a symbolic integer has no value under an assignment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum EvaluateError {
    /// The assignment gives this symbol no value.
    MissingSymbol(Symbol),
    /// The value overflows 64 bits.
    Overflow,
    /// A divisor is zero under the assignment; the text is that of the divisor.
    DivisionByZero(Sym),
}

impl fmt::Display for EvaluateError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvaluateError::MissingSymbol(symbol) => write!(formatter, "`{symbol}` has no value"),
            EvaluateError::Overflow => formatter.write_str("the value does not fit in 64 bits"),
            EvaluateError::DivisionByZero(divisor) => {
                write!(formatter, "the divisor `{divisor}` is zero")
            }
        }
    }
}

impl std::error::Error for EvaluateError {}
