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
    /// Whether kernels compute with it: operators, comparisons and functions. A type without them is stored, converted, and
    /// multiplied as matrices.
    pub computes: bool,
    /// The size of one element in memory, in bytes: 1, 2, 4 or 8.
    pub bytes: usize,
    /// Its type in generated CUDA and C++.
    pub cuda: &'static str,
    /// The declaration of that type, if CUDA only declares it in a header.
    pub cuda_declaration: Option<CudaDeclaration>,
    /// Its elements in numpy and its files.
    pub npy: Npy,
    /// The default tolerance of expectations: the greatest relative difference.
    pub tolerance: f64,
}

/// The elements of a type in numpy. A type that numpy lacks is written as bits.
#[derive(Clone, Copy, Debug)]
pub struct Npy {
    /// The name in the header of a `.npy` file, with the byte order of all files that are written.
    pub written: &'static str,
    /// Other names under which files hold the bits of such elements.
    pub read: &'static [&'static str],
    /// The argument for numpy's `astype` in Python.
    pub python: &'static str,
}

impl Npy {
    /// A type of numpy itself.
    pub(crate) const fn numbers(written: &'static str, python: &'static str) -> Self {
        Self { written, read: &[], python }
    }
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

/// A binary floating-point format with subnormal numbers and NaN. Its codes are sign, exponent and fraction, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatFormat {
    /// Digits of a normal number, including the leading 1.
    pub significant_bits: u32,
    /// The exponent of the smallest normal number.
    pub least_exponent: i32,
    /// The exponent of the largest finite number.
    pub greatest_exponent: i32,
    /// Whether it has infinities, after which all codes are NaN. Without them only the code with all bits set is NaN.
    pub has_infinities: bool,
    /// What a conversion gives for a number that the format does not hold.
    pub conversion: Conversion,
}

/// What a conversion gives beyond the largest number of a format, and for NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// Infinity. A NaN keeps its sign and its leading digits.
    Ieee,
    /// The largest number, also for an infinity. Every NaN becomes the one of which all bits but the sign are set. The
    /// conversions of GPUs to floats of 8 bits do the same.
    Saturating,
}

impl FloatFormat {
    pub(crate) const fn ieee(significant_bits: u32, least_exponent: i32, greatest_exponent: i32) -> Self {
        let (has_infinities, conversion) = (true, Conversion::Ieee);
        Self { significant_bits, least_exponent, greatest_exponent, has_infinities, conversion }
    }

    pub(crate) const fn saturating(
        significant_bits: u32,
        least_exponent: i32,
        greatest_exponent: i32,
        has_infinities: bool,
    ) -> Self {
        let conversion = Conversion::Saturating;
        Self { significant_bits, least_exponent, greatest_exponent, has_infinities, conversion }
    }

    /// The largest finite value, if `f64` holds it.
    pub fn largest(&self) -> f64 {
        // Without infinities, the numbers go on to the code before that of NaN.
        let missing = if self.has_infinities { 1.0 } else { 2.0 };
        (2.0 - missing * 2f64.powi(1 - self.digits())) * 2f64.powi(self.greatest_exponent)
    }

    /// Converts a value to the format: to nearest, ties to even.
    pub fn rounded(&self, value: f64) -> f64 {
        let result = self.nearest(value);
        match self.conversion {
            _ if result.is_nan() || result.abs() <= self.largest() => result,
            Conversion::Ieee => f64::INFINITY.copysign(value),
            Conversion::Saturating => self.largest().copysign(value),
        }
    }

    /// The value of a constant: an infinity is one where the format has them, everything else is converted.
    pub fn constant(&self, value: f64) -> f64 {
        if value.is_infinite() && self.has_infinities { value } else { self.rounded(value) }
    }

    /// Whether the format has a constant: NaN, an infinity, or a number that rounds to a finite one.
    pub fn has_constant(&self, value: f64) -> bool {
        match value.is_infinite() {
            true => self.has_infinities,
            false => value.is_nan() || self.nearest(value).abs() <= self.largest(),
        }
    }

    /// The nearest value with the digits of the format, however large.
    fn nearest(&self, value: f64) -> f64 {
        let is_f64 = self.significant_bits == f64::MANTISSA_DIGITS;
        if is_f64 || value == 0.0 || !value.is_finite() {
            return value;
        }
        // The exponent of the value. Subnormal values of f64 round to zero in every format.
        let exponent = i32::try_from((value.to_bits() >> 52) & 0x7ff).unwrap_or(0) - 1023;
        let spacing = 2f64.powi(exponent.max(self.least_exponent) - (self.digits() - 1));
        // Dividing and multiplying by a power of two is exact here, since the results are normal numbers of f64.
        (value / spacing).round_ties_even() * spacing
    }

