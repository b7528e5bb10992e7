//! `f32`.

use crate::{Definition, FloatFormat, Kind, Npy};

pub(crate) const F32: Definition = Definition {
    name: "f32",
    elsewhere: &["float", "float32", "float32_t", "fp32"],
    text: "IEEE single precision, 24 significant bits: the type of a float that stands alone.",
    kind: Kind::Float(FloatFormat::ieee(24, -126, 127)),
    computes: true,
    bytes: 4,
    cuda: "float",
    cuda_declaration: None,
    npy: Npy::numbers("<f4", "'<f4'"),
    tolerance: 1e-5,
};
