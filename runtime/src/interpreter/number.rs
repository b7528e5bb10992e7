//! The element types as Rust types, and what the operators mean on each of them.
//!
//! A value travels as a [`Bits`]: its memory representation, zero-extended to 64 bits. Every operation here is a plain
//! function on bits, so that the interpreter calls it through a pointer and compiled code can call the same function.
//!
//! f16 and bf16 have no arithmetic of their own: an operation is computed in f32 and its result rounded once to the
//! type, to nearest with ties to even. For `+ - * /` and the square root that is the correctly rounded result, since
//! an f32 has more than twice their digits.

use half::{bf16, f16};

use crate::tensors::round::{bf16_from_f64, f16_from_f64, f64_round_to_odd};

/// A value of any element type: its memory representation, zero-extended.
pub type Bits = u64;

/// A number on the way between two element types: every value of every type, exactly.
#[derive(Clone, Copy, Debug)]
pub enum Wide {
    /// An integer or a `bool`.
    Integer(i128),
    /// A float.
    Float(f64),
}

/// A Rust type that stands for an element type.
pub trait Number: Copy + 'static {
    /// The value whose memory representation this is.
    fn from_bits(bits: Bits) -> Self;
    /// The memory representation.
    fn to_bits(self) -> Bits;
    /// The value, exactly.
    fn widen(self) -> Wide;
    /// The cast to this type, as the typed kernel defines it.
    fn narrow(wide: Wide) -> Self;
}

/// A type with the arithmetic operators.
pub trait Arithmetic: Number {
    /// `self + other`
    fn add(self, other: Self) -> Self;
    /// `self - other`
    fn subtract(self, other: Self) -> Self;
    /// `self * other`
    fn multiply(self, other: Self) -> Self;
    /// `self / other`: truncating for integers, 0 where the divisor is.
    fn divide(self, other: Self) -> Self;
    /// `self % other`: the companion of [`Arithmetic::divide`].
    fn remainder(self, other: Self) -> Self;
    /// `-self`
    fn negate(self) -> Self;
    /// The absolute value; that of the smallest integer is itself.
    fn absolute(self) -> Self;
    /// The smaller one; the other operand where one is NaN; −0 is smaller than 0.
    fn minimum(self, other: Self) -> Self;
    /// The larger one; the other operand where one is NaN; −0 is smaller than 0.
    fn maximum(self, other: Self) -> Self;
}

/// A type whose values are ordered, NaN apart.
pub trait Ordered: Number {
    /// `self == other`
    fn equal(self, other: Self) -> bool;
    /// `self < other`
    fn less(self, other: Self) -> bool;
    /// `self <= other`
    fn less_equal(self, other: Self) -> bool;
}

/// A type with bitwise operators.
pub trait Bitwise: Number {
    /// `self ^ other`
    fn xor(self, other: Self) -> Self;
    /// `self & other`
    fn and(self, other: Self) -> Self;
    /// `self | other`
    fn or(self, other: Self) -> Self;
}

/// A type with shifts.
pub trait Shift: Number {
    /// `self << other`; the amount counts modulo the width of the type.
    fn shift_left(self, other: Self) -> Self;
    /// `self >> other`, arithmetic for signed types; the amount counts modulo the width of the type.
    fn shift_right(self, other: Self) -> Self;
}

/// A floating-point type: what it computes in, and the way there and back.
pub trait Float: Arithmetic {
    /// f32 for f16, bf16 and f32; f64 for f64.
    type Computed: RealFunctions;
    /// The value in the type it computes in, exactly.
    fn computed(self) -> Self::Computed;
    /// A result, rounded to the type.
    fn rounded(value: Self::Computed) -> Self;
}

/// The math functions of f32 and f64.
#[allow(missing_docs, reason = "the names are those of `MathFunction`")]
pub trait RealFunctions: Copy {
    fn sqrt(self) -> Self;
    fn rsqrt(self) -> Self;
    fn exp(self) -> Self;
    fn exp2(self) -> Self;
    fn log(self) -> Self;
    fn log2(self) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn tanh(self) -> Self;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn round(self) -> Self;
    fn pow(self, exponent: Self) -> Self;
    fn fma(self, factor: Self, summand: Self) -> Self;
}

