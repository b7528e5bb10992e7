//! The square root and its reciprocal.

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
