//! What is said of one element type.

/// An element type: a file has one for each type, and `lib.rs` lists them.
#[derive(Debug)]
pub struct Definition {
    /// The word in the language: `f32`.
    pub name: &'static str,
    /// What C, CUDA, numpy and others call it.
    pub elsewhere: &'static [&'static str],
    /// What it is, in one or two sentences.
    pub text: &'static str,
    /// Which numbers it holds.
    pub kind: Kind,
    /// Bytes of one element in memory: 1, 2, 4 or 8.
    pub bytes: usize,
    /// Its type in generated CUDA and C++.
    pub cuda: &'static str,
    /// What declares that type, where CUDA does not have it without a header.
    pub cuda_declaration: Option<CudaDeclaration>,
    /// What a header of a `.npy` file calls it, in the byte order of all files that are written.
    pub npy: &'static str,
    /// What Python calls it where a conversion is asked for: an argument of `astype`.
    pub python: &'static str,
    /// How far two values may lie apart, relatively, where an expectation does not say.
    pub tolerance: f64,
}

/// What generated CUDA says of a type that it declares itself.
#[derive(Clone, Copy, Debug)]
pub struct CudaDeclaration {
    /// What the type is, as the comment above its declaration.
    pub comment: &'static str,
    /// A struct with one conversion from `float`, which rounds to nearest, and one to `float`.
    pub text: &'static str,
}

/// Which numbers a type holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 0 and 1.
    Bool,
    /// Integers in two's complement, or from 0 on.
    Integer {
        /// Whether it has negative values.
        signed: bool,
    },
    /// Floats.
    Float(FloatFormat),
}

/// A binary floating-point format with subnormal numbers, infinities and NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatFormat {
    /// Digits of a normal number, the leading 1 included.
    pub significant_bits: u32,
    /// The exponent of the smallest normal number.
    pub least_exponent: i32,
    /// The exponent of the largest finite number.
    pub greatest_exponent: i32,
}

impl FloatFormat {
    /// The largest finite value, where `f64` holds one beyond it.
    pub fn largest(&self) -> f64 {
        (2.0 - 2f64.powi(1 - self.digits())) * 2f64.powi(self.greatest_exponent)
    }

    /// The value rounded to the format, to nearest, ties to even.
    pub fn rounded(&self, value: f64) -> f64 {
        if value == 0.0 || !value.is_finite() {
            return value;
        }
        // The exponent of the value; the subnormal ones of f64 lie far below every result but zero.
        let exponent = i32::try_from((value.to_bits() >> 52) & 0x7ff).unwrap_or(0) - 1023;
        let spacing = 2f64.powi(exponent.max(self.least_exponent) - (self.digits() - 1));
        // Dividing and multiplying by a power of two is exact here: results are normal numbers of f64.
        let result = (value / spacing).round_ties_even() * spacing;
        if result.abs() > self.largest() { f64::INFINITY.copysign(value) } else { result }
    }

    fn digits(&self) -> i32 {
        self.significant_bits.cast_signed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ElementType;

    fn format(element: ElementType) -> FloatFormat {
        element.float_format().unwrap()
    }

    #[test]
    fn a_value_is_rounded_once_to_the_nearest_of_the_format() {
        let f16 = |value| format(ElementType::F16).rounded(value);
        assert_eq!(f16(0.1), 0.0999755859375);
        assert_eq!(f16(1.0 + 2f64.powi(-11)), 1.0);
        assert_eq!(f16(65519.9), 65504.0);
        assert_eq!(f16(-65520.0), f64::NEG_INFINITY);
        assert_eq!(f16(2f64.powi(-25)), 0.0);
        assert_eq!(f16(3.0 * 2f64.powi(-26)), 2f64.powi(-24));
        assert_eq!(f16(5e-324), 0.0);
        let bf16 = |value| format(ElementType::Bf16).rounded(value);
        assert_eq!(bf16(0.1), 0.10009765625);
        assert_eq!(bf16(f64::MAX), f64::INFINITY);
        assert_eq!(bf16(2f64.powi(-133)), 2f64.powi(-133));
    }

    #[test]
    fn the_largest_value_is_that_of_the_type() {
        assert_eq!(format(ElementType::F16).largest(), 65504.0);
        assert_eq!(format(ElementType::F32).largest(), f64::from(f32::MAX));
        assert_eq!(format(ElementType::F64).largest(), f64::MAX);
    }
}
