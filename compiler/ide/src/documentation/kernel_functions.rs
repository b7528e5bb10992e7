//! Functions in kernels.

use super::Subject::KernelFunction;
use super::{Entry, call};

/// A function of one float.
macro_rules! of_float {
    ($word:literal, $text:literal) => {
        call(
            KernelFunction,
            $word,
            concat!($word, "(x)"),
            &[("x", "a float")],
            concat!($text, " `f16` and `bf16` are computed in `f32` and rounded once."),
            concat!("kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = ", $word, "(x[i]); }\n}"),
        )
    };
}

/// A conversion to an element type.
macro_rules! conversion {
    ($word:literal, $how:literal) => {
        call(
            KernelFunction,
            $word,
            concat!($word, "(value)"),
            &[("value", "a number or a truth value")],
            concat!("To `", $word, "`", $how),
            concat!(
                "kernel convert(x: i32[8], y: mut ",
                $word,
                "[8]) {\n    for i in grid(8) { y[i] = ",
                $word,
                "(x[i]); }\n}"
            ),
        )
    };
}

macro_rules! to_integer {
    ($word:literal) => {
        conversion!($word, ". A float is truncated toward zero and saturates, NaN becomes 0; a wider integer wraps.")
    };
}

macro_rules! to_float {
    ($word:literal) => {
        conversion!($word, ", rounded to nearest even.")
    };
}

pub(super) const ENTRIES: &[Entry] = &[
    of_float!("sqrt", "The square root."),
    of_float!("rsqrt", "One divided by the square root."),
    of_float!("exp", "e to the power of `x`."),
    of_float!("exp2", "2 to the power of `x`."),
    of_float!("log", "The natural logarithm."),
    of_float!("log2", "The logarithm to base 2."),
    of_float!("sin", "The sine of `x` in radians."),
    of_float!("cos", "The cosine of `x` in radians."),
    of_float!("tanh", "The hyperbolic tangent."),
    of_float!("floor", "The nearest integer that is not larger."),
    of_float!("ceil", "The nearest integer that is not smaller."),
    of_float!("round", "The nearest integer; of two that are equally near the even one."),
    call(
        KernelFunction,
        "abs",
        "abs(a)",
        &[("a", "a number")],
        "The distance from 0.",
        "kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = abs(x[i]); }\n}",
    ),
    call(
        KernelFunction,
        "min",
        "min(a, b)",
        &[("a", "a number"), ("b", "another one of the same type")],
        "The smaller one; the other operand where one is NaN. Of two sizes it is a size.",
        "kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = min(x[i], 1.0); }\n}",
    ),
    call(
        KernelFunction,
        "max",
        "max(a, b)",
        &[("a", "a number"), ("b", "another one of the same type")],
        "The larger one; the other operand where one is NaN. Of two sizes it is a size.",
        "kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = max(x[i], 0.0); }\n}",
    ),
    call(
        KernelFunction,
        "pow",
        "pow(a, b)",
        &[("a", "the base, a float"), ("b", "the exponent, a float of the same type")],
        "`a` to the power of `b`.",
        "kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = pow(x[i], 2.0); }\n}",
    ),
    call(
        KernelFunction,
        "fma",
        "fma(a, b, c)",
        &[("a", "a float"), ("b", "a float of the same type"), ("c", "what is added")],
        "`a * b + c` rounded once. Products and sums are not fused unless this says so.",
        "kernel apply(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = fma(x[i], 2.0, 1.0); }\n}",
    ),
    call(
        KernelFunction,
        "cdiv",
        "cdiv(a, b)",
        &[("a", "a size"), ("b", "a size")],
        "`a / b` rounded up, of sizes only.",
        "dim N;\nkernel pairs(y: mut i64[N]) {\n    for i in grid(N) { y[i] = cdiv(N, 2); }\n}",
    ),
    call(
        KernelFunction,
        "bit_and",
        "bit_and(a, b)",
        &[("a", "an integer"), ("b", "another one of the same type")],
        "The bits that both have. It bounds an index.",
        "kernel apply(x: i32[8], y: mut i32[8]) {\n    for i in grid(8) { y[i] = bit_and(x[i], 7); }\n}",
    ),
    call(
        KernelFunction,
        "bit_or",
        "bit_or(a, b)",
        &[("a", "an integer"), ("b", "another one of the same type")],
        "The bits that one of them has.",
        "kernel apply(x: i32[8], y: mut i32[8]) {\n    for i in grid(8) { y[i] = bit_or(x[i], 7); }\n}",
    ),
    call(
        KernelFunction,
        "bit_xor",
        "bit_xor(a, b)",
        &[("a", "an integer"), ("b", "another one of the same type")],
        "The bits that exactly one of them has.",
        "kernel apply(x: i32[8], y: mut i32[8]) {\n    for i in grid(8) { y[i] = bit_xor(x[i], 7); }\n}",
    ),
    call(
        KernelFunction,
        "shift_left",
        "shift_left(a, b)",
        &[("a", "an integer"), ("b", "how many places, of the same type")],
        "The bits moved towards the higher places.",
        "kernel apply(x: i32[8], y: mut i32[8]) {\n    for i in grid(8) { y[i] = shift_left(x[i], 2); }\n}",
    ),
    call(
        KernelFunction,
        "shift_right",
        "shift_right(a, b)",
        &[("a", "an integer"), ("b", "how many places, of the same type")],
        "The bits moved towards the lower places; a signed integer keeps its sign.",
        "kernel apply(x: i32[8], y: mut i32[8]) {\n    for i in grid(8) { y[i] = shift_right(x[i], 2); }\n}",
    ),
    conversion!("bool", ": `!= 0`."),
    to_integer!("i8"),
    to_integer!("i16"),
    to_integer!("i32"),
    to_integer!("i64"),
    to_integer!("u8"),
    to_integer!("u16"),
    to_integer!("u32"),
    to_integer!("u64"),
    to_float!("f16"),
    to_float!("bf16"),
    to_float!("f32"),
    to_float!("f64"),
];
