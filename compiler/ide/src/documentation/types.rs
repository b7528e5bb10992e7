//! Element types.

use super::Subject::Type;
use super::{Entry, entry};

/// An element type, with a kernel that copies its elements.
macro_rules! element {
    ($word:literal, $text:literal) => {
        entry(
            Type,
            $word,
            $word,
            $text,
            concat!(
                "kernel copy(x: ",
                $word,
                "[8], y: mut ",
                $word,
                "[8]) {\n    for i in grid(8) { y[i] = x[i]; }\n}"
            ),
        )
    };
}

pub(super) const ENTRIES: &[Entry] = &[
    element!("bool", "A truth value, one byte that is 0 or 1."),
    element!("i8", "A signed integer of 8 bits, -128 to 127."),
    element!("i16", "A signed integer of 16 bits, -32768 to 32767."),
    element!("i32", "A signed integer of 32 bits."),
    element!("i64", "A signed integer of 64 bits: the type of indices and sizes."),
    element!("u8", "An unsigned integer of 8 bits, 0 to 255."),
    element!("u16", "An unsigned integer of 16 bits, 0 to 65535."),
    element!("u32", "An unsigned integer of 32 bits."),
    element!("u64", "An unsigned integer of 64 bits."),
    element!(
        "f16",
        "IEEE half precision: 11 significant bits, at most 65504. Computed in `f32` and rounded after each operation."
    ),
    element!(
        "bf16",
        "The upper half of an `f32`: 8 significant bits. Computed in `f32` and rounded after each operation."
    ),
    element!("f32", "IEEE single precision, 24 significant bits: the type of a float that stands alone."),
    element!("f64", "IEEE double precision, 53 significant bits."),
];
