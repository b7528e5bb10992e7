//! The C++ types of element types.

use elements::ElementType;

/// The C++ type that memory, parameters and variables have.
pub(super) fn name(element: ElementType) -> &'static str {
    match element {
        ElementType::Bool => "bool",
        ElementType::I8 => "signed char",
        ElementType::I16 => "short",
        ElementType::I32 => "int",
        ElementType::I64 => "long long",
        ElementType::U8 => "unsigned char",
        ElementType::U16 => "unsigned short",
        ElementType::U32 => "unsigned int",
        ElementType::U64 => "unsigned long long",
        ElementType::F16 => "f16",
        ElementType::Bf16 => "bf16",
        ElementType::F32 => "float",
        ElementType::F64 => "double",
    }
}

/// The bits of an integer type.
pub(super) fn bits(element: ElementType) -> u32 {
    match element {
        ElementType::Bool => 1,
        ElementType::I8 | ElementType::U8 => 8,
        ElementType::I16 | ElementType::U16 | ElementType::F16 | ElementType::Bf16 => 16,
        ElementType::I32 | ElementType::U32 | ElementType::F32 => 32,
        ElementType::I64 | ElementType::U64 | ElementType::F64 => 64,
    }
}

/// The least and the greatest value of an integer type or of `bool`.
pub(super) fn limits(element: ElementType) -> (i128, i128) {
    let bits = bits(element);
    if element.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

/// Whether it is stored in 16 bits and computed in `float`.
pub(super) fn is_half(element: ElementType) -> bool {
    matches!(element, ElementType::F16 | ElementType::Bf16)
}

/// The type in which C++ computes with an integer type: everything narrow becomes `int`.
pub(super) fn promoted(element: ElementType) -> ElementType {
    match element {
        ElementType::I64 | ElementType::U64 | ElementType::U32 => element,
        _ => ElementType::I32,
    }
}
