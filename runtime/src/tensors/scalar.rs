//! One value of any element type.

use super::element::{Bits, Element, Wide, bits_in_memory, each_element, memory, with_element};
use super::{ElementType, TensorError};
use std::fmt;

/// Makes [`Scalar`] of the list of element types.
macro_rules! scalars {
    ([$($variant:ident $type:ty),*]) => {
        /// One element of a tensor, or a scalar argument of a kernel.
        ///
        /// `==` is that of the values, so `NaN` differs from itself; [`Scalar::same`] is the comparison that `expect` uses.
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[allow(missing_docs, reason = "each is a value of the element type of its name")]
        pub enum Scalar {
            $($variant($type),)*
        }
    };
}
each_element!((scalars)!);

/// Evaluates `$body` with `$value` bound to the payload, whatever its type.
macro_rules! with_payload {
    ($scalar:expr, $value:ident => $body:expr) => {
        each_element!((match_payload)! $scalar, $value => $body,)
    };
}

macro_rules! match_payload {
    ($scalar:expr, $value:ident => $body:expr, [$($variant:ident $type:ty),*]) => {
        match $scalar {
            $(Scalar::$variant($value) => $body,)*
        }
    };
}

impl Scalar {
    /// The type of the value.
    pub const fn element(self) -> ElementType {
        const fn of<T: Element>(_value: &T) -> ElementType {
            T::TYPE
        }
        with_payload!(&self, value => of(value))
    }

    /// The value 0 (`false`) of a type.
    pub fn zero(element: ElementType) -> Scalar {
        // In every type, 0 is the value of which no bit is set.
        Self::from_bits(element, 0)
    }

    /// The value with this memory representation; higher bits do not count. A `bool` is any byte but 0.
    pub fn from_bits(element: ElementType, bits: Bits) -> Scalar {
        with_element!(element, T => T::decode(bits).to_scalar())
    }

    /// The memory representation, zero-extended.
    pub fn to_bits(self) -> Bits {
        with_payload!(self, value => value.encode())
    }

    /// The cast of a number to a type, as a kernel casts: integers wrap, floats round.
    pub fn narrow(element: ElementType, wide: Wide) -> Scalar {
        with_element!(element, T => T::narrow(wide).to_scalar())
    }

    /// The value, exactly.
    pub fn widen(self) -> Wide {
        with_payload!(self, value => value.widen())
    }

    /// A constant of a float type: an infinity is one where the type has them, everything else is cast.
    pub fn constant(element: ElementType, value: f64) -> Scalar {
        match element.float_format() {
            Some(format) if value.is_infinite() && format.has_infinities => {
                Self::from_bits(element, infinity(element, value.is_sign_negative()))
            }
            _ => Self::narrow(element, Wide::Float(value)),
        }
    }

    /// `value` as `element`: an integer type must hold it exactly, a float takes the nearest (ties to even) and must
    /// stay finite.
    pub fn from_i128(element: ElementType, value: i128) -> Result<Scalar, TensorError> {
        let scalar = Self::narrow(element, Wide::Integer(value));
        let fits = match element.integer_range() {
            Some((low, high)) => (low..=high).contains(&value),
            None => element.holds_float(value as f64),
        };
        if fits { Ok(scalar) } else { Err(TensorError::DoesNotFit { value: value.to_string(), element }) }
    }

    /// `value` as `element`: a float takes the nearest value (ties to even) and must have one, an infinity too; an integer
    /// type must hold it exactly.
    pub fn from_f64(element: ElementType, value: f64) -> Result<Scalar, TensorError> {
        if element.holds_float(value) {
            Ok(Self::constant(element, value))
        } else if !element.is_float() && value.fract() == 0.0 && value.abs() < 2f64.powi(65) {
            Self::from_i128(element, value as i128)
        } else {
            Err(TensorError::DoesNotFit { value: format!("{value:?}"), element })
        }
    }

    /// The value as `f64`: exact for every type but 64-bit integers, which take the nearest.
    pub fn to_f64(self) -> f64 {
        self.widen().to_f64()
    }

    /// The `f64` that the shortest decimal of the value means: what to show of a value where the digits that it has
    /// only as an `f64` would mislead.
    pub fn to_decimal(self) -> f64 {
        self.to_string().parse().unwrap_or_else(|_| self.to_f64())
    }

    /// The value of an integer or a `bool` (0 or 1); `None` for a float.
    pub fn to_i128(self) -> Option<i128> {
        match self.widen() {
            Wide::Integer(value) => Some(value),
            Wide::Float(_) => None,
        }
    }

    /// The bytes of the value in the machine's order, at the front of the array; the rest is 0. This is what a kernel
    /// launch passes and what a tensor stores.
    pub fn to_bytes(self) -> [u8; 8] {
        memory(self.to_bits(), self.element().size_bytes())
    }

    /// The value of type `element` whose bytes stand at the front of `bytes`; a `bool` is any byte but 0.
    pub fn from_bytes(element: ElementType, bytes: [u8; 8]) -> Scalar {
        Self::from_bits(element, bits_in_memory(bytes, element.size_bytes()))
    }

    /// Whether two values are the same number, whatever their types; `NaN` is the same as `NaN`, 0 as -0.
    pub fn same(self, other: Scalar) -> bool {
        match (self.to_i128(), other.to_i128()) {
            (Some(left), Some(right)) => left == right,
            _ => {
                let (left, right) = (self.to_f64(), other.to_f64());
                left == right || (left.is_nan() && right.is_nan())
            }
        }
    }
}

