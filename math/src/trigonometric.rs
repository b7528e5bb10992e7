//! `sin`, `cos` and `tan`: the quadrant, and two polynomials in the remainder modulo π/2.
//!
//! The f32 functions compute in f64, where the remainder needs no second part. Numbers beyond [`LIMIT`] need another
//! algorithm, which handles one number at a time.

use crate::argument;
use crate::coefficients as c;
use crate::power::sum;
use crate::real::Real as _;

/// The number from which on the remainder is computed by [`argument::reduce`].
pub const LIMIT: f64 = (1u64 << 20) as f64;

/// The quadrant, and the remainder in two parts, for a number below the limit.
#[inline(always)]
fn reduce(x: f64) -> (i64, f64, f64) {
    let sum = x.mul_add(std::f64::consts::FRAC_2_PI, f64::ROUNDER);
    let n = sum - f64::ROUNDER;
    let [first, second, third] = c::HALF_PI;
    // Both products are exact, and so is the first difference.
    let near = (-n).mul_add(first, x);
    let product = n * second;
    let high = near - product;
    // The rounding error of the second difference, whichever operand is larger.
    let other = high - near;
    let lost = (near - (high - other)) - (product + other);
    let low = (-n).mul_add(third, lost);
    let remainder = high + low;
    (sum.rounded_bits(), remainder, (high - remainder) + low)
}

/// The sine of a remainder, as a sum of two numbers.
#[inline(always)]
fn sin_of_remainder(r: f64, rest: f64) -> [f64; 2] {
    let z = r * r;
    [r, (r * z).mul_add(z.polynomial(&c::SIN), rest * (-0.5_f64).mul_add(z, 1.0))]
}

/// The cosine of a remainder, as a sum of two numbers.
#[inline(always)]
fn cos_of_remainder(r: f64, rest: f64) -> [f64; 2] {
    let z = r * r;
    let half = 0.5 * z;
    let near = 1.0 - half;
    [near, ((1.0 - near) - half) + (z * z).mul_add(z.polynomial(&c::COS), -(r * rest))]
}

/// The sine for `quarters` 0, the cosine (a quarter turn further) for 1.
#[inline(always)]
fn in_quadrant((quadrant, r, rest): (i64, f64, f64), quarters: i64) -> f64 {
    let quadrant = quadrant.wrapping_add(quarters);
    let [near, tail] = if quadrant & 1 == 0 { sin_of_remainder(r, rest) } else { cos_of_remainder(r, rest) };
    let value = near + tail;
    f64::from_bits(value.to_bits() ^ ((quadrant as u64 & 2) << 62))
}

/// The tangent: the sine divided by the cosine, and in every other quadrant the negative inverse of it.
#[inline(always)]
fn tan_in_quadrant((quadrant, r, rest): (i64, f64, f64)) -> f64 {
    let ([near_sin, sin_tail], [near_cos, cos_tail]) = (sin_of_remainder(r, rest), cos_of_remainder(r, rest));
    let (sin, cos) = (sum(near_sin, sin_tail), sum(near_cos, cos_tail));
    let is_even = quadrant & 1 == 0;
    let (numerator, numerator_lost) = if is_even { sin } else { (-cos.0, -cos.1) };
    let (denominator, denominator_lost) = if is_even { cos } else { sin };
    let quotient = numerator / denominator;
    let is_off = (-quotient).mul_add(denominator, numerator) + (numerator_lost - quotient * denominator_lost);
    quotient + is_off / denominator
}

/// The sine and the cosine of a remainder, for results that are rounded to f32.
#[inline(always)]
fn sin_and_cos_short(r: f64) -> (f64, f64) {
    let z = r * r;
    let sin = (r * z).mul_add(z.polynomial(&c::SIN_SHORT), r);
    (sin, (z * z).mul_add(z.polynomial(&c::COS_SHORT), (-0.5_f64).mul_add(z, 1.0)))
}

/// The sine in a quadrant for results that are rounded to f32.
#[inline(always)]
fn in_quadrant_short((quadrant, r): (i64, f64), quarters: i64) -> f32 {
    let quadrant = quadrant.wrapping_add(quarters);
    let (sin, cos) = sin_and_cos_short(r);
    let value = if quadrant & 1 == 0 { sin } else { cos };
    f64::from_bits(value.to_bits() ^ ((quadrant as u64 & 2) << 62)) as f32
}

/// The quadrant and the remainder for an f32 below the limit.
#[inline(always)]
fn reduce_short(x: f32) -> (i64, f64) {
    let x = f64::from(x);
    let sum = x.mul_add(std::f64::consts::FRAC_2_PI, f64::ROUNDER);
    let n = sum - f64::ROUNDER;
    let [first, second] = c::HALF_PI_SHORT;
    (sum.rounded_bits(), (-n).mul_add(second, (-n).mul_add(first, x)))
}

/// The sine of a number below the limit. For a tiny number it is the number itself, with its sign.
#[inline(always)]
pub fn sin_f64(x: f64) -> f64 {
    let result = in_quadrant(reduce(x), 0);
    if x.abs() < 1.0 / (1u64 << 27) as f64 { x } else { result }
}

/// The cosine of a number below the limit.
#[inline(always)]
pub fn cos_f64(x: f64) -> f64 {
    in_quadrant(reduce(x), 1)
}

/// The sine of a number below the limit.
#[inline(always)]
pub fn sin_f32(x: f32) -> f32 {
    let result = in_quadrant_short(reduce_short(x), 0);
    if x.abs() < 1.0 / (1u64 << 13) as f32 { x } else { result }
}

/// The cosine of a number below the limit.
#[inline(always)]
pub fn cos_f32(x: f32) -> f32 {
    in_quadrant_short(reduce_short(x), 1)
}

/// The tangent of a number below the limit. For a tiny number it is the number itself, with its sign.
#[inline(always)]
pub fn tan_f64(x: f64) -> f64 {
    let result = tan_in_quadrant(reduce(x));
    if x.abs() < 1.0 / (1u64 << 27) as f64 { x } else { result }
}

/// The tangent of a number below the limit.
#[inline(always)]
pub fn tan_f32(x: f32) -> f32 {
    let (quadrant, r) = reduce_short(x);
    let (sin, cos) = sin_and_cos_short(r);
    let result = (if quadrant & 1 == 0 { sin / cos } else { -cos / sin }) as f32;
    if x.abs() < 1.0 / (1u64 << 13) as f32 { x } else { result }
}

/// The sine of a number beyond the limit, or of NaN.
pub fn sin_of_large(x: f64) -> f64 {
    if x.is_finite() { in_quadrant(argument::reduce(x), 0) } else { f64::NAN }
}

/// The cosine of a number beyond the limit, or of NaN.
pub fn cos_of_large(x: f64) -> f64 {
    if x.is_finite() { in_quadrant(argument::reduce(x), 1) } else { f64::NAN }
}

/// The tangent of a number beyond the limit, or of NaN.
pub fn tan_of_large(x: f64) -> f64 {
    if x.is_finite() { tan_in_quadrant(argument::reduce(x)) } else { f64::NAN }
}
