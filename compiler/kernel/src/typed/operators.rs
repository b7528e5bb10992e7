//! The operators of typed expressions.

use dims::CompareOp;
use syntax::tree;

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-a` of a signed number
    Negate,
    /// `!a` of a `bool`
    Not,
}

impl UnaryOp {
    /// Every operator of one operand.
    pub const ALL: [Self; 2] = [Self::Negate, Self::Not];
}

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the documentation")]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    /// Floats: IEEE. Integers: truncating; a zero divisor gives 0, the smallest integer by −1 wraps.
    Divide,
    /// The companion of `Divide`; floats: `fmod`; a zero divisor gives 0 for integers.
    Remainder,
    /// `i64` only, for indices: the divisor is known to be positive.
    FloorDivide,
    /// `i64` only, for indices: the divisor is known to be positive, the result is not negative.
    FloorRemainder,
    BitXor,
    BitAnd,
    BitOr,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// `&&` of `bool`, the right side evaluated only where the left holds.
    And,
    /// `||` of `bool`, the right side evaluated only where the left does not hold.
    Or,
}

impl BinaryOp {
    /// Every operator of two operands.
    pub const ALL: [Self; 20] = [
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Divide,
        Self::Remainder,
        Self::FloorDivide,
        Self::FloorRemainder,
        Self::BitXor,
        Self::BitAnd,
        Self::BitOr,
        Self::ShiftLeft,
        Self::ShiftRight,
        Self::Equal,
        Self::NotEqual,
        Self::Less,
        Self::LessEqual,
        Self::Greater,
        Self::GreaterEqual,
        Self::And,
        Self::Or,
    ];

    /// The operator that is written so; `None` for one of maps and shapes only.
    pub fn written(op: tree::BinaryOp) -> Option<Self> {
        Some(match op {
            tree::BinaryOp::Add => Self::Add,
            tree::BinaryOp::Subtract => Self::Subtract,
            tree::BinaryOp::Multiply => Self::Multiply,
            tree::BinaryOp::Divide => Self::Divide,
            tree::BinaryOp::Remainder => Self::Remainder,
            tree::BinaryOp::Equal => Self::Equal,
            tree::BinaryOp::NotEqual => Self::NotEqual,
            tree::BinaryOp::Less => Self::Less,
            tree::BinaryOp::LessEqual => Self::LessEqual,
            tree::BinaryOp::Greater => Self::Greater,
            tree::BinaryOp::GreaterEqual => Self::GreaterEqual,
            tree::BinaryOp::And => Self::And,
            tree::BinaryOp::Or => Self::Or,
            tree::BinaryOp::Pipe | tree::BinaryOp::BoundedProduct => return None,
        })
    }

    /// The comparison of two values of one type that it is, if it is one.
    pub fn comparison(self) -> Option<CompareOp> {
        Some(match self {
            Self::Equal => CompareOp::Eq,
            Self::NotEqual => CompareOp::Ne,
            Self::Less => CompareOp::Lt,
            Self::LessEqual => CompareOp::Le,
            Self::Greater => CompareOp::Gt,
            Self::GreaterEqual => CompareOp::Ge,
            _ => return None,
        })
    }

    /// Whether it compares two values of one type.
    pub fn is_comparison(self) -> bool {
        self.comparison().is_some()
    }

    /// Whether its result is a `bool` whatever its operands are.
    pub fn gives_bool(self) -> bool {
        self.is_comparison() || matches!(self, Self::And | Self::Or)
    }
}
