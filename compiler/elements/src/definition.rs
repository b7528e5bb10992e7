//! The definition of an element type.

/// The definition of an element type. Each type has a file, and `lib.rs` lists them.
#[derive(Debug)]
pub struct Definition {
    /// The name in the language: `f32`.
    pub name: &'static str,
    /// The names in C, CUDA, numpy and others.
    pub elsewhere: &'static [&'static str],
    /// A description of one or two sentences.
    pub text: &'static str,
    /// The numbers that it holds.
    pub kind: Kind,
    /// The size of one element in memory, in bytes: 1, 2, 4 or 8.
    pub bytes: usize,
    /// Its type in generated CUDA and C++.
    pub cuda: &'static str,
    /// The declaration of that type, if CUDA only declares it in a header.
    pub cuda_declaration: Option<CudaDeclaration>,
    /// The name in the header of a `.npy` file, with the byte order of all files that are written.
    pub npy: &'static str,
    /// The argument for numpy's `astype` in Python.
    pub python: &'static str,
    /// The default tolerance of expectations: the greatest relative difference.
    pub tolerance: f64,
}

/// The declaration of a type in generated CUDA.
#[derive(Clone, Copy, Debug)]
pub struct CudaDeclaration {
    /// The comment above the declaration.
    pub comment: &'static str,
    /// A struct with a conversion from `float`, rounding to nearest, and one to `float`.
    pub text: &'static str,
}

/// The numbers that a type holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 0 and 1.
    Bool,
    /// Integers, signed in two's complement or unsigned.
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
    /// Digits of a normal number, including the leading 1.
    pub significant_bits: u32,
    /// The exponent of the smallest normal number.
    pub least_exponent: i32,
    /// The exponent of the largest finite number.
    pub greatest_exponent: i32,
}

impl FloatFormat {
    /// The largest finite value, if `f64` holds it.
    pub fn largest(&self) -> f64 {
        (2.0 - 2f64.powi(1 - self.digits())) * 2f64.powi(self.greatest_exponent)
    }

    /// Rounds a value to the format: to nearest, ties to even.
    pub fn rounded(&self, value: f64) -> f64 {
        let is_f64 = self.significant_bits == f64::MANTISSA_DIGITS;
        if is_f64 || value == 0.0 || !value.is_finite() {
            return value;
        }
        // The exponent of the value. Subnormal values of f64 round to zero in every format.
        let exponent = i32::try_from((value.to_bits() >> 52) & 0x7ff).unwrap_or(0) - 1023;
        let spacing = 2f64.powi(exponent.max(self.least_exponent) - (self.digits() - 1));
        // Dividing and multiplying by a power of two is exact here, since the results are normal numbers of f64.
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
