//! `atan` and `atan2`: the angle of a point is a multiple of π/4, and a polynomial in what is left.
//!
//! The functions of f32 compute in f64 and round once.

use crate::coefficients as c;
use crate::power::sum;
use crate::real::Real;

/// Up to this slope, tan(π/8), an angle is taken as it is; beyond the inverse of it, from π/2 on.
const LOW: f64 = 0.41421356237309503;
const HIGH: f64 = 2.414213562373095;

/// Below this slope the angle rounds to it.
const TINY: f64 = 1.0 / (1u64 << 30) as f64;

/// Coordinates beyond these are scaled by powers of two, so that neither their sum nor the error of their quotient leaves the type.
const LARGE: f64 = f64::from_bits((1023 + 1020) << 52);
const SMALL: f64 = f64::from_bits((1023 - 900) << 52);

/// The angle from 0 to π of a point at a height that is not negative, `side` beside the axis; on the left where that is wanted. Both are
/// finite, and not both are 0.
#[inline(always)]
fn angle(height: f64, side: f64, is_left: bool) -> f64 {
    let is_low = height <= LOW * side;
    let is_high = height >= HIGH * side;
    // The slope against the nearest multiple of π/4, as a fraction whose parts have two parts each.
    let (wide, narrow) = if height > side { (height, side) } else { (side, height) };
    let (total, total_lost) = sum(wide, narrow);
    let (difference, difference_lost) = sum(wide, -narrow);
    let flipped = if height > side { 1.0 } else { -1.0 };
    let (eighths, numerator, numerator_lost) = match (is_low, is_high) {
        (true, _) => (0.0, height, 0.0),
        (_, true) => (2.0, -side, 0.0),
        _ => (1.0, flipped * difference, flipped * difference_lost),
    };
    let (denominator, denominator_lost) = match (is_low, is_high) {
        (true, _) => (side, 0.0),
        (_, true) => (height, 0.0),
        _ => (total, total_lost),
    };
    let slope = numerator / denominator;
    let slope_rest =
        ((-slope).mul_add(denominator, numerator) + (numerator_lost - slope * denominator_lost)) / denominator;
    let z = slope * slope;
    let tail = (slope * z).mul_add(z.polynomial(&c::ATAN), slope_rest * (1.0 - z));

    let (base, turn) = if is_left { (4.0 - eighths, -1.0) } else { (eighths, 1.0) };
    let [quarter, quarter_rest] = c::QUARTER_PI;
    let (near, lost) = sum(base * quarter, turn * slope);
    let angle = near + (lost + turn.mul_add(tail, base * quarter_rest));
    if base == 0.0 && slope < TINY { slope } else { angle }
}

/// The angle of the point at `x` and `y`, from -π to π.
#[inline(always)]
pub fn atan2_f64(y: f64, x: f64) -> f64 {
    let (height, side) = (y.abs(), x.abs());
    // Infinite coordinates are so many units of one length, and 0 is on the axis.
    let (is_high, is_wide) = (height == f64::INFINITY, side == f64::INFINITY);
    let is_infinite = is_high || is_wide;
    let unit = |is_one: bool| if is_one { 1.0 } else { 0.0 };
    let height = if is_infinite { unit(is_high) } else { height };
    let is_origin = height == 0.0 && side == 0.0;
    let side = if is_infinite || is_origin { unit(is_wide || is_origin) } else { side };

    let longest = if height > side { height } else { side };
    let scale = if longest >= LARGE {
        0.25
    } else if longest < SMALL {
        (1u64 << 62) as f64 * (1u64 << 62) as f64
    } else {
        1.0
    };
    let is_left = 1f64.copysign(x) < 0.0;
    angle(height * scale, side * scale, is_left).copysign(y).nan_where(y.is_nan() || x.is_nan())
}

/// The angle of the point at `x` and `y`.
#[inline(always)]
pub fn atan2_f32(y: f32, x: f32) -> f32 {
    (atan2_f64(f64::from(y), f64::from(x)) as f32).nan_where(y.is_nan() || x.is_nan())
}

/// The angle of a slope, from -π/2 to π/2.
#[inline(always)]
pub fn atan_f64(x: f64) -> f64 {
    let size = x.abs();
    // Beyond this the angle is π/2.
    let size = if size < LARGE { size } else { LARGE };
    angle(size, 1.0, false).copysign(x).nan_where(x.is_nan())
}

/// The angle of a slope.
#[inline(always)]
pub fn atan_f32(x: f32) -> f32 {
    (atan_f64(f64::from(x)) as f32).nan_where(x.is_nan())
}
