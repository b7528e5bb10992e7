//! Positive rational numbers: the factors in the sizes of units.

use std::fmt;

use num_integer::Integer;

/// A positive rational number in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scale {
    numerator: i64,
    denominator: i64,
}

impl Scale {
    /// The number 1.
    pub const ONE: Scale = Scale { numerator: 1, denominator: 1 };

    /// `numerator / denominator`; `None` unless both are positive.
    pub fn new(numerator: i64, denominator: i64) -> Option<Scale> {
        if numerator <= 0 || denominator <= 0 {
            return None;
        }
        let common = numerator.gcd(&denominator);
        Some(Scale { numerator: numerator / common, denominator: denominator / common })
    }

    /// A positive integer.
    pub fn integer(value: i64) -> Option<Scale> {
        Scale::new(value, 1)
    }

    /// The numerator.
    pub fn numerator(self) -> i64 {
        self.numerator
    }

    /// The denominator.
    pub fn denominator(self) -> i64 {
        self.denominator
    }

    /// The product; `None` where it overflows 64 bits.
    pub fn checked_mul(self, other: Scale) -> Option<Scale> {
        let (left, right) = (self.numerator.gcd(&other.denominator), other.numerator.gcd(&self.denominator));
        let numerator = (self.numerator / left).checked_mul(other.numerator / right)?;
        let denominator = (self.denominator / right).checked_mul(other.denominator / left)?;
        Some(Scale { numerator, denominator })
    }

    /// The reciprocal.
    pub fn inverse(self) -> Scale {
        Scale { numerator: self.denominator, denominator: self.numerator }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(formatter, "{}", self.numerator),
            denominator => write!(formatter, "{} / {denominator}", self.numerator),
        }
    }
}