impl fmt::Display for Scalar {
    /// Floats are printed as the shortest decimal that reads back as the same value, with a point or an exponent; those of 8
    /// bits as that of the `f32`, since a decimal of their one or two digits is far off.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Scalar::F32(value) => write!(f, "{value:?}"),
            Scalar::F64(value) => write!(f, "{value:?}"),
            small if small.element().is_float() && small.element().size_bytes() == 1 => {
                write!(f, "{:?}", small.to_f64() as f32)
            }
            narrow if narrow.element().is_narrow_float() => {
                let reads_back = |text: f32| Self::narrow(narrow.element(), Wide::Float(text.into())) == narrow;
                write!(f, "{}", Shortest(narrow.to_f64() as f32, reads_back))
            }
            Scalar::Bool(value) => write!(f, "{value}"),
            integer => write!(f, "{}", integer.to_i128().unwrap_or_default()),
        }
    }
}

/// The bits of an infinity of a type that has them.
fn infinity(element: ElementType, is_negative: bool) -> Bits {
    let value = if is_negative { f64::NEG_INFINITY } else { f64::INFINITY };
    match element.float_format() {
        Some(format) if element.is_narrow_float() => Bits::from(format.code_of_value(value, 1 << (element.bits() - 1))),
        // Their casts keep infinities.
        _ => Scalar::narrow(element, Wide::Float(value)).to_bits(),
    }
}

/// The shortest decimal for which `reads_back` holds.
struct Shortest<F: Fn(f32) -> bool>(f32, F);

impl<F: Fn(f32) -> bool> fmt::Display for Shortest<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shortest(value, reads_back) = self;
        for digits in 0..9 {
            let text = format!("{value:.digits$e}");
            if let Ok(parsed) = text.parse::<f32>()
                && reads_back(parsed)
            {
                return write!(f, "{parsed:?}");
            }
        }
        write!(f, "{value:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::{bf16, f16};

    #[test]
    fn bytes_round_trip() {
        for element in ElementType::ALL {
            let one = Scalar::from_i128(element, 1).unwrap();
            assert_eq!(one.element(), element);
            assert_eq!(Scalar::from_bytes(element, one.to_bytes()), one);
            assert_eq!(one.to_f64(), 1.0);
            assert!(Scalar::zero(element).same(Scalar::from_i128(element, 0).unwrap()));
        }
    }

    #[test]
    fn values_that_do_not_fit_are_refused() {
        let text = |result: Result<Scalar, TensorError>| result.unwrap_err().to_string();
        assert_eq!(text(Scalar::from_i128(ElementType::I8, 128)), "128 does not fit i8, whose values are -128 to 127");
        assert_eq!(
            text(Scalar::from_f64(ElementType::U32, 1.5)),
            "1.5 does not fit u32, whose values are 0 to 4294967295"
        );
        assert_eq!(
            text(Scalar::from_f64(ElementType::I64, f64::NAN)),
            "NaN does not fit i64, whose values are -9223372036854775808 to 9223372036854775807"
        );
        assert_eq!(text(Scalar::from_i128(ElementType::F16, 70_000)), "70000 does not fit f16");
        assert_eq!(
            text(Scalar::from_i128(ElementType::E4m3, 465)),
            "465 does not fit e4m3, which holds -448 to 448 without infinities"
        );
        assert_eq!(
            text(Scalar::from_f64(ElementType::E4m3, f64::INFINITY)),
            "inf does not fit e4m3, which holds -448 to 448 without infinities"
        );
        assert_eq!(Scalar::from_f64(ElementType::E5m2, f64::INFINITY).unwrap().to_bits(), 0x7c);
        assert_eq!(Scalar::from_i128(ElementType::U64, i128::from(u64::MAX)).unwrap(), Scalar::U64(u64::MAX));
        assert_eq!(Scalar::from_f64(ElementType::I64, -2f64.powi(63)).unwrap(), Scalar::I64(i64::MIN));
        assert!(Scalar::from_f64(ElementType::I64, 2f64.powi(63)).is_err());
        assert!(Scalar::from_f64(ElementType::Bool, 2.0).is_err());
    }

    #[test]
    fn display_is_short_and_reads_back() {
        assert_eq!(Scalar::F16(f16::from_f32(0.1)).to_string(), "0.1");
        assert_eq!(Scalar::Bf16(bf16::from_f32(3.0)).to_string(), "3.0");
        assert_eq!(Scalar::F16(f16::NAN).to_string(), "NaN");
        assert_eq!(Scalar::Bf16(bf16::NEG_INFINITY).to_string(), "-inf");
        assert_eq!(Scalar::constant(ElementType::E4m3, 448.0).to_string(), "448.0");
        assert_eq!(Scalar::constant(ElementType::E4m3, 0.1).to_string(), "0.1015625");
        assert_eq!(Scalar::constant(ElementType::E5m2, f64::NEG_INFINITY).to_string(), "-inf");
        assert_eq!(Scalar::F32(1e30).to_string(), "1e30");
        assert_eq!(Scalar::F32(0.1).to_decimal(), 0.1);
        assert_eq!(Scalar::F16(f16::NEG_INFINITY).to_decimal(), f64::NEG_INFINITY);
        assert_eq!(Scalar::Bool(true).to_decimal(), 1.0);
        assert_eq!(Scalar::F64(-0.0).to_string(), "-0.0");
        assert_eq!(Scalar::Bool(true).to_string(), "true");
        assert_eq!(Scalar::I64(i64::MIN).to_string(), "-9223372036854775808");
    }

    #[test]
    fn sameness_is_numeric() {
        assert!(Scalar::F32(f32::NAN).same(Scalar::F64(f64::NAN)));
        assert!(Scalar::F32(0.0).same(Scalar::F32(-0.0)));
        assert!(!Scalar::U64(u64::MAX).same(Scalar::U64(u64::MAX - 1)));
        assert!(!Scalar::F32(f32::NAN).same(Scalar::F32(0.0)));
    }
}
