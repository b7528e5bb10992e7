//! Numbers as C++ writes them, every one exactly.

use super::text::Text;

/// A float of 24 significant bits, `2.0f`; the value is rounded to it first.
pub(super) fn single(value: f64) -> Text {
    let single = value as f32;
    if single.is_finite() {
        return Text::number(format!("{}f", finite(f64::from(single))));
    }
    let bits = match single {
        _ if single.is_nan() => "0x7fc00000",
        f32::INFINITY => "0x7f800000",
        _ => "0xff800000",
    };
    Text::primary(format!("__uint_as_float({bits}u)"))
}

/// A float of 53 significant bits, `2.0`.
pub(super) fn double(value: f64) -> Text {
    if value.is_finite() {
        return Text::number(finite(value));
    }
    let bits = match value {
        _ if value.is_nan() => "0x7ff8000000000000",
        f64::INFINITY => "0x7ff0000000000000",
        _ => "0xfff0000000000000",
    };
    Text::primary(format!("__longlong_as_double({bits}ll)"))
}

/// A short decimal where it is the very value, else hexadecimal: a decimal that stands for its nearest neighbour would
/// leave the rounding to the compiler.
fn finite(value: f64) -> String {
    // A multiple of 2^-10 has at most ten digits after the point.
    if value.abs() < 1e7 && (value * 1024.0).fract() == 0.0 {
        let exact = format!("{value:.10}");
        let short = exact.trim_end_matches('0');
        let point = if short.ends_with('.') { "0" } else { "" };
        return format!("{short}{point}");
    }
    let bits = value.to_bits();
    let sign = if value < 0.0 { "-" } else { "" };
    let (fraction, biased) = (bits & ((1 << 52) - 1), (bits >> 52) & 0x7ff);
    let (lead, exponent) = if biased == 0 { (0, -1022) } else { (1, i64::try_from(biased).unwrap_or(0) - 1023) };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{sign}0x{lead}{point}{digits}p{exponent}")
}

/// The value rounded to a float of `digits` significant bits with exponents from `least` (that of the smallest normal
/// number) to `greatest`, to nearest, ties to even: what a constant of f16 or bf16 is.
pub(super) fn rounded(value: f64, digits: i32, least: i32, greatest: i32) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    // The exponent of the value; the subnormal ones of f64 lie far below every result but zero.
    let exponent = i32::try_from((value.to_bits() >> 52) & 0x7ff).unwrap_or(0) - 1023;
    let spacing = 2f64.powi(exponent.max(least) - (digits - 1));
    // Dividing and multiplying by a power of two is exact here: results are normal numbers of f64.
    let result = (value / spacing).round_ties_even() * spacing;
    if result.abs() >= 2f64.powi(greatest + 1) { f64::INFINITY.copysign(value) } else { result }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_exact() {
        assert_eq!(single(2.0).code, "2.0f");
        assert_eq!(single(-0.0).code, "-0.0f");
        assert_eq!(single(0.1).code, "0x1.99999ap-4f");
        assert_eq!(single(-1.0 / 3.0).code, "-0x1.555556p-2f");
        assert_eq!(single(1e30).code, "0x1.93e594p99f");
        assert_eq!(single(2f64.powi(-149)).code, "0x1p-149f");
        assert_eq!(single(1e300).code, "__uint_as_float(0x7f800000u)");
        assert_eq!(double(0.625).code, "0.625");
        assert_eq!(double(0.1).code, "0x1.999999999999ap-4");
        assert_eq!(double(5e-324).code, "0x0.0000000000001p-1022");
        assert_eq!(double(f64::NEG_INFINITY).code, "__longlong_as_double(0xfff0000000000000ll)");
        assert_eq!(double(f64::NAN).code, "__longlong_as_double(0x7ff8000000000000ll)");
    }

    #[test]
    fn constants_of_sixteen_bits_round_once() {
        let f16 = |value| rounded(value, 11, -14, 15);
        assert_eq!(f16(0.1), 0.0999755859375);
        assert_eq!(f16(1.0 + 2f64.powi(-11)), 1.0);
        assert_eq!(f16(65519.9), 65504.0);
        assert_eq!(f16(-65520.0), f64::NEG_INFINITY);
        assert_eq!(f16(2f64.powi(-25)), 0.0);
        assert_eq!(f16(3.0 * 2f64.powi(-26)), 2f64.powi(-24));
        assert_eq!(f16(5e-324), 0.0);
        let bf16 = |value| rounded(value, 8, -126, 127);
        assert_eq!(bf16(0.1), 0.10009765625);
        assert_eq!(bf16(f64::MAX), f64::INFINITY);
        assert_eq!(bf16(2f64.powi(-133)), 2f64.powi(-133));
    }
}
