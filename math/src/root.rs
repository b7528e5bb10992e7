//! The square root and its reciprocal, the cube root, and the length of a vector.

use crate::coefficients as c;
use crate::real::Real;

/// The square root, correctly rounded.
#[inline(always)]
pub fn sqrt<R: Real>(x: R) -> R {
    // Of the absolute value, since the root of a negative number is another NaN, which the compiler could choose.
    let root = if x == R::ZERO { x } else { x.abs().sqrt() };
    root.nan_where(x < R::ZERO || x.is_nan())
}

/// The reciprocal of the square root.
#[inline(always)]
pub fn rsqrt<R: Real>(x: R) -> R {
    // The errors of the rounded root and the rounded quotient are computed exactly by fused multiply-adds, and a step
    // of Newton's method corrects both. Small numbers are scaled first, so that the errors are not subnormal.
    let (lift, root_of_lift) = R::LIFT;
    let is_small = x < R::MIN_POSITIVE * lift;
    let lifted = if is_small { x * lift } else { x }.abs();
    let root = lifted.sqrt();
    let quotient = R::ONE / root;
    let root_is_off = (-root).mul_add(root, lifted);
    let quotient_is_off = (-quotient).mul_add(root, R::ONE);
    let correction = (-R::HALF * root_is_off * quotient).mul_add(quotient, quotient_is_off);
    let exact = quotient.mul_add(correction, quotient);
    let result = if is_small { exact * root_of_lift } else { exact };
    // For 0 and infinity the errors are NaN, and the quotient is exact.
    let is_ordinary = x > R::ZERO && x < R::INFINITY;
    let result = if is_ordinary { result } else { quotient.copysign(x) };
    result.nan_where(x < R::ZERO || x.is_nan())
}

/// The cube root, of a negative number too: a polynomial for the digits, and a step of Halley's method.
#[inline(always)]
pub fn cbrt_f64(x: f64) -> f64 {
    let size = x.abs();
    let (lift, _) = f64::LIFT;
    let is_subnormal = size < f64::MIN_POSITIVE;
    let (e, m) = (if is_subnormal { size * lift } else { size }).split();
    let e = f64::from_small(e) - if is_subnormal { f64::LIFT_EXPONENT } else { 0.0 };
    // The exponent is three times that of the root and one of -1, 0 and 1.
    let rounder = e.mul_add(1.0 / 3.0, f64::ROUNDER);
    let left = (rounder - f64::ROUNDER).mul_add(-3.0, e);
    let [half, one, two] = c::CBRT_2;
    let (power, root_of_power) = if left < 0.0 {
        (0.5, half)
    } else if left > 0.0 {
        (2.0, two)
    } else {
        (1.0, one)
    };

    let cube = m * power;
    let near = (m - 1.0).polynomial(&c::CBRT) * root_of_power;
    let square = near * near;
    let lost = near.mul_add(near, -square);
    let is_off = near.mul_add(square, -cube) + near * lost;
    let root = near - near * is_off / 3f64.mul_add(cube, 2.0 * is_off);
    let root = root * f64::power_of_two(rounder.rounded_bits());
    let is_ordinary = size > 0.0 && size < f64::INFINITY;
    (if is_ordinary { root } else { size }).copysign(x).nan_where(x.is_nan())
}

/// The cube root, computed in f64.
#[inline(always)]
pub fn cbrt_f32(x: f32) -> f32 {
    (cbrt_f64(f64::from(x)) as f32).nan_where(x.is_nan())
}

/// Beyond these numbers squares may leave the type, so both coordinates are scaled by the power of two.
const LARGE: f64 = f64::from_bits((1023 + 500) << 52);
const SMALL: f64 = f64::from_bits((1023 - 400) << 52);
const SCALE: f64 = f64::from_bits((1023 + 600) << 52);

/// The square root of the sum of two squares; infinite where a number is, even beside a NaN.
#[inline(always)]
pub fn hypot_f64(x: f64, y: f64) -> f64 {
    let (x, y) = (x.abs(), y.abs());
    let (long, short) = if x > y { (x, y) } else { (y, x) };
    let (scale, back) = if long > LARGE {
        (1.0 / SCALE, SCALE)
    } else if long < SMALL {
        (SCALE, 1.0 / SCALE)
    } else {
        (1.0, 1.0)
    };
    let (a, b) = (long * scale, short * scale);
    let near = a.mul_add(a, b * b).sqrt();
    // How far the square of the root is off, computed exactly but for its last sum.
    let (square, a_square) = (near * near, a * a);
    let is_off = ((-b).mul_add(b, square - a_square) + near.mul_add(near, -square)) - a.mul_add(a, -a_square);
    let length = (near - is_off / (2.0 * near)) * back;
    let length = if long == 0.0 { 0.0 } else { length };
    let is_infinite = x == f64::INFINITY || y == f64::INFINITY;
    let length = if is_infinite { f64::INFINITY } else { length };
    length.nan_where(!is_infinite && (x.is_nan() || y.is_nan()))
}

/// The same for f32: squares of f64 have room for all digits.
#[inline(always)]
pub fn hypot_f32(x: f32, y: f32) -> f32 {
    let (a, b) = (f64::from(x), f64::from(y));
    let length = a.mul_add(a, b * b).sqrt() as f32;
    let is_infinite = x.abs() == f32::INFINITY || y.abs() == f32::INFINITY;
    let length = if is_infinite { f32::INFINITY } else { length };
    length.nan_where(!is_infinite && (x.is_nan() || y.is_nan()))
}
