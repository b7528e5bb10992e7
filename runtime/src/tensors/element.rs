//! The element types as Rust types: their memory, and conversions between them.
//!
//! This is the only list of Rust types, in [`each_element!`]. Everything that depends on the type and is not an operator
//! (scalars, initial values, casts, columns of an expectation) uses [`Element`] and [`with_element!`].

use half::{bf16, f16};

use super::round::{bf16_from_f64, f16_from_f64, f64_round_to_odd};
use super::small_floats::{E4m3, E5m2};
use super::{ElementType, Scalar};

/// A value of any element type: its memory representation, zero-extended to 64 bits.
pub type Bits = u64;

/// A number during a conversion between element types: represents all values of all types exactly.
#[derive(Clone, Copy, Debug)]
pub enum Wide {
    /// An integer or a `bool`.
    Integer(i128),
    /// A float.
    Float(f64),
}

impl Wide {
    /// The integer, or the integral part of a float.
    pub fn to_i128(self) -> i128 {
        match self {
            Wide::Integer(value) => value,
            Wide::Float(value) => value as i128,
        }
    }

    /// The nearest `f64`.
    pub fn to_f64(self) -> f64 {
        match self {
            Wide::Integer(value) => value as f64,
            Wide::Float(value) => value,
        }
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A Rust type whose memory is that of an element type.
///
/// # Safety
///
/// The size must be `TYPE.size_bytes()` and the alignment at most [`super::ALIGNMENT`]; there is no padding; and every
/// bit pattern for which [`Element::is_valid`] holds for each byte must be a value. Only this crate implements it.
pub unsafe trait Element: sealed::Sealed + Copy + PartialOrd + Send + Sync + 'static {
    /// The element type of `Self`.
    const TYPE: ElementType;
    /// Whether every bit pattern is a value; `false` only for `bool`.
    const ANY_BITS: bool = true;

    /// Whether the byte may occur in a value. Used only if not every bit pattern is a value.
    fn is_valid(_byte: u8) -> bool {
        true
    }

    /// The value with this memory representation; higher bits are ignored. Any nonzero byte is a true `bool`.
    fn decode(bits: Bits) -> Self;
    /// The memory representation.
    fn encode(self) -> Bits;
    /// The value, exactly.
    fn widen(self) -> Wide;
    /// The cast to this type, as the typed kernel defines it.
    fn narrow(wide: Wide) -> Self;
    /// The value as a [`Scalar`].
    fn to_scalar(self) -> Scalar;
}

/// The bytes of an element of `size` bytes in native order at the front of the array; the rest is 0.
pub(crate) fn memory(bits: Bits, size: usize) -> [u8; 8] {
    if cfg!(target_endian = "big") { (bits << (64 - 8 * size)).to_be_bytes() } else { bits.to_le_bytes() }
}

/// The bits of an element of `size` bytes at the front of the array.
pub(crate) fn bits_in_memory(bytes: [u8; 8], size: usize) -> Bits {
    let unused = 64 - 8 * size;
    if cfg!(target_endian = "big") {
        u64::from_be_bytes(bytes) >> unused
    } else {
        u64::from_le_bytes(bytes) << unused >> unused
    }
}

impl sealed::Sealed for bool {}
// SAFETY: `bool` is one byte, and `is_valid` holds for exactly the two bytes that are values.
unsafe impl Element for bool {
    const TYPE: ElementType = ElementType::Bool;
    const ANY_BITS: bool = false;

