//! Element types of tensors and scalars.
//!
//! This crate uses no other. A type is one file, with everything particular to it, and one line in the list of this
//! file. The grammars of the editors, messages, `.npy` files, generated code and machine code read the table, which
//! also has the conversions of narrow floats for machine code and CUDA. Only the Rust types of the interpreter are
//! elsewhere: one list of them in `runtime/src/tensors/element.rs`, and for a type that is computed with its arithmetic in
//! `runtime/src/interpreter/arithmetic.rs`.
//!
//! Begin with [`Definition`], then read `bf16.rs`.

mod definition;

mod bf16;
mod bool;
mod e4m3;
mod e5m2;
mod f16;
mod f32;
mod f64;
mod integers;

use std::fmt;

pub use definition::{Conversion, CudaDeclaration, Definition, FloatFormat, Kind, Npy};

/// Declares the element types, in the order of the reference, each with its definition.
macro_rules! element_types {
    ($($variant:ident => $definition:expr,)*) => {
        /// The type of a scalar or of a tensor's elements.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the definition of each type says what it is")]
        pub enum ElementType {
            $($variant,)*
        }

        impl ElementType {
            /// Every element type, in the order of the reference.
            pub const ALL: [Self; [$(Self::$variant),*].len()] = [$(Self::$variant),*];

            /// The definition of the type.
            pub const fn definition(self) -> &'static Definition {
                match self {
                    $(Self::$variant => &$definition,)*
                }
            }
        }
    };
}

element_types! {
    Bool => bool::BOOL,
    I8 => integers::I8,
    I16 => integers::I16,
    I32 => integers::I32,
    I64 => integers::I64,
    U8 => integers::U8,
    U16 => integers::U16,
    U32 => integers::U32,
    U64 => integers::U64,
    E4m3 => e4m3::E4M3,
    E5m2 => e5m2::E5M2,
    F16 => f16::F16,
    Bf16 => bf16::BF16,
    F32 => f32::F32,
    F64 => f64::F64,
}

impl ElementType {
    /// The name in the language: `f32`.
    pub const fn name(self) -> &'static str {
        self.definition().name
    }

    /// The type with this name in the language.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|element| element.name() == name)
    }

    /// The type with this name in the language, or in other languages and libraries.
    pub fn from_elsewhere(name: &str) -> Option<Self> {
        let is_called = |element: &Self| element.name() == name || element.definition().elsewhere.contains(&name);
        Self::ALL.into_iter().find(is_called)
    }

    /// The size of one element in memory, in bytes: 1, 2, 4 or 8.
    pub const fn size_bytes(self) -> usize {
        self.definition().bytes
    }

    /// Whether it is a floating-point type.
    pub const fn is_float(self) -> bool {
        matches!(self.definition().kind, Kind::Float(_))
    }

    /// The format of a floating-point type.
    pub const fn float_format(self) -> Option<FloatFormat> {
        match self.definition().kind {
            Kind::Float(format) => Some(format),
            Kind::Bool | Kind::Integer { .. } => None,
        }
    }

    /// Whether kernels compute with it: operators, comparisons and functions. A type without them is stored, converted, and
    /// multiplied as matrices.
    pub const fn computes(self) -> bool {
        self.definition().computes
    }

    /// Whether it is a float that is held as an `f32`; where it is computed with, each result is rounded once.
    pub const fn is_narrow_float(self) -> bool {
        self.is_float() && self.size_bytes() < 4
    }

    /// Whether it is an integer type (`bool` is not).
    pub const fn is_integer(self) -> bool {
        matches!(self.definition().kind, Kind::Integer { .. })
    }

    /// Whether it has negative values.
    pub const fn is_signed(self) -> bool {
        matches!(self.definition().kind, Kind::Integer { signed: true } | Kind::Float(_))
    }

    /// The bits of one value: 1 for `bool`, otherwise those of its bytes.
    pub const fn bits(self) -> u32 {
        match self.definition().kind {
            Kind::Bool => 1,
            Kind::Integer { .. } | Kind::Float(_) => 8 * self.size_bytes() as u32,
        }
    }

    /// The unsigned integer type with so many bits.
    pub fn unsigned(bits: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|element| element.is_integer() && !element.is_signed() && element.bits() == bits)
    }

    /// The smallest and the largest value of an integer type or of `bool` (0 and 1); `None` for a float.
    pub const fn integer_range(self) -> Option<(i128, i128)> {
        if self.is_float() {
            return None;
        }
        let bits = self.bits();
        Some(if self.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) })
    }

    /// Whether the type holds an integer. A float holds all integers that do not round beyond its largest value.
    pub fn holds(self, value: i64) -> bool {
        match self.integer_range() {
            Some((low, high)) => (low..=high).contains(&i128::from(value)),
            None => self.holds_float(value as f64),
        }
    }

    /// Whether a float type has a constant: NaN, an infinity, or a number that rounds to a finite one.
    pub fn holds_float(self, value: f64) -> bool {
        self.float_format().is_some_and(|format| format.has_constant(value))
    }

    /// The smallest and the largest finite value, for messages: `-128 to 127`.
    pub fn range_text(self) -> String {
        let largest = self.float_format().map_or(0.0, |format| format.largest());
        match self.integer_range() {
            Some((low, high)) => format!("{low} to {high}"),
            None if self.float_format().is_some_and(|format| !format.has_infinities) => {
                format!("-{largest} to {largest} without infinities")
            }
            None if largest < 1e6 => format!("-{largest} to {largest}"),
            // Displayed as `f32`, whose shortest decimal has fewer digits. The values of narrower floats are `f32`
            // values, too.
            None if self.size_bytes() <= 4 => format!("{:e} to {:e}", -largest as f32, largest as f32),
            None => format!("{:e} to {:e}", -largest, largest),
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
