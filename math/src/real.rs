//! The operations and coefficients that the functions use, for `f32` and `f64`.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::coefficients as c;

/// `f32` or `f64`.
///
/// All instruction sets round these operations the same way, so code that uses them gives the same bits everywhere.
/// Comparisons with NaN are false.
pub trait Real:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Send
    + Sync
    + 'static
{
    /// A signed integer of the same width.
    type Int: Copy;

    /// 0.
    const ZERO: Self;
    /// 1/2.
    const HALF: Self;
    /// 1.
    const ONE: Self;
    /// 2.
    const TWO: Self;
    /// Infinity.
    const INFINITY: Self;
    /// The smallest positive normal number.
    const MIN_POSITIVE: Self;
    /// Adding it to a number rounds that to an integer, which is in the lowest bits of the sum.
    const ROUNDER: Self;
    /// Beyond these numbers `exp` overflows, or rounds to 0.
    const EXP_RANGE: (Self, Self);
    /// The range of `exp2`.
    const EXP2_RANGE: (Self, Self);
    /// The number from which on `tanh` is computed by `exp`.
    const TANH_MIDDLE: Self;
    /// The number from which on `tanh` rounds to 1.
    const TANH_END: Self;
    /// The number from which on `erf` rounds to 1.
    const ERF_END: Self;
    /// An even power of two that makes every subnormal number normal when multiplied by it, and its square root.
    const LIFT: (Self, Self);

    /// The exponent of that power of two.
    const LIFT_EXPONENT: Self;

    /// [`c::LN2_F32`] or its `f64` counterpart.
    const LN2: [Self; 2];
    /// The logarithm of e to base 2.
    const LOG2_E: Self;
    /// [`c::EXP_F32`] or its `f64` counterpart.
    const EXP: &'static [Self];
    /// [`c::EXP2_F32`] or its `f64` counterpart.
    const EXP2: &'static [Self];
    /// [`c::TANH_F32`] or its `f64` counterpart.
    const TANH: &'static [Self];
    /// [`c::ERF_F32`] or its `f64` counterpart.
    const ERF: &'static [Self];
    /// [`c::ERFC_F32`] or its `f64` counterpart.
    const ERFC: &'static [Self];

    /// `self * factor + summand`, rounded once.
    fn mul_add(self, factor: Self, summand: Self) -> Self;
    /// The square root, correctly rounded.
    fn sqrt(self) -> Self;
    /// The absolute value.
    fn abs(self) -> Self;
    /// The number with the sign of another one.
    fn copysign(self, sign: Self) -> Self;
    /// The integer in the lowest bits of a sum with [`Real::ROUNDER`].
    fn rounded_bits(self) -> Self::Int;
    /// An integer of small magnitude as a float.
    fn from_small(integer: Self::Int) -> Self;
    /// `self * 2^exponent`, rounded once, for exponents up to twice the largest of the type.
    fn scale(self, exponent: Self::Int) -> Self;
    /// `2^exponent`, for exponents of normal numbers.
    fn power_of_two(exponent: Self::Int) -> Self;
    /// The exponent `e` and `m` between √½ and √2 such that the positive normal number is `m * 2^e`.
    fn split(self) -> (Self::Int, Self);

    /// Whether it is an integer or infinity.
    fn is_integer(self) -> bool;

    /// Whether it is NaN.
    fn is_nan(self) -> bool;

    /// The number, or the NaN of all functions if the condition holds.
    fn nan_where(self, condition: bool) -> Self;

    /// The nearest number in a range; NaN stays NaN.
    #[inline(always)]
    fn limited(self, (low, high): (Self, Self)) -> Self {
        let above = if self < low { low } else { self };
        if above > high { high } else { above }
    }

    /// The polynomial with these coefficients, lowest power first.
    #[inline(always)]
    fn polynomial(self, coefficients: &[Self]) -> Self {
        let mut sum = Self::ZERO;
        for (place, &coefficient) in coefficients.iter().rev().enumerate() {
            sum = if place == 0 { coefficient } else { sum.mul_add(self, coefficient) };
        }
        sum
    }
}

