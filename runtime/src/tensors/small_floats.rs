//! The floats of 8 bits. Rust has none, so they are their codes, which the formats of `elements` read and make.

use elements::{ElementType, FloatFormat};
use std::cmp::Ordering;

/// The sign of a code.
const SIGN: u32 = 0x80;

macro_rules! small_floats {
    ($($name:ident),*) => {$(
        #[doc = concat!("A number of the element type `", stringify!($name), "`.")]
        #[derive(Clone, Copy, Debug)]
        #[repr(transparent)]
        pub struct $name(u8);

        impl $name {
            const FORMAT: FloatFormat = match ElementType::$name.float_format() {
                Some(format) => format,
                None => panic!("a type of floats"),
            };

            /// The number with this code.
            pub const fn from_bits(bits: u8) -> Self {
                Self(bits)
            }

            /// The code of the number.
            pub const fn to_bits(self) -> u8 {
                self.0
            }

            /// The cast of a number: to nearest, ties to even, at most the largest number.
            pub fn from_f64(value: f64) -> Self {
                // The code has 8 bits.
                Self(Self::FORMAT.code_of_value(Self::FORMAT.rounded(value), SIGN) as u8)
            }
        }

        impl From<$name> for f64 {
            fn from(number: $name) -> f64 {
                $name::FORMAT.value_of_code(u32::from(number.0), SIGN)
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                f64::from(*self) == f64::from(*other)
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                f64::from(*self).partial_cmp(&f64::from(*other))
            }
        }
    )*};
}

small_floats!(E4m3, E5m2);

#[cfg(test)]
mod tests;
