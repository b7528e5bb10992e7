//! The integers.

use crate::{Definition, Kind};

macro_rules! integer {
    ($name:literal, $text:literal, $signed:literal, $bytes:literal, $cuda:literal, $npy:literal) => {
        Definition {
            name: $name,
            text: $text,
            kind: Kind::Integer { signed: $signed },
            bytes: $bytes,
            cuda: $cuda,
            cuda_declaration: None,
            npy: $npy,
            python: concat!("'", $npy, "'"),
            tolerance: 0.0,
        }
    };
}

pub(crate) const I8: Definition =
    integer!("i8", "A signed integer of 8 bits, -128 to 127.", true, 1, "signed char", "|i1");
pub(crate) const I16: Definition =
    integer!("i16", "A signed integer of 16 bits, -32768 to 32767.", true, 2, "short", "<i2");
pub(crate) const I32: Definition = integer!("i32", "A signed integer of 32 bits.", true, 4, "int", "<i4");
pub(crate) const I64: Definition =
    integer!("i64", "A signed integer of 64 bits: the type of indices and sizes.", true, 8, "long long", "<i8");
pub(crate) const U8: Definition =
    integer!("u8", "An unsigned integer of 8 bits, 0 to 255.", false, 1, "unsigned char", "|u1");
pub(crate) const U16: Definition =
    integer!("u16", "An unsigned integer of 16 bits, 0 to 65535.", false, 2, "unsigned short", "<u2");
pub(crate) const U32: Definition = integer!("u32", "An unsigned integer of 32 bits.", false, 4, "unsigned int", "<u4");
pub(crate) const U64: Definition =
    integer!("u64", "An unsigned integer of 64 bits.", false, 8, "unsigned long long", "<u8");
