//! The operators on each element type.
//!
//! The floats of 8 bits are not computed with. f16 and bf16 have no arithmetic of their own: an operation is computed in f32 and its result rounded once to the
//! type, to nearest with ties to even. For `+ - * /` and the square root that is the correctly rounded result, since an
//! f32 has more than twice their digits.

use std::ops::{BitAnd, BitOr, BitXor};

use half::{bf16, f16};

use crate::tensors::Element;

/// A type with the arithmetic operators.
pub trait Arithmetic: Element {
    /// `self + other`
    fn add(self, other: Self) -> Self;
    /// `self - other`
    fn subtract(self, other: Self) -> Self;
    /// `self * other`
    fn multiply(self, other: Self) -> Self;
    /// `self / other`: truncating for integers, 0 for a zero divisor.
    fn divide(self, other: Self) -> Self;
    /// `self % other`: the remainder of [`Arithmetic::divide`].
    fn remainder(self, other: Self) -> Self;
    /// `-self`
    fn negate(self) -> Self;
    /// The absolute value; the smallest integer gives itself.
    fn absolute(self) -> Self;
    /// The minimum; the other operand if one is NaN; −0 is smaller than 0.
    fn minimum(self, other: Self) -> Self;
    /// The maximum; the other operand if one is NaN; −0 is smaller than 0.
    fn maximum(self, other: Self) -> Self;
}

/// A type with bitwise operators: `bool` and the integers.
pub trait Bitwise: Element + BitXor<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> {}

impl<T: Element + BitXor<Output = T> + BitAnd<Output = T> + BitOr<Output = T>> Bitwise for T {}

/// A type with shifts.
pub trait Shift: Element {
    /// `self << other`; the distance is taken modulo the width of the type.
    fn shift_left(self, other: Self) -> Self;
    /// `self >> other`, arithmetic for signed types; the distance is taken modulo the width of the type.
    fn shift_right(self, other: Self) -> Self;
}

/// An integer type, with the functions of its bits; counts are numbers of the type.
pub trait Integer: Element {
    /// How many bits are 1.
    fn count_ones(self) -> Self;
    /// How many bits are 0 above the highest 1.
    fn leading_zeros(self) -> Self;
    /// How many bits are 0 below the lowest 1.
    fn trailing_zeros(self) -> Self;
    /// The place of the lowest 1, counted from 1; 0 if there is none.
    fn first_one(self) -> Self;
    /// The bits in the opposite order.
    fn reverse_bits(self) -> Self;
    /// The upper half of the product.
    fn multiply_high(self, other: Self) -> Self;
}

/// A floating-point type, with conversions to and from the type in which it is computed.
pub trait Float: Element {
    /// f32 for f16, bf16 and f32; f64 for f64.
    type Computed: Real;
    /// The value in the type it computes in, exactly.
    fn computed(self) -> Self::Computed;
    /// A result, rounded to the type.
    fn rounded(value: Self::Computed) -> Self;
}

/// f32 and f64, with the math functions.
pub trait Real: num_traits::Float + math::Computed {
    /// The nearest integer, ties to even.
    fn round_ties_even(self) -> Self;
}

impl Real for f32 {
    fn round_ties_even(self) -> Self {
        f32::round_ties_even(self)
    }
}

impl Real for f64 {
    fn round_ties_even(self) -> Self {
        f64::round_ties_even(self)
    }
}

