//! Values at and around the edges of element types.

use shapewright_compiler::kernels::element::ElementType;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{self, Scalar, Tensor};

/// The memory representations, zero-extended, of values that operators may stumble over.
pub fn edges(element: ElementType) -> Vec<u64> {
    match element {
        ElementType::Bool => vec![0, 1],
        ElementType::F16 => floats(10, 5, &[0x3c00, 0x4248, 0xd640, 0x3555]),
        ElementType::Bf16 => floats(7, 8, &[0x3f80, 0x4049, 0xc2c8, 0x3eab]),
        ElementType::F32 => floats(
            23,
            8,
            &[1.0f32, -2.5, 1.5, 255.5, -128.7, 65519.9, 3e9, -1e19, 0.3].map(|value| u64::from(value.to_bits())),
        ),
        ElementType::F64 => {
            floats(52, 11, &[1.0f64, -2.5, 1.5, 255.5, -128.7, 65519.9, 3e9, -1e19, 0.3].map(f64::to_bits))
        }
        _ => {
            let all = u64::MAX >> (64 - 8 * element.size_bytes());
            let high = all / 2 + 1;
            [0, 1, 2, 7, 31, 33, 100, high - 1, high, high + 1, all - 1, all, all / 3].map(|value| value & all).to_vec()
        }
    }
}

/// Zeros, subnormal numbers, the largest ones, infinities, NaN, of both signs, and some more.
fn floats(fraction: u32, exponent: u32, more: &[u64]) -> Vec<u64> {
    let sign = 1u64 << (fraction + exponent);
    let infinity = ((1u64 << exponent) - 1) << fraction;
    let nan = infinity | (1 << (fraction - 1));
    let magnitudes = [0, 1, (1 << fraction) - 1, 1 << fraction, infinity - 1, infinity, nan, infinity / 2 + 3];
    let both = magnitudes.into_iter().flat_map(|magnitude| [magnitude, magnitude | sign]);
    both.chain(more.iter().copied()).collect()
}

/// A tensor of one dimension with these elements.
pub fn tensor(element: ElementType, values: &[u64]) -> Argument {
    let kind = tensors::ElementType::from_name(element.name()).unwrap();
    let mut tensor = Tensor::zeros(kind, &[values.len() as u64]).unwrap();
    for (position, bits) in values.iter().enumerate() {
        tensor.set_at(position, Scalar::from_bytes(kind, bits.to_le_bytes())).unwrap();
    }
    Argument::Tensor(tensor)
}
