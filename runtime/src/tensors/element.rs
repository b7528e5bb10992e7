//! The Rust types that stand for element types, for typed access to a tensor.

use super::{ElementType, Scalar};
use half::{bf16, f16};

mod sealed {
    pub trait Sealed {}
}

/// A Rust type whose memory is that of an element type.
///
/// # Safety
///
/// The size must be `TYPE.size_bytes()` and the alignment at most [`super::ALIGNMENT`]; there is no padding; and every
/// bit pattern for which [`Element::is_valid`] holds for each byte must be a value. Only this crate implements it.
pub unsafe trait Element: sealed::Sealed + Copy + PartialEq + Send + Sync + 'static {
    /// The element type that `Self` stands for.
    const TYPE: ElementType;
    /// Whether every bit pattern is a value; `false` only for `bool`.
    const ANY_BITS: bool = true;

    /// Whether the byte may occur in a value. Asked only where not every bit pattern is one.
    fn is_valid(_byte: u8) -> bool {
        true
    }

    /// The value as a [`Scalar`].
    fn to_scalar(self) -> Scalar;
}

macro_rules! elements {
    ($($rust:ty => $variant:ident),* $(,)?) => {$(
        impl sealed::Sealed for $rust {}
        // SAFETY: a number type without padding for which every bit pattern is a value, of the size its name says
        // (`sizes_agree` compares it), and aligned to at most 8 bytes.
        unsafe impl Element for $rust {
            const TYPE: ElementType = ElementType::$variant;
            fn to_scalar(self) -> Scalar {
                Scalar::$variant(self)
            }
        }
    )*};
}

elements! {
    i8 => I8, i16 => I16, i32 => I32, i64 => I64,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64,
    f16 => F16, bf16 => Bf16, f32 => F32, f64 => F64,
}

impl sealed::Sealed for bool {}
// SAFETY: `bool` is one byte, and `is_valid` holds for exactly the two bytes that are values.
unsafe impl Element for bool {
    const TYPE: ElementType = ElementType::Bool;
    const ANY_BITS: bool = false;

    fn is_valid(byte: u8) -> bool {
        byte <= 1
    }

    fn to_scalar(self) -> Scalar {
        Scalar::Bool(self)
    }
}

/// Evaluates `$body` with the type alias `$alias` standing for the Rust type of the element type `$element`.
macro_rules! with_element {
    ($element:expr, $alias:ident => $body:expr) => {
        match $element {
            $crate::tensors::ElementType::Bool => {
                type $alias = bool;
                $body
            }
            $crate::tensors::ElementType::I8 => {
                type $alias = i8;
                $body
            }
            $crate::tensors::ElementType::I16 => {
                type $alias = i16;
                $body
            }
            $crate::tensors::ElementType::I32 => {
                type $alias = i32;
                $body
            }
            $crate::tensors::ElementType::I64 => {
                type $alias = i64;
                $body
            }
            $crate::tensors::ElementType::U8 => {
                type $alias = u8;
                $body
            }
            $crate::tensors::ElementType::U16 => {
                type $alias = u16;
                $body
            }
            $crate::tensors::ElementType::U32 => {
                type $alias = u32;
                $body
            }
            $crate::tensors::ElementType::U64 => {
                type $alias = u64;
                $body
            }
            $crate::tensors::ElementType::F16 => {
                type $alias = half::f16;
                $body
            }
            $crate::tensors::ElementType::Bf16 => {
                type $alias = half::bf16;
                $body
            }
            $crate::tensors::ElementType::F32 => {
                type $alias = f32;
                $body
            }
            $crate::tensors::ElementType::F64 => {
                type $alias = f64;
                $body
            }
        }
    };
}
pub(crate) use with_element;

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
}
