//! `pow`: the logarithm to base 2 with extra precision, times the exponent, as an exponent of 2.

use crate::coefficients as c;
use crate::real::Real;

/// Results with exponents beyond these are infinity or 0.
const RANGE: (f64, f64) = (-1100.0, 1100.0);

/// A product and its rounding error.
#[inline(always)]
fn product(left: f64, right: f64) -> (f64, f64) {
    let rounded = left * right;
    (rounded, left.mul_add(right, -rounded))
}

/// A sum and its rounding error; the first number is the larger one, or 0.
#[inline(always)]
pub fn sum(large: f64, small: f64) -> (f64, f64) {
    let rounded = large + small;
    (rounded, (large - rounded) + small)
}

/// The logarithm to base 2 of a positive finite number, in two parts with about 66 bits together.
#[inline(always)]
fn log2_in_two_parts(x: f64) -> (f64, f64) {
    let (lift, _) = f64::LIFT;
    let is_subnormal = x < f64::MIN_POSITIVE;
    let (e, m) = (if is_subnormal { x * lift } else { x }).split();
    let e = f64::from_small(e) - if is_subnormal { f64::LIFT_EXPONENT } else { 0.0 };

    // s = (m - 1) / (m + 1), and z = s².
    let numerator = m - 1.0;
    let (denominator, lost) = if m < 1.0 { sum(1.0, m) } else { sum(m, 1.0) };
    let inverse = 1.0 / denominator;
    let s = numerator * inverse;
    let s_rest = (-s).mul_add(lost, (-s).mul_add(denominator, numerator)) * inverse;
    let (z, z_lost) = product(s, s);
    let z_rest = (2.0 * s).mul_add(s_rest, z_lost);

    // s (c1 + z (c3 + z (c5 + z tail))), each sum and product in two parts.
    let [c1, c1_rest] = c::POW_FIRST;
    let [c3, c3_rest] = c::POW_SECOND;
    let [c5, c5_rest] = c::POW_THIRD;
    let (third, lost) = sum(c5, z * z.polynomial(&c::POW_TAIL));
    let third_rest = lost + c5_rest;
    let (term, lost) = product(z, third);
    let term_rest = z.mul_add(third_rest, z_rest.mul_add(third, lost));
    let (second, lost) = sum(c3, term);
    let second_rest = lost + (term_rest + c3_rest);
    let (term, lost) = product(z, second);
    let term_rest = z.mul_add(second_rest, z_rest.mul_add(second, lost));
    let (outer, lost) = sum(c1, term);
    let outer_rest = lost + (term_rest + c1_rest);
    let (fraction, lost) = product(s, outer);
    let fraction_rest = s.mul_add(outer_rest, s_rest.mul_add(outer, lost));

    let (log, lost) = sum(e, fraction);
    sum(log, lost + fraction_rest)
}

/// `|x|` to the power of `y`, for numbers that are neither 0 nor infinite.
#[inline(always)]
fn power_f64(x: f64, y: f64) -> f64 {
    let (log, log_rest) = log2_in_two_parts(x);
    let (exponent, lost) = product(log, y);
    let limited = exponent.limited(RANGE);
    let rest = if limited == exponent { log_rest.mul_add(y, lost) } else { 0.0 };
    let rounder = limited + f64::ROUNDER;
    let r = limited - (rounder - f64::ROUNDER);
    // 2^(r + rest) is 2^r (1 + rest ln 2), accurately enough; the first two terms of the polynomial are added exactly.
    let [first, higher @ ..] = &c::EXP2_F64;
    let power_of_r = r.mul_add(r.polynomial(&c::EXP2_F64), 1.0);
    let (term, term_lost) = product(r, *first);
    let (near, near_lost) = sum(1.0, term);
    let correction = (rest * std::f64::consts::LN_2).mul_add(power_of_r, term_lost + near_lost);
    let result = near + (r * r).mul_add(r.polynomial(higher), correction);
    result.scale(rounder.rounded_bits())
}

/// The same for f32: f64 has enough precision without a second part.
#[inline(always)]
fn power_f32(x: f32, y: f32) -> f32 {
    let (e, m) = f64::from(x).split();
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let log = s.mul_add(z.mul_add(z.polynomial(&c::POW_SHORT), c::POW_FIRST[0]), f64::from_small(e));
    let exponent = (log * f64::from(y)).limited(RANGE);
    let rounder = exponent + f64::ROUNDER;
    let r = exponent - (rounder - f64::ROUNDER);
    r.polynomial(&c::EXP2_SHORT).mul_add(r, 1.0).scale(rounder.rounded_bits()) as f32
}

/// The result of `pow` for a pair, given the power of the absolute value.
#[inline(always)]
fn with_special_cases<R: Real>(x: R, y: R, power: R) -> R {
    let size = x.abs();
    // The power of 0 and infinity is one of the two, or 1 for an exponent of 0, which is handled below.
    let grows = (size > R::ONE) == (y > R::ZERO);
    let extreme = if grows { R::INFINITY } else { R::ZERO };
    let is_extreme = size == R::ZERO || size == R::INFINITY || y.abs() == R::INFINITY;
    let value = if is_extreme { extreme } else { power };

    let is_integer = y.is_integer();
    let is_odd = is_integer && !(y * R::HALF).is_integer();
    let value = if is_odd { value.copysign(x) } else { value };
    let has_no_power = x < R::ZERO && size < R::INFINITY && !is_integer;
    let is_one = y == R::ZERO || x == R::ONE || (size == R::ONE && y.abs() == R::INFINITY);
    let value = if is_one { R::ONE } else { value };
    value.nan_where(!is_one && (has_no_power || x.is_nan() || y.is_nan()))
}

/// `x` to the power of `y`.
#[inline(always)]
pub fn pow_f64(x: f64, y: f64) -> f64 {
    with_special_cases(x, y, power_f64(x.abs(), y))
}

/// `x` to the power of `y`.
#[inline(always)]
pub fn pow_f32(x: f32, y: f32) -> f32 {
    with_special_cases(x, y, power_f32(x.abs(), y))
}
