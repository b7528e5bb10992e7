//! `f32`.

use crate::{Definition, FloatFormat, Kind};

pub(crate) const F32: Definition = Definition {
    name: "f32",
    elsewhere: &["float", "float32", "float32_t", "fp32"],
    text: "IEEE single precision, 24 significant bits: the type of a float that stands alone.",
    kind: Kind::Float(FloatFormat { significant_bits: 24, least_exponent: -126, greatest_exponent: 127 }),
    bytes: 4,
    cuda: "float",
    cuda_declaration: None,
    npy: "<f4",
    python: "'<f4'",
    tolerance: 1e-5,
};
