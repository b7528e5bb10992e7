//! Element types.

use super::Subject::Type;
use super::{Entry, entry};

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        Type,
        "bool",
        "bool",
        "A truth value, one byte that is 0 or 1.",
        "kernel copy(x: bool[8], y: mut bool[8]) {\n    for i in grid(8) { y[i] = x[i]; }\n}",
    ),
    entry(
        Type,
        "i8",
        "i8",
        "A signed integer of 8 bits, -128 to 127.",
        "kernel copy(x: i8[8], y: mut i8[8]) {\n    for i in grid(8) { y[i] = x[i]; }\n}",
    ),
    entry(
        Type,
        "i16",
        "i16",
        "A signed integer of 16 bits, -32768 to 32767.",
        "kernel copy(x: i16[8], y: mut i16[8]) {\n    for i in grid(8) { y[i] = x[i]; }\n}",
    ),
    entry(
        Type,
        "i32",
        "i32",
        "A signed integer of 32 bits.",
        "kernel copy(x: i32[8], y: mut i32[8]) {\n    for i in grid(8) { y[i] = x[i]; }\n}",
    ),
    entry(
        Type,
        "i64",
        "i64",
        "A signed integer of 64 bits: the type of indices and sizes.",
        "kernel copy(x: i64[8], y: mut i64[8]) {\n    for i in grid(8) { y[i] = x[i]; }\n}",
    ),
    entry(
        Type,
        "u8",
        "u8",
        "An unsigned integer of 8 bits, 0 to 255.",
        "kernel copy(x: u8[8], y: mut u8[8]) {\n    for i in grid(8) { y[i] = x[i]; }\n}",
    ),
    entry(
        Type,
        "u16",
        "u16",
        "An unsigned integer of 16 bits, 0 to 65535.",
        "kernel copy(x: u16[8], y: mut u16[8]) {\n    for i in grid(8) { y[i] = x[i]; }\n}",
    ),
    entry(
        Type,
        "u32",
        "u32",
        "An unsigned integer of 32 bits.",
        "kernel copy(x: u32[8], y: mut u32[8]) {\n    for i in grid(8) { y[i] = x[i]; }\n}",
    ),
    entry(
        Type,
        "u64",
        "u64",
        "An unsigned integer of 64 bits.",
        "kernel copy(x: u64[8], y: mut u64[8]) {\n    for i in grid(8) { y[i] = x[i]; }\n}",
    ),
    entry(
        Type,
        "f16",
        "f16",
        "IEEE half precision: 11 significant bits, at most 65504. Computed in `f32` and rounded after each operation.",
        "kernel copy(x: f16[8], y: mut f16[8]) {\n    for i in grid(8) { y[i] = x[i]; }\n}",
    ),
    entry(
        Type,
        "bf16",
        "bf16",
        "The upper half of an `f32`: 8 significant bits. Computed in `f32` and rounded after each operation.",
        "kernel copy(x: bf16[8], y: mut bf16[8]) {\n    for i in grid(8) { y[i] = x[i]; }\n}",
    ),
    entry(
        Type,
        "f32",
        "f32",
        "IEEE single precision, 24 significant bits: the type of a float that stands alone.",
        "kernel copy(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = x[i]; }\n}",
    ),
    entry(
        Type,
        "f64",
        "f64",
        "IEEE double precision, 53 significant bits.",
        "kernel copy(x: f64[8], y: mut f64[8]) {\n    for i in grid(8) { y[i] = x[i]; }\n}",
    ),
];
