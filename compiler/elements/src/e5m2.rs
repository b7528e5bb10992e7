//! `e5m2`: the float of 8 bits with the greater range.

use crate::{CudaDeclaration, Definition, FloatFormat, Kind, Npy};

pub(crate) const E5M2: Definition = Definition {
    name: "e5m2",
    elsewhere: &["float8_e5m2", "__nv_fp8_e5m2", "f8e5m2", "fp8e5m2", "fp8_e5m2", "float8e5"],
    text: "An 8-bit float: 3 significant bits, at most 57344, the exponents of `f16`. It is stored, converted and multiplied \
           as matrices; beyond 57344 a conversion gives 57344.",
    kind: Kind::Float(FloatFormat::saturating(3, -14, 15, true)),
    computes: false,
    bytes: 1,
    cuda: "e5m2",
    cuda_declaration: Some(CudaDeclaration {
        comment: "A float of 8 bits, 1 for the sign, 5 for the exponent and 2 for the fraction.",
        text: CUDA,
    }),
    npy: Npy { written: "|u1", read: &["|V1", "<f1"], python: "ml_dtypes.float8_e5m2" },
    tolerance: 2.5e-1,
};

/// See `e4m3.rs`.
const CUDA: &str = r#"struct e5m2 {
    unsigned char bits;
    e5m2() = default;
    __device__ explicit e5m2(float value) {
#if __CUDA_ARCH__ >= 900
        unsigned short pair;
        asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(value));
        bits = (unsigned char)pair;
#else
        const unsigned int all = __float_as_uint(value), magnitude = all & 0x7fffffffu, sign = (all >> 24) & 0x80u;
        const unsigned int normal = (magnitude - 0x38000000u + 0xfffffu + ((magnitude >> 21) & 1u)) >> 21;
        const unsigned int small = __float_as_uint(__uint_as_float(magnitude) + 128.0f) - 0x43000000u;
        const unsigned int finite = magnitude > 0x47600000u ? 0x7bu : magnitude < 0x38800000u ? small : normal;
        bits = (unsigned char)(magnitude > 0x7f800000u ? 0x7fu : finite | sign);
#endif
    }
    __device__ explicit operator float() const {
        const unsigned int magnitude = (bits & 0x7fu) << 21, sign = (bits & 0x80u) << 24;
        // With the bits in their new place the number is too small by a power of two.
        const unsigned int finite = __float_as_uint(__uint_as_float(magnitude) * 5.19229685853482763e33f);
        return __uint_as_float((magnitude >= 0x0f800000u ? magnitude | 0x7f800000u : finite) | sign);
    }
};
"#;
