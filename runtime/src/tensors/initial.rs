//! Initial values of tensors.

use elements::Kind;

use super::element::{memory, with_element};
use super::tensor::Walk;
use super::{Element, ElementType, Scalar, Tensor, TensorError, Wide};
use rayon::prelude::*;

/// The initial values of a tensor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Initial {
    /// Every element 0, `false` for `bool`.
    Zeros,
    /// Every element 1, `true` for `bool`.
    Ones,
    /// The element at position n in row-major order of the shape is n. Integers begin anew beyond their greatest value, as a
    /// conversion of n does; floats take the nearest value and must stay finite, and a `bool` is `n == 1`.
    Arange,
    /// Values that depend on the seed, the element type and the position in row-major order only, the same on every
    /// machine: see [`random_bits`] and [`random_value`].
    Random(u64),
    /// Every element this value, which must have the tensor's element type.
    Constant(Scalar),
}

/// A tensor filled in parallel goes by pieces of this many elements.
const PIECE: usize = 1 << 16;

impl Tensor {
    /// A row-major tensor with these initial values.
    pub fn initial(element: ElementType, shape: &[u64], initial: Initial) -> Result<Tensor, TensorError> {
        let mut tensor = Tensor::zeros(element, shape)?;
        if initial != Initial::Zeros {
            tensor.fill(initial)?;
        }
        Ok(tensor)
    }

    /// Sets all elements; the gaps in a strided tensor's storage stay as they are.
    pub fn fill(&mut self, initial: Initial) -> Result<(), TensorError> {
        let element = self.element();
        let value = match initial {
            Initial::Zeros => Scalar::zero(element),
            Initial::Ones => Scalar::from_i128(element, 1)?,
            Initial::Constant(value) if value.element() == element => value,
            Initial::Constant(value) => {
                return Err(TensorError::WrongScalar { value, expected: element });
            }
            Initial::Arange => {
                let count = self.len() as u64;
                if count > 0 && !element.is_integer() && Scalar::from_i128(element, i128::from(count - 1)).is_err() {
                    return Err(TensorError::ArangeDoesNotFit { count, element });
                }
                with_element!(element, T => self.fill_by::<T>(at_position));
                return Ok(());
            }
            Initial::Random(seed) => {
                with_element!(element, T => self.fill_by::<T>(|position| random(random_bits(seed, position))));
                return Ok(());
            }
        };
        with_element!(element, T => {
            let value = T::decode(value.to_bits());
            self.fill_by::<T>(|_| value);
        });
        Ok(())
    }

    /// Sets each element to `value` of its position in row-major order.
    fn fill_by<T: Element>(&mut self, value: impl Fn(u64) -> T + Sync) {
        let size = size_of::<T>();
        if self.is_row_major() {
            self.bytes_mut().par_chunks_mut(PIECE * size).enumerate().for_each(|(piece, bytes)| {
                let first = piece * PIECE;
                for (k, target) in bytes.chunks_exact_mut(size).enumerate() {
                    target.copy_from_slice(&memory(value((first + k) as u64).encode(), size)[..size]);
                }
            });
            return;
        }
        let (shape, strides, len, bytes) = self.parts_mut();
        let mut walk = Walk::new(shape, strides, 0);
        for position in 0..len {
            let start = walk.offset as usize * size;
            bytes[start..start + size].copy_from_slice(&memory(value(position as u64).encode(), size)[..size]);
            walk.step(shape, strides);
        }
    }
}

/// The 64 random bits of an element: SplitMix64 used as a function of the position instead of as a stream.
///
/// With `mix(z)` the finaliser of SplitMix64 (xor-shift 30, times 0xBF58476D1CE4E5B9, xor-shift 27, times
/// 0x94D049BB133111EB, xor-shift 31) and `g` = 0x9E3779B97F4A7C15, it is `mix(mix(seed + g) + (position + 1) · g)`,
/// all modulo 2^64. Seeds are mixed first so that neighbouring seeds do not give shifted copies of one sequence.
pub fn random_bits(seed: u64, position: u64) -> u64 {
    const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;
    let start = mix(seed.wrapping_add(GAMMA));
    mix(start.wrapping_add(position.wrapping_add(1).wrapping_mul(GAMMA)))
}

