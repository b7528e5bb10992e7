//! `f64`.

use crate::{Definition, FloatFormat, Kind};

pub(crate) const F64: Definition = Definition {
    name: "f64",
    elsewhere: &["double", "float64", "float64_t", "fp64"],
    text: "IEEE double precision, 53 significant bits.",
    kind: Kind::Float(FloatFormat { significant_bits: 53, least_exponent: -1022, greatest_exponent: 1023 }),
    bytes: 8,
    cuda: "double",
    cuda_declaration: None,
    npy: "<f8",
    python: "'<f8'",
    tolerance: 1e-12,
};
