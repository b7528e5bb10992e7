//! `f16`.

use crate::{Definition, FloatFormat, Kind};

pub(crate) const F16: Definition = Definition {
    name: "f16",
    text: "IEEE half precision: 11 significant bits, at most 65504. Computed in `f32` and rounded after each operation.",
    kind: Kind::Float(FloatFormat { significant_bits: 11, least_exponent: -14, greatest_exponent: 15 }),
    bytes: 2,
    cuda: "f16",
    npy: "<f2",
    python: "'<f2'",
    tolerance: 2e-3,
};
