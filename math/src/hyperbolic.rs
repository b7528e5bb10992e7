//! `tanh`.

use crate::exponential::exp_minus_one;
use crate::real::Real;

/// The hyperbolic tangent: up to [`Real::TANH_MIDDLE`] a polynomial, beyond it `d / (d + 2)` where `d = exp(2 |x|) - 1`.
#[inline(always)]
pub fn tanh<R: Real>(x: R) -> R {
    let size = x.abs().limited((R::ZERO, R::TANH_END));
    let square = size * size;
    let near = (size * square).mul_add(square.polynomial(R::TANH), size);
    let d = exp_minus_one(size + size);
    let far = d / (d + R::TWO);
    (if size < R::TANH_MIDDLE { near } else { far }).copysign(x).nan_where(x.is_nan())
}
