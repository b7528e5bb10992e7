//! Conversions to the narrow floats, each rounded once to nearest, ties to even.
//!
//! The `half` crate's conversions from `f64` round twice (through `f32` where the processor has F16C, and by cutting
//! the low half of the significand elsewhere), so a result could depend on the processor. Rounding to *odd* on the way
//! to `f32` keeps what the second rounding needs to know, which makes the pair of them exact.

use half::{bf16, f16};

/// The `f16` nearest to `value`, ties to even; beyond 65520 in magnitude it is infinite.
pub fn f16_from_f64(value: f64) -> f16 {
    f16::from_f32(f32_round_to_odd(value))
}

/// The `bf16` nearest to `value`, ties to even.
pub fn bf16_from_f64(value: f64) -> bf16 {
    bf16::from_f32(f32_round_to_odd(value))
}

/// The `f64` nearest to `value` in the sense of rounding to odd: converting it once more to a float of at most 51
/// significant bits gives what rounding `value` directly would give.
pub fn f64_round_to_odd(value: i128) -> f64 {
    let magnitude = value.unsigned_abs();
    let bits = 128 - magnitude.leading_zeros();
    let rounded = if bits <= 53 {
        magnitude as f64
    } else {
        let shift = bits - 53;
        let kept = magnitude >> shift;
        let lost = magnitude & ((1 << shift) - 1);
        let odd = kept | u128::from(lost != 0);
        // 53 bits at most, so both factors and the product are exact.
        odd as f64 * 2f64.powi(shift as i32)
    };
    if value < 0 { -rounded } else { rounded }
}

/// `value` as `f32`, where an inexact result takes the neighbour whose last bit is 1.
fn f32_round_to_odd(value: f64) -> f32 {
    let nearest = value as f32;
    if f64::from(nearest) == value || value.is_nan() {
        return nearest;
    }
    let bits = nearest.to_bits();
    if bits & 1 == 1 && nearest.is_finite() {
        return nearest;
    }
    // `nearest` is even and not `value`: the odd neighbour on the other side of `value` is one step away. Stepping the
    // bits up moves away from zero, down moves towards it, for either sign; infinity steps down to the largest finite.
    let away_from_zero = f64::from(nearest).abs() < value.abs();
    f32::from_bits(if away_from_zero { bits + 1 } else { bits - 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f64_to_f16_rounds_once() {
        // Just above the tie between 1 and 1 + 2^-10: through f32 it would become the tie and round down to 1.
        let above_tie = 1.0 + 2f64.powi(-11) + 2f64.powi(-40);
        assert_eq!(f16_from_f64(above_tie).to_f64(), 1.0 + 2f64.powi(-10));
        assert_eq!(f16_from_f64(1.0 + 2f64.powi(-11)).to_f64(), 1.0);
        assert_eq!(f16_from_f64(-above_tie).to_f64(), -1.0 - 2f64.powi(-10));
        assert_eq!(f16_from_f64(65519.999).to_f64(), 65504.0);
        assert_eq!(f16_from_f64(65520.0).to_f64(), f64::INFINITY);
        assert_eq!(f16_from_f64(1e300).to_f64(), f64::INFINITY);
        assert!(f16_from_f64(f64::NAN).is_nan());
        // The smallest subnormal is 2^-24; half of it ties to zero, a hair more does not.
        assert_eq!(f16_from_f64(2f64.powi(-25)).to_f64(), 0.0);
        assert_eq!(f16_from_f64(2f64.powi(-25) * (1.0 + 1e-15)).to_f64(), 2f64.powi(-24));
        assert_eq!(f16_from_f64(-0.0).to_bits(), 0x8000);
    }

    #[test]
    fn f64_to_bf16_rounds_once() {
        let above_tie = 1.0 + 2f64.powi(-8) + 2f64.powi(-50);
        assert_eq!(bf16_from_f64(above_tie).to_f64(), 1.0 + 2f64.powi(-7));
        assert_eq!(bf16_from_f64(1.0 + 2f64.powi(-8)).to_f64(), 1.0);
        assert_eq!(bf16_from_f64(f64::MAX).to_f64(), f64::INFINITY);
        assert!(bf16_from_f64(f64::NAN).is_nan());
        // 1e-45 is below half of the smallest bf16 subnormal, 2^-133.
        assert_eq!(bf16_from_f64(1e-45).to_f64(), 0.0);
        assert_eq!(bf16_from_f64(f64::MIN_POSITIVE).to_f64(), 0.0);
    }

    #[test]
    fn every_half_survives_the_round_trip() {
        for bits in 0..=u16::MAX {
            let half = f16::from_bits(bits);
            let brain = bf16::from_bits(bits);
            assert!(half.is_nan() || f16_from_f64(half.to_f64()).to_bits() == bits);
            assert!(brain.is_nan() || bf16_from_f64(brain.to_f64()).to_bits() == bits);
        }
    }

    #[test]
    fn large_integers_round_once() {
        assert_eq!(f64_round_to_odd(i128::from(u64::MAX)) as f32, 2f32.powi(64));
        assert_eq!(f64_round_to_odd(-5), -5.0);
        assert_eq!(f64_round_to_odd(0), 0.0);
        // 2^54 + 2^30 + 1 lies just above the tie of two f32 values (spaced 2^31).
        let above_tie = (1i128 << 54) + (1 << 30) + 1;
        assert_eq!(f64_round_to_odd(above_tie) as f32, 2f32.powi(54) + 2f32.powi(31));
    }
}
