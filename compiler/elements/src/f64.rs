//! `f64`.

use crate::{Definition, FloatFormat, Kind, Npy};

pub(crate) const F64: Definition = Definition {
    name: "f64",
    elsewhere: &["double", "float64", "float64_t", "fp64"],
    text: "IEEE double precision, 53 significant bits.",
    kind: Kind::Float(FloatFormat::ieee(53, -1022, 1023)),
    computes: true,
    bytes: 8,
    cuda: "double",
    cuda_declaration: None,
    npy: Npy::numbers("<f8", "'<f8'"),
    tolerance: 1e-12,
};
