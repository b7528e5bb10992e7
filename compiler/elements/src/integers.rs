//! The integers.

use crate::{Definition, Kind, Npy};

macro_rules! integer {
    ($name:literal, $elsewhere:expr, $text:literal, $signed:literal, $bytes:literal, $cuda:literal, $npy:literal) => {
        Definition {
            name: $name,
            elsewhere: &$elsewhere,
            text: $text,
            kind: Kind::Integer { signed: $signed },
            computes: true,
            bytes: $bytes,
            cuda: $cuda,
            cuda_declaration: None,
            npy: Npy::numbers($npy, concat!("'", $npy, "'")),
            tolerance: 0.0,
        }
    };
}

pub(crate) const I8: Definition = integer!(
    "i8",
    ["char", "signed char", "int8", "int8_t"],
    "A signed integer of 8 bits, -128 to 127.",
    true,
    1,
    "signed char",
    "|i1"
);
pub(crate) const I16: Definition = integer!(
    "i16",
    ["short", "int16", "int16_t"],
    "A signed integer of 16 bits, -32768 to 32767.",
    true,
    2,
    "short",
    "<i2"
);
pub(crate) const I32: Definition =
    integer!("i32", ["int", "signed", "int32", "int32_t"], "A signed integer of 32 bits.", true, 4, "int", "<i4");
pub(crate) const I64: Definition = integer!(
    "i64",
    ["long", "long long", "int64", "int64_t", "ptrdiff_t", "ssize_t", "isize"],
    "A signed integer of 64 bits: the type of indices and sizes.",
    true,
    8,
    "long long",
    "<i8"
);
pub(crate) const U8: Definition = integer!(
    "u8",
    ["unsigned char", "byte", "uchar", "uint8", "uint8_t"],
    "An unsigned integer of 8 bits, 0 to 255.",
    false,
    1,
    "unsigned char",
    "|u1"
);
pub(crate) const U16: Definition = integer!(
    "u16",
    ["unsigned short", "ushort", "uint16", "uint16_t"],
    "An unsigned integer of 16 bits, 0 to 65535.",
    false,
    2,
    "unsigned short",
    "<u2"
);
pub(crate) const U32: Definition = integer!(
    "u32",
    ["unsigned", "unsigned int", "uint", "uint32", "uint32_t"],
    "An unsigned integer of 32 bits.",
    false,
    4,
    "unsigned int",
    "<u4"
);
pub(crate) const U64: Definition = integer!(
    "u64",
    ["unsigned long", "unsigned long long", "ulong", "uint64", "uint64_t", "size_t", "usize"],
    "An unsigned integer of 64 bits.",
    false,
    8,
    "unsigned long long",
    "<u8"
);
