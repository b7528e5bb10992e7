//! `bf16`. numpy itself has no such type, and treats its elements as two raw bytes.

use crate::{CudaDeclaration, Definition, FloatFormat, Kind, Npy};

pub(crate) const BF16: Definition = Definition {
    name: "bf16",
    elsewhere: &["bfloat16", "__nv_bfloat16", "nv_bfloat16", "__bf16"],
    text: "The upper half of an `f32`: 8 significant bits. Computed in `f32` and rounded after each operation.",
    kind: Kind::Float(FloatFormat::ieee(8, -126, 127)),
    computes: true,
    bytes: 2,
    cuda: "bf16",
    cuda_declaration: Some(CudaDeclaration {
        comment: "The upper half of a float: computed with in float, and rounded once.",
        text: CUDA,
    }),
    npy: Npy { written: "<V2", read: &["<u2"], python: "ml_dtypes.bfloat16" },
    tolerance: 2e-2,
};

const CUDA: &str = r#"struct bf16 {
    unsigned short bits;
    bf16() = default;
    __device__ explicit bf16(float value) {
#if __CUDA_ARCH__ >= 800
        asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
#else
        const unsigned int all = __float_as_uint(value);
        bits = value == value ? (unsigned short)((all + 0x7fffu + ((all >> 16) & 1u)) >> 16) : (unsigned short)0x7fff;
#endif
    }
    __device__ explicit operator float() const { return __uint_as_float((unsigned int)bits << 16); }
};
"#;
