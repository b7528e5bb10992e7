//! `e4m3`: the float of 8 bits with one more digit, in the form without infinities.

use crate::{CudaDeclaration, Definition, FloatFormat, Kind, Npy};

pub(crate) const E4M3: Definition = Definition {
    name: "e4m3",
    elsewhere: &[
        "float8_e4m3fn",
        "__nv_fp8_e4m3",
        "e4m3fn",
        "f8e4m3",
        "f8e4m3fn",
        "fp8e4m3",
        "fp8_e4m3",
        "float8e4nv",
        "fp8",
        "float8",
    ],
    text: "An 8-bit float: 4 significant bits, at most 448, no infinities. It is stored, converted and multiplied as \
           matrices; beyond 448 a conversion gives 448.",
    kind: Kind::Float(FloatFormat::saturating(4, -6, 8, false)),
    computes: false,
    bytes: 1,
    cuda: "e4m3",
    cuda_declaration: Some(CudaDeclaration {
        comment: "A float of 8 bits, 1 for the sign, 4 for the exponent and 3 for the fraction. It has no infinities.",
        text: CUDA,
    }),
    npy: Npy { written: "|u1", read: &["|V1"], python: "ml_dtypes.float8_e4m3fn" },
    tolerance: 1.25e-1,
};

/// From compute capability 9.0 on there is an instruction for the conversion; 8.9 has it too, but early compilers do not know. Elsewhere, as in `e5m2.rs`: a normal number is
/// rounded in its bits, a smaller one by adding the number whose last place is that of the subnormal numbers.
const CUDA: &str = r#"struct e4m3 {
    unsigned char bits;
    e4m3() = default;
    __device__ explicit e4m3(float value) {
#if __CUDA_ARCH__ >= 900
        unsigned short pair;
        asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(value));
        bits = (unsigned char)pair;
#else
        const unsigned int all = __float_as_uint(value), magnitude = all & 0x7fffffffu, sign = (all >> 24) & 0x80u;
        const unsigned int normal = (magnitude - 0x3c000000u + 0x7ffffu + ((magnitude >> 20) & 1u)) >> 20;
        const unsigned int small = __float_as_uint(__uint_as_float(magnitude) + 16384.0f) - 0x46800000u;
        const unsigned int finite = magnitude > 0x43e00000u ? 0x7eu : magnitude < 0x3c800000u ? small : normal;
        bits = (unsigned char)(magnitude > 0x7f800000u ? 0x7fu : finite | sign);
#endif
    }
    __device__ explicit operator float() const {
        const unsigned int magnitude = (bits & 0x7fu) << 20, sign = (bits & 0x80u) << 24;
        // With the bits in their new place the number is too small by a power of two.
        const unsigned int finite = __float_as_uint(__uint_as_float(magnitude) * 1.32922799578491587e36f);
        return __uint_as_float((magnitude == 0x07f00000u ? 0x7ff00000u : finite) | sign);
    }
};
"#;