impl Number for bool {
    fn from_bits(bits: Bits) -> Self {
        bits & 0xff != 0
    }
    fn to_bits(self) -> Bits {
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
}

impl Ordered for bool {
    fn equal(self, other: Self) -> bool {
        self == other
    }
    fn less(self, other: Self) -> bool {
        !self & other
    }
    fn less_equal(self, other: Self) -> bool {
        !self | other
    }
}

impl Bitwise for bool {
    fn xor(self, other: Self) -> Self {
        self ^ other
    }
    fn and(self, other: Self) -> Self {
        self & other
    }
    fn or(self, other: Self) -> Self {
        self | other
    }
}

macro_rules! integers {
    ($($type:ty as $unsigned:ty, $absolute:expr);* $(;)?) => {$(
        impl Number for $type {
            fn from_bits(bits: Bits) -> Self {
                bits as $type
            }
            fn to_bits(self) -> Bits {
                Bits::from(self as $unsigned)
            }
            fn widen(self) -> Wide {
                Wide::Integer(i128::from(self))
            }
            fn narrow(wide: Wide) -> Self {
                // `as` is what the typed kernel asks for: integers wrap, floats truncate and saturate, NaN gives 0.
                match wide {
                    Wide::Integer(value) => value as $type,
                    Wide::Float(value) => value as $type,
                }
            }
        }
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
        impl Ordered for $type {
            fn equal(self, other: Self) -> bool {
                self == other
            }
            fn less(self, other: Self) -> bool {
                self < other
            }
            fn less_equal(self, other: Self) -> bool {
                self <= other
            }
        }
        impl Bitwise for $type {
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            fn and(self, other: Self) -> Self {
                self & other
            }
            fn or(self, other: Self) -> Self {
                self | other
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
    )*};
}

integers! {
    i8 as u8, i8::wrapping_abs;
    i16 as u16, i16::wrapping_abs;
    i32 as u32, i32::wrapping_abs;
    i64 as u64, i64::wrapping_abs;
    u8 as u8, |value| value;
    u16 as u16, |value| value;
    u32 as u32, |value| value;
    u64 as u64, |value| value;
}

macro_rules! reals {
    ($($type:ident as $bits:ty);* $(;)?) => {$(
        impl Number for $type {
            fn from_bits(bits: Bits) -> Self {
                $type::from_bits(bits as $bits)
            }
            fn to_bits(self) -> Bits {
                Bits::from($type::to_bits(self))
            }
            fn widen(self) -> Wide {
                Wide::Float(f64::from(self))
            }
            fn narrow(wide: Wide) -> Self {
                match wide {
                    Wide::Integer(value) => value as $type,
                    Wide::Float(value) => value as $type,
                }
            }
        }
        impl Arithmetic for $type {
            fn add(self, other: Self) -> Self {
                self + other
            }
            fn subtract(self, other: Self) -> Self {
                self - other
            }
            fn multiply(self, other: Self) -> Self {
                self * other
            }
            fn divide(self, other: Self) -> Self {
                self / other
            }
            fn remainder(self, other: Self) -> Self {
                self % other
            }
            fn negate(self) -> Self {
                -self
            }
            fn absolute(self) -> Self {
                self.abs()
            }
            fn minimum(self, other: Self) -> Self {
                // The standard library leaves the order of the two zeros open; the sign decides it here.
                if self.is_nan() {
                    other
                } else if self < other || other.is_nan() || (self == other && self.is_sign_negative()) {
                    self
                } else {
                    other
                }
            }
            fn maximum(self, other: Self) -> Self {
                if self.is_nan() {
                    other
                } else if self > other || other.is_nan() || (self == other && self.is_sign_positive()) {
                    self
                } else {
                    other
                }
            }
        }
        impl Ordered for $type {
            fn equal(self, other: Self) -> bool {
                self == other
            }
            fn less(self, other: Self) -> bool {
                self < other
            }
            fn less_equal(self, other: Self) -> bool {
                self <= other
            }
        }
        impl RealFunctions for $type {
            fn sqrt(self) -> Self {
                $type::sqrt(self)
            }
            fn rsqrt(self) -> Self {
                1.0 / $type::sqrt(self)
            }
            fn exp(self) -> Self {
                $type::exp(self)
            }
            fn exp2(self) -> Self {
                $type::exp2(self)
            }
            fn log(self) -> Self {
                $type::ln(self)
            }
            fn log2(self) -> Self {
                $type::log2(self)
            }
            fn sin(self) -> Self {
                $type::sin(self)
            }
            fn cos(self) -> Self {
                $type::cos(self)
            }
            fn tanh(self) -> Self {
                $type::tanh(self)
            }
            fn floor(self) -> Self {
                $type::floor(self)
            }
            fn ceil(self) -> Self {
                $type::ceil(self)
            }
            fn round(self) -> Self {
                $type::round_ties_even(self)
            }
            fn pow(self, exponent: Self) -> Self {
                $type::powf(self, exponent)
            }
            fn fma(self, factor: Self, summand: Self) -> Self {
                $type::mul_add(self, factor, summand)
            }
        }
        impl Float for $type {
            type Computed = $type;
            fn computed(self) -> $type {
                self
            }
            fn rounded(value: $type) -> Self {
                value
            }
        }
    )*};
}

reals! { f32 as u32; f64 as u64 }

macro_rules! halves {
    ($($type:ident, $from_f64:path);* $(;)?) => {$(
        impl Number for $type {
            fn from_bits(bits: Bits) -> Self {
                $type::from_bits(bits as u16)
            }
            fn to_bits(self) -> Bits {
                Bits::from($type::to_bits(self))
            }
            fn widen(self) -> Wide {
                Wide::Float(self.to_f64())
            }
            fn narrow(wide: Wide) -> Self {
                // Rounding to odd on the way to f64 keeps what the rounding to the type needs to know.
                match wide {
                    Wide::Integer(value) => $from_f64(f64_round_to_odd(value)),
                    Wide::Float(value) => $from_f64(value),
                }
            }
        }
        impl Arithmetic for $type {
            fn add(self, other: Self) -> Self {
                Self::rounded(self.to_f32() + other.to_f32())
            }
            fn subtract(self, other: Self) -> Self {
                Self::rounded(self.to_f32() - other.to_f32())
            }
            fn multiply(self, other: Self) -> Self {
                Self::rounded(self.to_f32() * other.to_f32())
            }
            fn divide(self, other: Self) -> Self {
                Self::rounded(self.to_f32() / other.to_f32())
            }
            fn remainder(self, other: Self) -> Self {
                Self::rounded(self.to_f32() % other.to_f32())
            }
            fn negate(self) -> Self {
                Self::rounded(-self.to_f32())
            }
            fn absolute(self) -> Self {
                Self::rounded(self.to_f32().abs())
            }
            fn minimum(self, other: Self) -> Self {
                Self::rounded(Arithmetic::minimum(self.to_f32(), other.to_f32()))
            }
            fn maximum(self, other: Self) -> Self {
                Self::rounded(Arithmetic::maximum(self.to_f32(), other.to_f32()))
            }
        }
        impl Ordered for $type {
            fn equal(self, other: Self) -> bool {
                self.to_f32() == other.to_f32()
            }
            fn less(self, other: Self) -> bool {
                self.to_f32() < other.to_f32()
            }
            fn less_equal(self, other: Self) -> bool {
                self.to_f32() <= other.to_f32()
            }
        }
        impl Float for $type {
            type Computed = f32;
            fn computed(self) -> f32 {
                self.to_f32()
            }
            fn rounded(value: f32) -> Self {
                $type::from_f32(value)
            }
        }
    )*};
}

halves! { f16, f16_from_f64; bf16, bf16_from_f64 }

/// The quotient rounded down of indices; a divisor below one counts as one, so that it is defined wherever a
/// compiled kernel computes it ahead of the mask that excludes it.
pub fn floor_divide(dividend: i64, divisor: i64) -> i64 {
    dividend.div_euclid(divisor.max(1))
}

/// The remainder that goes with [`floor_divide`]; never negative.
pub fn floor_remainder(dividend: i64, divisor: i64) -> i64 {
    dividend.rem_euclid(divisor.max(1))
}
