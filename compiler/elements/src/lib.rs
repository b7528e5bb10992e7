//! Element types: what a tensor holds and a kernel computes with.

use std::fmt;

/// The type of a scalar or of a tensor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ElementType {
    /// `bool`, one byte that is 0 or 1.
    Bool,
    /// `i8`, two's complement.
    I8,
    /// `i16`, two's complement.
    I16,
    /// `i32`, two's complement.
    I32,
    /// `i64`, two's complement.
    I64,
    /// `u8`.
    U8,
    /// `u16`.
    U16,
    /// `u32`.
    U32,
    /// `u64`.
    U64,
    /// `f16`: IEEE binary16, 11 significant bits, finite up to 65504.
    F16,
    /// `bf16`: the upper half of an IEEE binary32, 8 significant bits.
    Bf16,
    /// `f32`: IEEE binary32.
    F32,
    /// `f64`: IEEE binary64.
    F64,
}

impl ElementType {
    /// Every element type, in the order of the reference.
    pub const ALL: [Self; 13] = [
        Self::Bool,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
        Self::F16,
        Self::Bf16,
        Self::F32,
        Self::F64,
    ];

    /// The word in the language: `f32`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// The type that the word names.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|element| element.name() == name)
    }

    /// Bytes of one element in memory: 1, 2, 4 or 8.
    pub const fn size_bytes(self) -> usize {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 | Self::Bf16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// Whether it is a floating-point type.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16 | Self::F32 | Self::F64)
    }

    /// Whether it is an integer type (`bool` is not).
    pub const fn is_integer(self) -> bool {
        !self.is_float() && !matches!(self, Self::Bool)
    }

    /// Whether it has negative values.
    pub const fn is_signed(self) -> bool {
        self.is_float() || matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }

    /// The smallest and the largest value of an integer type or of `bool` (0 and 1); `None` for a float.
    pub const fn integer_range(self) -> Option<(i128, i128)> {
        if self.is_float() {
            return None;
        }
        let bits = match self {
            Self::Bool => 1,
            _ => 8 * self.size_bytes(),
        };
        Some(if self.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) })
    }

    /// The largest finite value of a float type, and the smallest number that rounds to infinity.
    fn largest_float(self) -> Option<(f64, f64)> {
        let (significant_bits, exponent) = match self {
            Self::F16 => (11, 15),
            Self::Bf16 => (8, 127),
            Self::F32 => (24, 127),
            _ => return None,
        };
        let below_two = |bits: i32| (2.0 - 2f64.powi(-bits)) * 2f64.powi(exponent);
        Some((below_two(significant_bits - 1), below_two(significant_bits)))
    }

    /// Whether an integer is a value of the type; a float takes any that does not round to infinity.
    pub fn holds(self, value: i64) -> bool {
        match self.integer_range() {
            Some((low, high)) => (low..=high).contains(&i128::from(value)),
            None => self.holds_float(value as f64),
        }
    }

    /// Whether a float type takes a number without rounding it to infinity; what is infinite already stays so.
    pub fn holds_float(self, value: f64) -> bool {
        self.is_float() && (!value.is_finite() || self.largest_float().is_none_or(|(_, limit)| value.abs() < limit))
    }

    /// The smallest and the largest finite value, for messages: `-128 to 127`.
    pub fn range_text(self) -> String {
        match (self.integer_range(), self.largest_float()) {
            (Some((low, high)), _) => format!("{low} to {high}"),
            (None, Some((largest, _))) if largest < 1e6 => format!("-{largest} to {largest}"),
            // As `f32`, whose digits are fewer: a `bf16` is one too.
            (None, Some((largest, _))) => format!("{:e} to {:e}", -largest as f32, largest as f32),
            (None, None) => format!("{:e} to {:e}", f64::MIN, f64::MAX),
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        for element in ElementType::ALL {
            assert_eq!(ElementType::from_name(element.name()), Some(element));
        }
        assert_eq!(ElementType::from_name("f8"), None);
        assert_eq!(ElementType::from_name("F32"), None);
    }

    #[test]
    fn ranges_are_those_of_the_types() {
        let range = |low: i128, high: i128| Some((low, high));
        assert_eq!(ElementType::Bool.integer_range(), range(0, 1));
        assert_eq!(ElementType::I8.integer_range(), range(i8::MIN.into(), i8::MAX.into()));
        assert_eq!(ElementType::I64.integer_range(), range(i64::MIN.into(), i64::MAX.into()));
        assert_eq!(ElementType::U16.integer_range(), range(0, u16::MAX.into()));
        assert_eq!(ElementType::U64.integer_range(), range(0, u64::MAX.into()));
        for element in ElementType::ALL {
            assert!(!(element.is_float() && element.is_integer()), "{element}");
            assert_eq!(element.integer_range().is_none(), element.is_float(), "{element}");
            assert_eq!(element.holds(-1), element.is_signed(), "{element}");
        }
    }
}
