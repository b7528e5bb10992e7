//! `bf16`. To numpy itself it is two bytes without a meaning.

use crate::{Definition, FloatFormat, Kind};

pub(crate) const BF16: Definition = Definition {
    name: "bf16",
    text: "The upper half of an `f32`: 8 significant bits. Computed in `f32` and rounded after each operation.",
    kind: Kind::Float(FloatFormat { significant_bits: 8, least_exponent: -126, greatest_exponent: 127 }),
    bytes: 2,
    cuda: "bf16",
    npy: "<V2",
    python: "ml_dtypes.bfloat16",
    tolerance: 2e-2,
};
