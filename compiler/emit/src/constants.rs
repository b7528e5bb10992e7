//! Literals of C++ for floats, all exact.

use super::text::Text;

/// A literal of `float`, such as `2.0f`; the value is rounded to 24 significant bits first.
pub(super) fn single(value: f64) -> Text {
    let single = value as f32;
    if single.is_finite() {
        return Text::number(single.is_sign_negative(), format!("{}f", magnitude(f64::from(single))));
    }
    let bits = match single {
        _ if single.is_nan() => "0x7fc00000",
        f32::INFINITY => "0x7f800000",
        _ => "0xff800000",
    };
    Text::call("__uint_as_float", &[&Text::literal(format!("{bits}u"))])
}

/// A literal of `double`, such as `2.0`.
pub(super) fn double(value: f64) -> Text {
    if value.is_finite() {
        return Text::number(value.is_sign_negative(), magnitude(value));
    }
    let bits = match value {
        _ if value.is_nan() => "0x7ff8000000000000",
        f64::INFINITY => "0x7ff0000000000000",
        _ => "0xfff0000000000000",
    };
    Text::call("__longlong_as_double", &[&Text::literal(format!("{bits}ll"))])
}

/// The magnitude of a finite number: a short decimal if that is exact, otherwise hexadecimal, since an inexact decimal
/// would depend on the compiler's rounding.
fn magnitude(value: f64) -> String {
    let value = value.abs();
    // A multiple of 2^-10 has at most ten digits after the decimal point.
    if value < 1e7 && (value * 1024.0).fract() == 0.0 {
        let exact = format!("{value:.10}");
        let short = exact.trim_end_matches('0');
        let point = if short.ends_with('.') { "0" } else { "" };
        return format!("{short}{point}");
    }
    let bits = value.to_bits();
    let (fraction, biased) = (bits & ((1 << 52) - 1), (bits >> 52) & 0x7ff);
    let (lead, exponent) = if biased == 0 { (0, -1022) } else { (1, i64::try_from(biased).unwrap_or(0) - 1023) };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("0x{lead}{point}{digits}p{exponent}")
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
}
