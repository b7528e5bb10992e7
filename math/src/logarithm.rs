//! `log`, `log2` and `log10`: the exponent, and a polynomial in the remainder.
//!
//! A number is `m * 2^e` with `m` between √½ and √2, and `f = m - 1` is exact. Near 1 the exponent is 0, so the result
//! has the relative precision of the polynomial there. Elsewhere sums are kept in two parts until the end.

use crate::coefficients as c;
use crate::real::Real;

/// The exponent and `m - 1` of a positive number.
#[inline(always)]
fn split<R: Real>(x: R) -> (R, R) {
    let (lift, _) = R::LIFT;
    let is_subnormal = x < R::MIN_POSITIVE;
    let (e, m) = (if is_subnormal { x * lift } else { x }).split();
    let e = R::from_small(e);
    (if is_subnormal { e - R::LIFT_EXPONENT } else { e }, m - R::ONE)
}

/// The given result, or the result for 0, infinity, negative numbers and NaN.
#[inline(always)]
fn with_special_cases<R: Real>(x: R, result: R) -> R {
    let finite = if x < R::INFINITY { result } else { x };
    let result = if x == R::ZERO { -R::INFINITY } else { finite };
    result.nan_where(x < R::ZERO || x.is_nan())
}

/// The sum of two numbers and a small one; the second number is smaller than the first one, or the first one is 0.
#[inline(always)]
fn sum_of_three<R: Real>(large: R, small: R, rest: R) -> R {
    let sum = large + small;
    let lost = (large - sum) + small;
    sum + (lost + rest)
}

/// The natural logarithm.
#[inline(always)]
pub fn log_f32(x: f32) -> f32 {
    let (e, f) = split(x);
    let square = f * f;
    let tail = (square * f).mul_add(f.polynomial(&c::LOG_F32), -0.5 * square);
    let [ln2, rest] = c::LN2_F32;
    with_special_cases(x, sum_of_three(e * ln2, f, e.mul_add(rest, tail)))
}

/// The logarithm to base 2.
#[inline(always)]
pub fn log2_f32(x: f32) -> f32 {
    let (e, f) = split(x);
    let [log2_e, rest] = c::LOG2_E_F32;
    let product = f * log2_e;
    let lost = f.mul_add(log2_e, -product);
    let tail = (f * f).mul_add(f.polynomial(&c::LOG2_F32), f.mul_add(rest, lost));
    with_special_cases(x, sum_of_three(e, product, tail))
}

/// `ln(1 + f) - f + f²/2`, and `f²/2`.
#[inline(always)]
fn beyond_the_square(f: f64) -> (f64, f64) {
    let s = f / (2.0 + f);
    let z = s * s;
    let half_square = 0.5 * f * f;
    (s * (z * z.polynomial(&c::LOG_F64) + half_square), half_square)
}

/// The natural logarithm.
#[inline(always)]
pub fn log_f64(x: f64) -> f64 {
    let (e, f) = split(x);
    let (tail, half_square) = beyond_the_square(f);
    let [ln2, rest] = c::LN2_F64;
    with_special_cases(x, sum_of_three(e * ln2, f, e.mul_add(rest, tail) - half_square))
}

/// The logarithm of `1 + f` to the base whose logarithm of e is given in two parts, as a number and a small rest.
#[inline(always)]
fn to_base(f: f64, [log_e, log_e_rest]: [f64; 2]) -> (f64, f64) {
    let (tail, half_square) = beyond_the_square(f);
    // ln(1 + f) as a number and a small rest.
    let natural = f - half_square;
    let rest = ((f - natural) - half_square) + tail;
    let product = natural * log_e;
    let lost = natural.mul_add(log_e, -product);
    (product, natural.mul_add(log_e_rest, rest.mul_add(log_e, lost)))
}

/// The logarithm to base 2.
#[inline(always)]
pub fn log2_f64(x: f64) -> f64 {
    let (e, f) = split(x);
    let (product, tail) = to_base(f, c::LOG2_E_F64);
    with_special_cases(x, sum_of_three(e, product, tail))
}

/// The logarithm to base 10.
#[inline(always)]
pub fn log10_f64(x: f64) -> f64 {
    let (e, f) = split(x);
    let (product, tail) = to_base(f, c::LOG10_E);
    let [log_2, rest] = c::LOG10_2;
    with_special_cases(x, sum_of_three(e * log_2, product, e.mul_add(rest, tail)))
}

/// The logarithm to base 10, computed in f64.
#[inline(always)]
pub fn log10_f32(x: f32) -> f32 {
    (log10_f64(f64::from(x)) as f32).nan_where(x < 0.0 || x.is_nan())
}
