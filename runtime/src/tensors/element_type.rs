//! The element types a tensor can have. No dependencies, so that the file can move to the compiler as it stands.

use std::fmt;

/// The type of one element of a tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// Every element type, in the order in which the language lists them.
    pub const ALL: [ElementType; 13] = [
        ElementType::Bool,
        ElementType::I8,
        ElementType::I16,
        ElementType::I32,
        ElementType::I64,
        ElementType::U8,
        ElementType::U16,
        ElementType::U32,
        ElementType::U64,
        ElementType::F16,
        ElementType::Bf16,
        ElementType::F32,
        ElementType::F64,
    ];

    /// The name in the language, such as `f32`.
    pub const fn name(self) -> &'static str {
        match self {
            ElementType::Bool => "bool",
            ElementType::I8 => "i8",
            ElementType::I16 => "i16",
            ElementType::I32 => "i32",
            ElementType::I64 => "i64",
            ElementType::U8 => "u8",
            ElementType::U16 => "u16",
            ElementType::U32 => "u32",
            ElementType::U64 => "u64",
            ElementType::F16 => "f16",
            ElementType::Bf16 => "bf16",
            ElementType::F32 => "f32",
            ElementType::F64 => "f64",
        }
    }

    /// The type with this name in the language.
    pub fn from_name(name: &str) -> Option<ElementType> {
        Self::ALL.into_iter().find(|element| element.name() == name)
    }

    /// The size of one element in bytes: 1, 2, 4 or 8.
    pub const fn size_bytes(self) -> usize {
        match self {
            ElementType::Bool | ElementType::I8 | ElementType::U8 => 1,
            ElementType::I16 | ElementType::U16 | ElementType::F16 | ElementType::Bf16 => 2,
            ElementType::I32 | ElementType::U32 | ElementType::F32 => 4,
            ElementType::I64 | ElementType::U64 | ElementType::F64 => 8,
        }
    }

    /// Whether this is one of `f16`, `bf16`, `f32`, `f64`.
    pub const fn is_float(self) -> bool {
        matches!(self, ElementType::F16 | ElementType::Bf16 | ElementType::F32 | ElementType::F64)
    }

    /// Whether this is one of `i8` … `i64`, `u8` … `u64`. `bool` is neither an integer nor a float.
    pub const fn is_integer(self) -> bool {
        !self.is_float() && !matches!(self, ElementType::Bool)
    }

    /// Whether values can be negative: the signed integers and the floats.
    pub const fn is_signed(self) -> bool {
        self.is_float() || matches!(self, ElementType::I8 | ElementType::I16 | ElementType::I32 | ElementType::I64)
    }

    /// The smallest and the largest value of an integer type or of `bool` (0 and 1); `None` for a float.
    pub const fn integer_range(self) -> Option<(i128, i128)> {
        match self {
            ElementType::Bool => Some((0, 1)),
            ElementType::I8 => Some((i8::MIN as i128, i8::MAX as i128)),
            ElementType::I16 => Some((i16::MIN as i128, i16::MAX as i128)),
            ElementType::I32 => Some((i32::MIN as i128, i32::MAX as i128)),
            ElementType::I64 => Some((i64::MIN as i128, i64::MAX as i128)),
            ElementType::U8 => Some((0, u8::MAX as i128)),
            ElementType::U16 => Some((0, u16::MAX as i128)),
            ElementType::U32 => Some((0, u32::MAX as i128)),
            ElementType::U64 => Some((0, u64::MAX as i128)),
            ElementType::F16 | ElementType::Bf16 | ElementType::F32 | ElementType::F64 => None,
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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
    fn kinds_do_not_overlap() {
        for element in ElementType::ALL {
            assert!(!(element.is_float() && element.is_integer()), "{element}");
            assert_eq!(element.integer_range().is_none(), element.is_float(), "{element}");
        }
        assert!(ElementType::Bf16.is_signed() && ElementType::I8.is_signed());
        assert!(!ElementType::U64.is_signed() && !ElementType::Bool.is_signed());
    }
}
