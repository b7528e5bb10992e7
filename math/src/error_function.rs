//! `erf`.

use crate::exponential::exp;
use crate::real::Real;

/// The error function, `2/√π` times the integral of `exp(-t²)` from 0 to `x`.
///
/// Up to 1 a polynomial, beyond it one minus `exp` of another one, where an error of the exponent counts little.
#[inline(always)]
pub fn erf<R: Real>(x: R) -> R {
    let size = x.abs().limited((R::ZERO, R::ERF_END));
    let near = size.mul_add((size * size).polynomial(R::ERF), size);
    let far = R::ONE - exp(-(size - R::ONE).polynomial(R::ERFC));
    (if size < R::ONE { near } else { far }).copysign(x).nan_where(x.is_nan())
}
