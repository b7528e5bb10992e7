//! `f16`.

use crate::{CudaDeclaration, Definition, FloatFormat, Kind, Npy};

pub(crate) const F16: Definition = Definition {
    name: "f16",
    elsewhere: &["half", "__half", "float16", "float16_t", "fp16"],
    text: "IEEE half precision: 11 significant bits, at most 65504. Computed in `f32` and rounded after each operation.",
    kind: Kind::Float(FloatFormat::ieee(11, -14, 15)),
    computes: true,
    bytes: 2,
    cuda: "f16",
    cuda_declaration: Some(CudaDeclaration {
        comment: "IEEE binary16 as memory holds it: computed with in float, and rounded once.",
        text: CUDA,
    }),
    npy: Npy::numbers("<f2", "'<f2'"),
    tolerance: 2e-3,
};

/// A build for the host, as tests make it, brings its own.
const CUDA: &str = r#"#ifdef __CUDACC__
struct f16 {
    unsigned short bits;
    f16() = default;
    __device__ explicit f16(float value) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value)); }
    __device__ explicit operator float() const {
        float value;
        asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
        return value;
    }
};
#endif
"#;