    /// The code of the largest number without a sign. The next one is infinity, or else NaN.
    pub fn code_of_largest(&self) -> u32 {
        let exponents = self.greatest_exponent - self.least_exponent + 2;
        let next = exponents.cast_unsigned() << (self.significant_bits - 1);
        if self.has_infinities { next - 1 } else { next - 2 }
    }

    /// The value of a code whose sign, if it is set, is the bit `sign`. The format is narrower than `f64`.
    pub fn value_of_code(&self, code: u32, sign: u32) -> f64 {
        let (digits, magnitude) = (self.significant_bits - 1, code & (sign - 1));
        let (exponent, fraction) = (magnitude >> digits, magnitude & ((1 << digits) - 1));
        let value = if magnitude > self.code_of_largest() {
            // The fraction of infinity is 0, and a NaN keeps its own.
            f64::from_bits((0x7ff << 52) | (u64::from(fraction) << (52 - digits)))
        } else {
            let last_place = exponent.max(1).cast_signed() - 1 + self.least_exponent - digits.cast_signed();
            let leading = if exponent == 0 { 0 } else { 1 << digits };
            f64::from(leading | fraction) * 2f64.powi(last_place)
        };
        if code & sign == 0 { value } else { -value }
    }

    /// The code of a value that the format holds, with the bit `sign` for the sign. Every NaN has all other bits set.
    pub fn code_of_value(&self, value: f64, sign: u32) -> u32 {
        if value.is_nan() {
            return sign - 1;
        }
        let (digits, magnitude) = (self.significant_bits - 1, value.abs());
        let code = if magnitude.is_infinite() {
            self.code_of_largest() + 1
        } else {
            let exponent = (i32::try_from(magnitude.to_bits() >> 52).unwrap_or(0) - 1023).max(self.least_exponent);
            // An integer, of which the leading 1 of a normal number adds 1 to the exponent.
            let scaled = magnitude / 2f64.powi(exponent - digits.cast_signed());
            ((exponent - self.least_exponent).cast_unsigned() << digits) + scaled as u32
        };
        if value.is_sign_negative() { code | sign } else { code }
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
        assert_eq!(format(ElementType::E4m3).largest(), 448.0);
        assert_eq!(format(ElementType::E5m2).largest(), 57344.0);
    }

    #[test]
    fn a_saturating_conversion_ends_at_the_largest_value() {
        let e4m3 = |value| format(ElementType::E4m3).rounded(value);
        assert_eq!([e4m3(464.0), e4m3(465.0), e4m3(-1e300), e4m3(f64::INFINITY)], [448.0, 448.0, -448.0, 448.0]);
        assert_eq!([e4m3(2f64.powi(-10)), e4m3(3.0 * 2f64.powi(-11))], [0.0, 2f64.powi(-9)]);
        assert!(e4m3(f64::NAN).is_nan());
        let e5m2 = |value| format(ElementType::E5m2).rounded(value);
        assert_eq!([e5m2(61440.0), e5m2(f64::NEG_INFINITY), e5m2(1.125)], [57344.0, -57344.0, 1.0]);
    }

    #[test]
    fn a_constant_is_held_or_refused() {
        let [e4m3, e5m2, f16] = [ElementType::E4m3, ElementType::E5m2, ElementType::F16].map(format);
        assert!(e4m3.has_constant(464.0) && !e4m3.has_constant(464.1) && !e4m3.has_constant(f64::INFINITY));
        assert!(e5m2.has_constant(f64::NEG_INFINITY) && e5m2.has_constant(61439.0) && !e5m2.has_constant(61441.0));
        assert!(f16.has_constant(f64::INFINITY) && f16.has_constant(f64::NAN) && !f16.has_constant(65520.0));
        assert_eq!([e5m2.constant(f64::INFINITY), f16.constant(f64::INFINITY)], [f64::INFINITY; 2]);
    }

    /// The codes of every format that has few enough of them are in order, and each is the code of its value.
    #[test]
    fn codes_go_both_ways() {
        for element in [ElementType::E4m3, ElementType::E5m2, ElementType::F16, ElementType::Bf16] {
            let (format, sign) = (format(element), 1 << (element.bits() - 1));
            let mut last = -1.0;
            for code in 0..=format.code_of_largest() {
                let value = format.value_of_code(code, sign);
                assert!(value > last && format.rounded(value) == value, "{element} {code} {value}");
                assert_eq!(format.code_of_value(value, sign), code, "{element}");
                assert_eq!(format.code_of_value(-value, sign), code | sign, "{element}");
                assert_eq!(format.value_of_code(code | sign, sign), -value, "{element}");
                last = value;
            }
            assert_eq!(last, format.largest());
            let beyond = format.value_of_code(format.code_of_largest() + 1, sign);
            assert!(if format.has_infinities { beyond == f64::INFINITY } else { beyond.is_nan() }, "{element}");
            assert!(format.value_of_code(sign - 1, sign).is_nan(), "{element}");
            assert_eq!(format.code_of_value(f64::NAN, sign), sign - 1, "{element}");
        }
    }
}