macro_rules! real {
    ($real:ident, $int:ident, $uint:ident, $digits:literal, { $($constants:tt)* }) => {
        impl Real for $real {
            type Int = $int;

            const ZERO: Self = 0.0;
            const HALF: Self = 0.5;
            const ONE: Self = 1.0;
            const TWO: Self = 2.0;
            const INFINITY: Self = Self::INFINITY;
            const MIN_POSITIVE: Self = Self::MIN_POSITIVE;
            const ROUNDER: Self = 1.5 * (1u64 << $digits) as $real;
            $($constants)*

            #[inline(always)]
            fn mul_add(self, factor: Self, summand: Self) -> Self {
                $real::mul_add(self, factor, summand)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                $real::sqrt(self)
            }
            #[inline(always)]
            fn abs(self) -> Self {
                $real::abs(self)
            }
            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                $real::copysign(self, sign)
            }
            #[inline(always)]
            fn nan_where(self, condition: bool) -> Self {
                // Between the bits: of floats the compiler may take any NaN for any other.
                $real::from_bits(if condition { $real::NAN.to_bits() } else { self.to_bits() })
            }
            #[inline(always)]
            fn is_integer(self) -> bool {
                let size = self.abs();
                let limit = (1u64 << $digits) as $real;
                // Below the limit the sum has no place for a fraction; beyond it there are integers only.
                size >= limit || (size + limit) - limit == size
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                $real::is_nan(self)
            }
            #[inline(always)]
            fn rounded_bits(self) -> $int {
                (self.to_bits() as $int).wrapping_sub(Self::ROUNDER.to_bits() as $int)
            }
            #[inline(always)]
            fn from_small(integer: $int) -> Self {
                $real::from_bits(integer.wrapping_add(Self::ROUNDER.to_bits() as $int) as $uint) - Self::ROUNDER
            }
            #[inline(always)]
            fn power_of_two(exponent: $int) -> Self {
                $real::from_bits((exponent.wrapping_add(Self::MAX_EXP as $int - 1) << $digits) as $uint)
            }
            #[inline(always)]
            fn scale(self, exponent: $int) -> Self {
                // In two steps, as the power of two itself may be out of range; only the second one can round.
                let first = exponent >> 1;
                self * Self::power_of_two(first) * Self::power_of_two(exponent.wrapping_sub(first))
            }
            #[inline(always)]
            fn split(self) -> ($int, Self) {
                const ROOT: $int = std::$real::consts::FRAC_1_SQRT_2.to_bits() as $int;
                let bits = self.to_bits() as $int;
                let exponent = bits.wrapping_sub(ROOT) >> $digits;
                (exponent, $real::from_bits(bits.wrapping_sub(exponent << $digits) as $uint))
            }
        }
    };
}

real!(f32, i32, u32, 23, {
    const EXP_RANGE: (Self, Self) = (-104.0, 89.0);
    const EXP2_RANGE: (Self, Self) = (-151.0, 129.0);
    const TANH_MIDDLE: Self = 0.55;
    const TANH_END: Self = 9.5;
    const ERF_END: Self = 4.0;
    const LIFT: (Self, Self) = ((1u64 << 24) as f32, (1u64 << 12) as f32);
    const LIFT_EXPONENT: Self = 24.0;
    const LN2: [Self; 2] = c::LN2_F32;
    const LOG2_E: Self = c::LOG2_E_F32[0];
    const EXP: &'static [Self] = &c::EXP_F32;
    const EXP2: &'static [Self] = &c::EXP2_F32;
    const TANH: &'static [Self] = &c::TANH_F32;
    const ERF: &'static [Self] = &c::ERF_F32;
    const ERFC: &'static [Self] = &c::ERFC_F32;
});

real!(f64, i64, u64, 52, {
    const EXP_RANGE: (Self, Self) = (-746.0, 710.0);
    const EXP2_RANGE: (Self, Self) = (-1076.0, 1025.0);
    const TANH_MIDDLE: Self = 0.55;
    const TANH_END: Self = 20.0;
    const ERF_END: Self = 6.0;
    const LIFT: (Self, Self) = ((1u64 << 54) as f64, (1u64 << 27) as f64);
    const LIFT_EXPONENT: Self = 54.0;
    const LN2: [Self; 2] = c::LN2_F64;
    const LOG2_E: Self = c::LOG2_E_F64[0];
    const EXP: &'static [Self] = &c::EXP_F64;
    const EXP2: &'static [Self] = &c::EXP2_F64;
    const TANH: &'static [Self] = &c::TANH_F64;
    const ERF: &'static [Self] = &c::ERF_F64;
    const ERFC: &'static [Self] = &c::ERFC_F64;
});
