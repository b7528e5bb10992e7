//! The reduction of large numbers modulo π/2.

use crate::coefficients::{HALF_PI_SHORT, TWO_OVER_PI};

/// The quadrant, and the remainder from -π/4 to π/4 in two parts, of a finite number of at least 1 or at most -1: the
/// number is `quadrant * π/2` plus the remainder, up to a multiple of 2π.
///
/// Uses the method of Payne and Hanek: only the digits of the product with 2/π around the binary point are computed.
/// Digits further left only contribute multiples of 4 to the quadrant, and enough digits to the right are computed for
/// the remainder of any number to have full precision.
pub fn reduce(x: f64) -> (i64, f64, f64) {
    let bits = x.abs().to_bits();
    // |x| is digits * 2^(exponent - 52).
    let exponent = (bits >> 52) as usize - 1023;
    let digits = u128::from(bits & ((1 << 52) - 1) | 1 << 52);

    // Digit p of 2/π after the binary point has the weight 2^-p, so it contributes a multiple of 2^(exponent - 52 - p)
    // to the product: up to p = exponent - 54 a multiple of 4. The window of 192 digits begins after that digit; a word
    // of zeros before the table stands for the digits before the point.
    let word = |place: usize| place.checked_sub(1).map_or(0, |place| TWO_OVER_PI[place]);
    let window = |place: usize| {
        let (place, shift) = ((exponent + 10) / 64 + place, (exponent + 10) % 64);
        u128::from(((u128::from(word(place)) << 64 | u128::from(word(place + 1))) << shift >> 64) as u64)
    };
    let low = window(2) * digits;
    let middle = window(1) * digits + (low >> 64);
    let high = window(0) * digits + (middle >> 64);

    // Two of the 192 digits are before the point; the fraction is interpreted as a number from -1/2 to 1/2.
    let [high, middle, low] = [high as u64, middle as u64, low as u64];
    let fraction = ((u128::from(high) << 64 | u128::from(middle)) << 2 | u128::from(low >> 62)) as i128;
    let quadrant = (high >> 62) as i64 + i64::from(fraction < 0);

    let first = fraction as f64;
    let second = fraction.wrapping_sub(first as i128) as f64;
    let [half_pi, rest] = HALF_PI_SHORT;
    let product = first * half_pi;
    let error = first.mul_add(half_pi, -product) + first.mul_add(rest, second * half_pi);
    let unit = f64::from_bits((1023 - 128) << 52);
    let sum = product + error;
    let (remainder, remainder_rest) = (sum * unit, ((product - sum) + error) * unit);
    if x < 0.0 { (-quadrant, -remainder, -remainder_rest) } else { (quadrant, remainder, remainder_rest) }
}
