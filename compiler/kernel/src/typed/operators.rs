//! The operators of typed expressions.

use dims::CompareOp;
use elements::ElementType;
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

    /// Whether a type has the operator.
    pub fn is_defined_on(self, element: ElementType) -> bool {
        match self {
            Self::Negate => element.computes() && element != ElementType::Bool,
            Self::Not => element == ElementType::Bool,
        }
    }
}

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the documentation")]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    /// IEEE division of floats. Integer division truncates; a zero divisor gives 0, and the smallest integer divided by
    /// −1 wraps.
    Divide,
    /// The remainder of `Divide`, for floats `fmod`; integers give 0 for a zero divisor.
    Remainder,
    /// Floor division of indices (`i64`); the divisor is known to be positive.
    FloorDivide,
    /// Floor remainder of indices (`i64`), never negative; the divisor is known to be positive.
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
    /// `&&` of `bool`; the right side is evaluated only if the left side holds.
    And,
    /// `||` of `bool`; the right side is evaluated only if the left side does not hold.
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

    /// Whether operands of a type have the operator.
    pub fn is_defined_on(self, operands: ElementType) -> bool {
        let is_bool = operands == ElementType::Bool;
        if !operands.computes() {
            return false;
        }
        match self {
            Self::Add | Self::Subtract | Self::Multiply | Self::Divide | Self::Remainder => !is_bool,
            Self::FloorDivide | Self::FloorRemainder => operands == ElementType::I64,
            Self::BitXor | Self::BitAnd | Self::BitOr => is_bool || operands.is_integer(),
            Self::ShiftLeft | Self::ShiftRight => operands.is_integer(),
            Self::Equal | Self::NotEqual | Self::Less | Self::LessEqual | Self::Greater | Self::GreaterEqual => true,
            Self::And | Self::Or => is_bool,
        }
    }

    /// The operator for one of the syntax; `None` if that is only for maps and shapes.
    pub fn written(op: tree::BinaryOp) -> Option<Self> {
        Some(match op {
            tree::BinaryOp::Add => Self::Add,
            tree::BinaryOp::Subtract => Self::Subtract,
            tree::BinaryOp::Multiply => Self::Multiply,
            tree::BinaryOp::Divide => Self::Divide,
            tree::BinaryOp::Remainder => Self::Remainder,
            tree::BinaryOp::BitAnd => Self::BitAnd,
            tree::BinaryOp::BitOr => Self::BitOr,
            tree::BinaryOp::BitXor => Self::BitXor,
            tree::BinaryOp::ShiftLeft => Self::ShiftLeft,
            tree::BinaryOp::ShiftRight => Self::ShiftRight,
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

    /// An operator of bits as one of arithmetic, with its right operand: on the bits of a type, `x << k` is `x * 2ᵏ`, `x >> k`
    /// is `x / 2ᵏ`, and `x & (2ᵏ - 1)` is `x % 2ᵏ`, for every sign, since the quotient and the remainder are rounded down.
    /// The product may leave the type.
    ///
    /// `None` for other operators and masks, for distances that are reduced modulo the type's width, and for powers of two
    /// that exceed `i64`.
    pub fn in_arithmetic(self, right: i64, element: ElementType) -> Option<(Self, i64)> {
        let power =
            || u32::try_from(right).ok().filter(|places| *places < element.bits().min(63)).map(|places| 1 << places);
        match self {
            Self::ShiftLeft => Some((Self::Multiply, power()?)),
            Self::ShiftRight => Some((Self::FloorDivide, power()?)),
            Self::BitAnd => {
                let modulus = right.checked_add(1).filter(|next| *next > 0 && next.count_ones() == 1)?;
                Some((Self::FloorRemainder, modulus))
            }
            _ => None,
        }
    }

    /// The comparison that this operator is, if any.
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

    /// The comparison that holds where this one does not; `None` of other operators. No comparison but `!=` holds of a NaN, so it is
    /// not for floats.
    pub fn negated(self) -> Option<Self> {
        let wanted = self.comparison()?.negated();
        Self::ALL.into_iter().find(|operator| operator.comparison() == Some(wanted))
    }

    /// Whether it compares two values of one type.
    pub fn is_comparison(self) -> bool {
        self.comparison().is_some()
    }

    /// Whether its result is always a `bool`.
    pub fn gives_bool(self) -> bool {
        self.is_comparison() || matches!(self, Self::And | Self::Or)
    }
}