fn mix(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The value that `random(seed)` puts at a position.
///
/// Floats are uniform in [-1, 1) over multiples of 2^-10 (f16), 2^-7 (bf16), 2^-23 (f32), 2^-52 (f64), each exact in
/// its type. Those of 8 bits are what `random` gives for f32, cast: evenly spaced numbers of so few digits would be few. Signed integers are uniform in [-100, 100], unsigned ones in [0, 100], and `bool` is either with one half.
pub fn random_value(element: ElementType, seed: u64, position: u64) -> Scalar {
    with_element!(element, T => random::<T>(random_bits(seed, position)).to_scalar())
}

/// The random value of a type from 64 random bits.
fn random<T: Element>(bits: u64) -> T {
    T::narrow(match T::TYPE.definition().kind {
        Kind::Bool => Wide::Integer(i128::from(bits >> 63)),
        Kind::Float(format) if T::TYPE.computes() => Wide::Float(unit(bits, format.significant_bits)),
        Kind::Float(_) => Wide::Float(unit(bits, f32::MANTISSA_DIGITS)),
        Kind::Integer { signed: true } => Wide::Integer(i128::from(below(bits, 201)) - 100),
        Kind::Integer { signed: false } => Wide::Integer(i128::from(below(bits, 101))),
    })
}

/// A number in 0 .. `count` from the upper bits of 64 random bits: the bias is below count / 2^64.
fn below(bits: u64, count: u64) -> u64 {
    ((u128::from(bits) * u128::from(count)) >> 64) as u64
}

/// The upper `digits` bits, scaled to [0, 2) and shifted to [-1, 1): exact in f64 and in a type of that many digits.
fn unit(bits: u64, digits: u32) -> f64 {
    (bits >> (64 - digits)) as f64 / (1u64 << (digits - 1)) as f64 - 1.0
}

/// The value of `arange` at a position; the caller has checked that it fits, or an integer keeps its lower bits.
fn at_position<T: Element>(position: u64) -> T {
    // A position below 2^53, which that of every tensor is, is exact in f64. This is the faster way.
    T::narrow(if T::TYPE.is_float() { Wide::Float(position as f64) } else { Wide::Integer(i128::from(position)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_fixed() {
        // These values are part of the language: the `expect` of a file may depend on them.
        assert_eq!(random_bits(0, 0), mix(mix(0x9E37_79B9_7F4A_7C15).wrapping_add(0x9E37_79B9_7F4A_7C15)));
        // The reference SplitMix64 of seed 0 starts with this value, which is mix(g).
        assert_eq!(mix(0x9E37_79B9_7F4A_7C15), 0xE220_A839_7B1D_CDAF);
        let first: Vec<String> = (0..4).map(|k| random_value(ElementType::F32, 1, k).to_string()).collect();
        assert_eq!(first, FIRST_F32);
        let first: Vec<String> = (0..6).map(|k| random_value(ElementType::I32, 1, k).to_string()).collect();
        assert_eq!(first, FIRST_I32);
    }
    const FIRST_F32: [&str; 4] = ["-0.26362097", "0.88712835", "-0.90948606", "0.5548738"];
    const FIRST_I32: [&str; 6] = ["-26", "89", "-91", "56", "-56", "55"];

    #[test]
    fn random_stays_in_its_range() {
        for element in ElementType::ALL {
            let values: Vec<f64> = (0..20_000).map(|k| random_value(element, 7, k).to_f64()).collect();
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            match element {
                ElementType::Bool => assert!(low == 0.0 && high == 1.0 && (mean - 0.5).abs() < 0.02, "{mean}"),
                _ if element.is_float() => {
                    let most = if element.computes() { 0.98..1.0 } else { 1.0..1.0 + f64::EPSILON };
                    assert!((-1.0..-0.98).contains(&low) && most.contains(&high), "{element} {low} {high}");
                    assert!(mean.abs() < 0.03, "{element} {mean}");
                }
                _ if element.is_signed() => {
                    assert!(low == -100.0 && high == 100.0 && mean.abs() < 2.0)
                }
                _ => assert!(low == 0.0 && high == 100.0 && (mean - 50.0).abs() < 2.0),
            }
        }
    }

    #[test]
    fn parallel_and_strided_fills_agree() {
        let shape = [3, 50_000];
        let plain = Tensor::initial(ElementType::F32, &shape, Initial::Random(3)).unwrap();
        let mut strided = Tensor::strided(ElementType::F32, &shape, &[1, 4]).unwrap();
        strided.fill(Initial::Random(3)).unwrap();
        for index in [[0, 0], [2, 49_999], [1, 31_234]] {
            assert_eq!(plain.get(&index).unwrap(), strided.get(&index).unwrap());
        }
        // The gap between the columns is unchanged.
        assert_eq!(strided.get_at(3).unwrap(), Scalar::F32(0.0));
    }

    #[test]
    fn arange_counts_in_row_major_order() {
        let mut tensor = Tensor::strided(ElementType::I16, &[2, 3], &[1, 2]).unwrap();
        tensor.fill(Initial::Arange).unwrap();
        assert_eq!(tensor.as_slice::<i16>().unwrap(), [0, 3, 1, 4, 2, 5]);
        let halves = Tensor::initial(ElementType::F16, &[2051], Initial::Arange).unwrap();
        assert_eq!(halves.get(&[2049]).unwrap().to_f64(), 2048.0);
        assert_eq!(halves.get(&[2050]).unwrap().to_f64(), 2050.0);
    }

    #[test]
    fn arange_of_integers_begins_anew_beyond_the_greatest() {
        let bytes = Tensor::initial(ElementType::U8, &[1000], Initial::Arange).unwrap();
        assert_eq!(bytes.as_slice::<u8>().unwrap()[254..258], [254, 255, 0, 1]);
        let signed = Tensor::initial(ElementType::I8, &[300], Initial::Arange).unwrap();
        assert_eq!(signed.as_slice::<i8>().unwrap()[126..130], [126, 127, -128, -127]);
    }

    #[test]
    fn arange_that_does_not_fit_is_refused() {
        let text = |element, count| Tensor::initial(element, &[count], Initial::Arange).unwrap_err().to_string();
        assert_eq!(
            text(ElementType::F16, 65521),
            "arange over 65521 elements ends at 65520, which does not fit f16: use a wider element type or another \
             initial value"
        );
        assert!(Tensor::initial(ElementType::Bool, &[2], Initial::Arange).is_ok());
        assert!(Tensor::initial(ElementType::Bool, &[3], Initial::Arange).is_err());
        assert!(Tensor::initial(ElementType::F16, &[65520], Initial::Arange).is_ok());
    }

    #[test]
    fn constants_fill_and_must_match() {
        let tensor = Tensor::initial(ElementType::U16, &[70_000], Initial::Constant(Scalar::U16(515))).unwrap();
        assert!(tensor.as_slice::<u16>().unwrap().iter().all(|&value| value == 515));
        let ones = Tensor::initial(ElementType::Bool, &[3], Initial::Ones).unwrap();
        assert_eq!(ones.as_slice::<bool>().unwrap(), [true; 3]);
        let error = Tensor::initial(ElementType::F32, &[3], Initial::Constant(Scalar::I32(4))).unwrap_err();
        assert_eq!(error.to_string(), "the value 4 is of type i32, expected f32");
    }
}
