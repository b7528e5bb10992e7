//! The floats of 8 bits against what their specification says of each code, and against exact arithmetic with integers.

use elements::ElementType;
use half::{bf16, f16};

use super::{E4m3, E5m2};
use crate::interpreter::operation;
use crate::tensors::Scalar;

/// The unit of exact numbers: 2^-76, of which every `f64` between 2^-24 and 2^17 is a multiple.
const UNIT: i32 = -76;

/// A format as the specification has it.
struct Specification {
    element: ElementType,
    bias: i32,
    fraction_bits: i32,
    largest_code: u8,
    /// The number of codes behind the largest number that are infinities: 1 or 0. The others are NaN.
    infinities: u8,
}

const SPECIFICATIONS: [Specification; 2] = [
    Specification { element: ElementType::E4m3, bias: 7, fraction_bits: 3, largest_code: 0x7e, infinities: 0 },
    Specification { element: ElementType::E5m2, bias: 15, fraction_bits: 2, largest_code: 0x7b, infinities: 1 },
];

impl Specification {
    /// The magnitude of a code of a finite number, as a multiple of the unit.
    fn exact(&self, code: u8) -> i128 {
        let (exponent, fraction) =
            (i32::from(code) >> self.fraction_bits, i128::from(code) % (1 << self.fraction_bits));
        let (significand, exponent) = match exponent {
            0 => (fraction, 1),
            _ => (fraction + (1 << self.fraction_bits), exponent),
        };
        significand << (exponent - self.bias - self.fraction_bits - UNIT)
    }

    /// The code that a conversion gives, by trying all of them.
    fn code(&self, value: f64) -> u8 {
        if value.is_nan() {
            return 0x7f;
        }
        let magnitude = value.abs();
        let code = if magnitude >= 2f64.powi(17) {
            self.largest_code
        } else if magnitude < 2f64.powi(-24) {
            0
        } else {
            // Below 2^17 the number has 93 bits at most, and each is part of the integer.
            let exact = (magnitude * 2f64.powi(-UNIT)) as i128;
            let distance = |code: u8| (exact - self.exact(code)).abs();
            // Of two codes that are equally near, the even one is that with an even fraction.
            (0..=self.largest_code).min_by_key(|&code| (distance(code), code % 2)).unwrap()
        };
        if value.is_sign_negative() { code | 0x80 } else { code }
    }

    fn check(&self, value: f64) {
        let expected = self.code(value);
        let found = match self.element {
            ElementType::E4m3 => E4m3::from_f64(value).to_bits(),
            _ => E5m2::from_f64(value).to_bits(),
        };
        assert_eq!(found, expected, "{} of {value:?} ({:#x})", self.element, value.to_bits());
    }
}

#[test]
fn every_code_has_the_value_of_the_specification() {
    for format in SPECIFICATIONS {
        for code in 0..=u8::MAX {
            let value = Scalar::from_bits(format.element, u64::from(code)).to_f64();
            let magnitude = code & 0x7f;
            assert_eq!(value.is_sign_negative(), code >= 0x80, "{} {code:#x}", format.element);
            if magnitude <= format.largest_code {
                let exact = format.exact(magnitude) as f64 * 2f64.powi(UNIT);
                assert_eq!(value.abs(), exact, "{} {code:#x}", format.element);
                format.check(value);
            } else if magnitude <= format.largest_code + format.infinities {
                assert!(value.is_infinite(), "{} {code:#x} is {value}", format.element);
            } else {
                assert!(value.is_nan(), "{} {code:#x} is {value}", format.element);
            }
        }
    }
    let numbers = [0x01, 0x07, 0x08, 0x38, 0x7e].map(|code| f64::from(E4m3::from_bits(code)));
    assert_eq!(numbers, [0.001953125, 0.013671875, 0.015625, 1.0, 448.0]);
    let numbers = [0x01, 0x03, 0x04, 0x3c, 0x7b].map(|code| f64::from(E5m2::from_bits(code)));
    assert_eq!(numbers, [0.0000152587890625, 0.0000457763671875, 0.00006103515625, 1.0, 57344.0]);
}

#[test]
fn a_conversion_gives_the_nearest_code() {
    for format in SPECIFICATIONS {
        for bits in 0..=u16::MAX {
            format.check(f16::from_bits(bits).to_f64());
            format.check(bf16::from_bits(bits).to_f64());
        }
        // Around each number, and around each tie: neighbours of `f32` and of `f64`, which would round to the tie on the way.
        for code in 0..format.largest_code {
            let [one, next] = [code, code + 1].map(|code| format.exact(code) as f64 * 2f64.powi(UNIT));
            for value in [one, f64::midpoint(one, next)] {
                let (single, double) = ((value as f32).to_bits(), value.to_bits());
                for step in 0..3 {
                    let singles =
                        [single.saturating_sub(step), single + step].map(|bits| f64::from(f32::from_bits(bits)));
                    let step = u64::from(step);
                    let doubles = [double.saturating_sub(step), double + step].map(f64::from_bits);
                    for value in singles.into_iter().chain(doubles) {
                        format.check(value);
                        format.check(-value);
                    }
                }
            }
        }
        for power in -160..200 {
            for factor in [1.0, 1.0 + f64::EPSILON, 1.5, 1.999] {
                format.check(factor * 2f64.powi(power));
            }
        }
        let special =
            [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN, f64::MIN_POSITIVE, 5e-324, f64::MAX];
        special.into_iter().for_each(|value| format.check(value));
        let mut draw = seeds::Draw::new(8);
        for _ in 0..100_000 {
            format.check(f64::from(f32::from_bits(draw.bits() as u32)));
            format.check(f64::from_bits(draw.bits()));
        }
    }
}

/// The interpreter's casts are these conversions: from floats that hold fewer numbers too, and from integers of which no float
/// holds all.
#[test]
fn the_interpreter_casts_by_these_conversions() {
    for format in SPECIFICATIONS {
        let cast = |from, bits| operation::cast(from, format.element)(bits) as u8;
        for bits in 0..=u16::MAX {
            let (half, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
            assert_eq!(cast(ElementType::F16, bits.into()), format.code(half.to_f64()), "f16 {bits:#x}");
            assert_eq!(cast(ElementType::Bf16, bits.into()), format.code(brain.to_f64()), "bf16 {bits:#x}");
            assert_eq!(cast(ElementType::I16, bits.into()), format.code((bits as i16).into()), "i16 {bits:#x}");
        }
        for value in [0i64, 1, 17, 18, 19, 465, -464, 61440, 61441, i64::MIN, i64::MAX, (1 << 53) + 1] {
            assert_eq!(cast(ElementType::I64, value as u64), format.code(value as f64), "{value}");
        }
        // Each is the largest number.
        assert_eq!(cast(ElementType::U64, u64::MAX), format.largest_code);
        assert_eq!(cast(ElementType::Bool, 1), format.code(1.0));
        for other in SPECIFICATIONS {
            for code in 0..=u8::MAX {
                let value = Scalar::from_bits(other.element, code.into()).to_f64();
                // A cast to the same type is none.
                if other.element != format.element {
                    assert_eq!(cast(other.element, code.into()), format.code(value), "{} {code:#x}", other.element);
                }
            }
        }
    }
}
