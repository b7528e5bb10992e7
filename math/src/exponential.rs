//! `exp` and `exp2`: `2^n` times a polynomial in the remainder.

use crate::real::Real;

/// An integer `n` and `r` such that `x = n ln 2 + r`, for `x` in [`Real::EXP_RANGE`].
#[inline(always)]
fn reduce<R: Real>(x: R) -> (R::Int, R) {
    let sum = x.mul_add(R::LOG2_E, R::ROUNDER);
    let n = sum - R::ROUNDER;
    // The first product is exact, so cancellation loses nothing.
    let [ln2, rest] = R::LN2;
    let r = (-n).mul_add(rest, (-n).mul_add(ln2, x));
    (sum.rounded_bits(), r)
}

/// `exp(r) - 1` for `|r| <= ln(2) / 2`, accurate enough to be added to 1.
#[inline(always)]
fn near_zero<R: Real>(r: R) -> R {
    (r * r).mul_add(r.polynomial(R::EXP), r)
}

/// `e` to the power of `x`.
#[inline(always)]
pub fn exp<R: Real>(x: R) -> R {
    let (n, r) = reduce(x.limited(R::EXP_RANGE));
    (near_zero(r) + R::ONE).scale(n).nan_where(x.is_nan())
}

/// `exp(x) - 1` for `x` from 1 to values for which `exp` is far from overflow.
#[inline(always)]
pub fn exp_minus_one<R: Real>(x: R) -> R {
    let (n, r) = reduce(x);
    let power = R::power_of_two(n);
    power.mul_add(near_zero(r), power - R::ONE)
}

/// 2 to the power of `x`.
#[inline(always)]
pub fn exp2<R: Real>(x: R) -> R {
    let limited = x.limited(R::EXP2_RANGE);
    let sum = limited + R::ROUNDER;
    let r = limited - (sum - R::ROUNDER);
    r.polynomial(R::EXP2).mul_add(r, R::ONE).scale(sum.rounded_bits()).nan_where(x.is_nan())
}