macro_rules! integers {
    ($($type:ty, $absolute:expr);* $(;)?) => {$(
        impl Arithmetic for $type {
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn subtract(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            fn multiply(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            fn divide(self, other: Self) -> Self {
                if other == 0 { 0 } else { self.wrapping_div(other) }
            }
            fn remainder(self, other: Self) -> Self {
                if other == 0 { 0 } else { self.wrapping_rem(other) }
            }
            fn negate(self) -> Self {
                self.wrapping_neg()
            }
            fn absolute(self) -> Self {
                let absolute: fn($type) -> $type = $absolute;
                absolute(self)
            }
            fn minimum(self, other: Self) -> Self {
                self.min(other)
            }
            fn maximum(self, other: Self) -> Self {
                self.max(other)
            }
        }
        impl Shift for $type {
            fn shift_left(self, other: Self) -> Self {
                self.wrapping_shl(other as u32)
            }
            fn shift_right(self, other: Self) -> Self {
                self.wrapping_shr(other as u32)
            }
        }
        // A count is at most 64, which every type holds.
        impl Integer for $type {
            fn count_ones(self) -> Self {
                <$type>::count_ones(self) as $type
            }
            fn leading_zeros(self) -> Self {
                <$type>::leading_zeros(self) as $type
            }
            fn trailing_zeros(self) -> Self {
                <$type>::trailing_zeros(self) as $type
            }
            fn first_one(self) -> Self {
                if self == 0 { 0 } else { <$type>::trailing_zeros(self) as $type + 1 }
            }
            fn reverse_bits(self) -> Self {
                <$type>::reverse_bits(self)
            }
            fn multiply_high(self, other: Self) -> Self {
                (i128::from(self).wrapping_mul(i128::from(other)) >> <$type>::BITS) as $type
            }
        }
    )*};
}

integers! {
    i8, i8::wrapping_abs;
    i16, i16::wrapping_abs;
    i32, i32::wrapping_abs;
    i64, i64::wrapping_abs;
    u8, |value| value;
    u16, |value| value;
    u32, |value| value;
    u64, |value| value;
}

macro_rules! floats {
    ($($type:ident in $computed:ty, $widen:expr, $round:expr);* $(;)?) => {$(
        impl Float for $type {
            type Computed = $computed;
            fn computed(self) -> $computed {
                let widen: fn($type) -> $computed = $widen;
                widen(self)
            }
            fn rounded(value: $computed) -> Self {
                let round: fn($computed) -> $type = $round;
                round(value)
            }
        }
    )*};
}

floats! {
    f16 in f32, f16::to_f32, f16::from_f32;
    bf16 in f32, bf16::to_f32, bf16::from_f32;
    f32 in f32, |value| value, |value| value;
    f64 in f64, |value| value, |value| value;
}

impl<T: Float> Arithmetic for T {
    fn add(self, other: Self) -> Self {
        T::rounded(self.computed() + other.computed())
    }
    fn subtract(self, other: Self) -> Self {
        T::rounded(self.computed() - other.computed())
    }
    fn multiply(self, other: Self) -> Self {
        T::rounded(self.computed() * other.computed())
    }
    fn divide(self, other: Self) -> Self {
        T::rounded(self.computed() / other.computed())
    }
    fn remainder(self, other: Self) -> Self {
        T::rounded(self.computed() % other.computed())
    }
    fn negate(self) -> Self {
        T::rounded(-self.computed())
    }
    fn absolute(self) -> Self {
        T::rounded(num_traits::Float::abs(self.computed()))
    }
    fn minimum(self, other: Self) -> Self {
        T::rounded(smaller(self.computed(), other.computed()))
    }
    fn maximum(self, other: Self) -> Self {
        T::rounded(-smaller(-self.computed(), -other.computed()))
    }
}

/// The standard library leaves the order of the two zeros open; here −0 is smaller.
fn smaller<T: num_traits::Float>(left: T, right: T) -> T {
    if left.is_nan() {
        right
    } else if left < right || right.is_nan() || (left == right && left.is_sign_negative()) {
        left
    } else {
        right
    }
}

/// The quotient of indices, rounded down. A divisor below one counts as one, since compiled kernels may compute a
/// quotient before the mask that excludes it.
pub fn floor_divide(dividend: i64, divisor: i64) -> i64 {
    dividend.div_euclid(divisor.max(1))
}

/// The remainder of [`floor_divide`], which is never negative.
pub fn floor_remainder(dividend: i64, divisor: i64) -> i64 {
    dividend.rem_euclid(divisor.max(1))
}
