//! The math functions of kernels and expectations.

/// Math functions. f16 and bf16 are computed in f32 and rounded once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the documentation")]
pub enum MathFunction {
    Abs,
    /// The other operand where one is NaN.
    Min,
    /// The other operand where one is NaN.
    Max,
    Sqrt,
    Rsqrt,
    Exp,
    Exp2,
    Log,
    Log2,
    Sin,
    Cos,
    Tanh,
    Floor,
    Ceil,
    /// To nearest, ties to even.
    Round,
    Pow,
    /// `a * b + c` rounded once.
    Fma,
}

impl MathFunction {
    /// Every math function.
    pub const ALL: [Self; 17] = [
        Self::Abs,
        Self::Min,
        Self::Max,
        Self::Sqrt,
        Self::Rsqrt,
        Self::Exp,
        Self::Exp2,
        Self::Log,
        Self::Log2,
        Self::Sin,
        Self::Cos,
        Self::Tanh,
        Self::Floor,
        Self::Ceil,
        Self::Round,
        Self::Pow,
        Self::Fma,
    ];

    /// The word that calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Abs => "abs",
            Self::Min => "min",
            Self::Max => "max",
            Self::Sqrt => "sqrt",
            Self::Rsqrt => "rsqrt",
            Self::Exp => "exp",
            Self::Exp2 => "exp2",
            Self::Log => "log",
            Self::Log2 => "log2",
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tanh => "tanh",
            Self::Floor => "floor",
            Self::Ceil => "ceil",
            Self::Round => "round",
            Self::Pow => "pow",
            Self::Fma => "fma",
        }
    }

    /// The function that a word calls.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            Self::Min | Self::Max | Self::Pow => 2,
            Self::Fma => 3,
            _ => 1,
        }
    }
}