    fn is_valid(byte: u8) -> bool {
        byte <= 1
    }
    fn decode(bits: Bits) -> Self {
        bits & 0xff != 0
    }
    fn encode(self) -> Bits {
        Bits::from(self)
    }
    fn widen(self) -> Wide {
        Wide::Integer(i128::from(self))
    }
    fn narrow(wide: Wide) -> Self {
        match wide {
            Wide::Integer(value) => value != 0,
            Wide::Float(value) => value != 0.0,
        }
    }
    fn to_scalar(self) -> Scalar {
        Scalar::Bool(self)
    }
}

macro_rules! integers {
    ($($type:ty as $unsigned:ty => $variant:ident),*) => {$(
        impl sealed::Sealed for $type {}
        // SAFETY: an integer without padding for which every bit pattern is a value, of the size its name says
        // (`sizes_agree` compares it), and aligned to at most 8 bytes.
        unsafe impl Element for $type {
            const TYPE: ElementType = ElementType::$variant;

            fn decode(bits: Bits) -> Self {
                bits as $type
            }
            fn encode(self) -> Bits {
                Bits::from(self as $unsigned)
            }
            fn widen(self) -> Wide {
                Wide::Integer(i128::from(self))
            }
            fn narrow(wide: Wide) -> Self {
                // `as` has the semantics of the typed kernel: integers wrap, floats truncate and saturate, NaN gives 0.
                match wide {
                    Wide::Integer(value) => value as $type,
                    Wide::Float(value) => value as $type,
                }
            }
            fn to_scalar(self) -> Scalar {
                Scalar::$variant(self)
            }
        }
    )*};
}

integers! {
    i8 as u8 => I8, i16 as u16 => I16, i32 as u32 => I32, i64 as u64 => I64,
    u8 as u8 => U8, u16 as u16 => U16, u32 as u32 => U32, u64 as u64 => U64
}

macro_rules! floats {
    ($($type:ident as $bits:ty => $variant:ident, $from_integer:expr, $from_float:expr);*) => {$(
        impl sealed::Sealed for $type {}
        // SAFETY: a float without padding for which every bit pattern is a value, of the size its name says
        // (`sizes_agree` compares it), and aligned to at most 8 bytes.
        unsafe impl Element for $type {
            const TYPE: ElementType = ElementType::$variant;

            fn decode(bits: Bits) -> Self {
                $type::from_bits(bits as $bits)
            }
            fn encode(self) -> Bits {
                Bits::from($type::to_bits(self))
            }
            fn widen(self) -> Wide {
                Wide::Float(f64::from(self))
            }
            fn narrow(wide: Wide) -> Self {
                let (from_integer, from_float): (fn(i128) -> $type, fn(f64) -> $type) = ($from_integer, $from_float);
                match wide {
                    Wide::Integer(value) => from_integer(value),
                    Wide::Float(value) => from_float(value),
                }
            }
            fn to_scalar(self) -> Scalar {
                Scalar::$variant(self)
            }
        }
    )*};
}

// Rounding an integer to odd in f64 preserves the information for rounding to a narrow float.
floats! {
    E4m3 as u8 => E4m3, |value| E4m3::from_f64(f64_round_to_odd(value)), E4m3::from_f64;
    E5m2 as u8 => E5m2, |value| E5m2::from_f64(f64_round_to_odd(value)), E5m2::from_f64;
    f16 as u16 => F16, |value| f16_from_f64(f64_round_to_odd(value)), f16_from_f64;
    bf16 as u16 => Bf16, |value| bf16_from_f64(f64_round_to_odd(value)), bf16_from_f64;
    f32 as u32 => F32, |value| value as f32, |value| value as f32;
    f64 as u64 => F64, |value| value as f64, |value| value
}

/// Calls a macro with the list of all element types, each with its Rust type. What is given comes before the list.
macro_rules! each_element {
    (($($macro:tt)*)! $($given:tt)*) => {
        $($macro)*! {
            $($given)* [
                Bool bool, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64,
                E4m3 $crate::tensors::E4m3, E5m2 $crate::tensors::E5m2,
                F16 half::f16, Bf16 half::bf16, F32 f32, F64 f64
            ]
        }
    };
}

/// A `match` on an element type in which `$alias` stands for its Rust type; see the macros below.
macro_rules! match_element {
    ($element:expr, $alias:ident => $body:expr, [$($variant:ident $type:ty),*] $(else $other:expr)?) => {
        match $element {
            $($crate::tensors::ElementType::$variant => {
                type $alias = $type;
                $body
            })*
            $(_ => $other)?
        }
    };
}

/// Evaluates `$body` with the type alias `$alias` standing for the Rust type of the element type `$element`.
macro_rules! with_element {
    ($element:expr, $alias:ident => $body:expr) => {
        $crate::tensors::element::each_element!(($crate::tensors::element::match_element)! $element, $alias => $body,)
    };
}

/// The same for integer types; `None` for the others.
macro_rules! with_integer {
    ($element:expr, $alias:ident => $body:expr) => {
        $crate::tensors::element::match_element!($element, $alias => Some($body), [
            I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64
        ] else None)
    };
}

/// The same for floats that are computed with; `None` for the others.
macro_rules! with_float {
    ($element:expr, $alias:ident => $body:expr) => {
        $crate::tensors::element::match_element!($element, $alias => Some($body), [
            F16 half::f16, Bf16 half::bf16, F32 f32, F64 f64
        ] else None)
    };
}

pub(crate) use {each_element, match_element, with_element, with_float, with_integer};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_agree() {
        for element in ElementType::ALL {
            with_element!(element, T => {
                assert_eq!(T::TYPE, element);
                assert_eq!(size_of::<T>(), element.size_bytes());
                assert!(align_of::<T>() <= super::super::ALIGNMENT);
            });
        }
    }

    #[test]
    fn bits_pass_through_memory() {
        for size in [1, 2, 4, 8] {
            let bits = 0x8899_aabb_ccdd_eeff & (u64::MAX >> (64 - 8 * size));
            assert_eq!(bits_in_memory(memory(bits, size), size), bits);
        }
        assert_eq!(memory(0x0102, 2)[..2], 0x0102u16.to_ne_bytes());
    }
}
