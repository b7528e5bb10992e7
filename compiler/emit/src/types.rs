//! The C++ types of element types.

use elements::ElementType;

/// The C++ type that memory, parameters and variables have.
pub(super) fn name(element: ElementType) -> &'static str {
    element.definition().cuda
}

/// The least and the greatest value of an integer type or of `bool`.
pub(super) fn limits(element: ElementType) -> (i128, i128) {
    let bits = element.bits();
    if element.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

/// The type in which C++ computes with an integer type: everything narrow becomes `int`.
pub(super) fn promoted(element: ElementType) -> ElementType {
    match element {
        ElementType::I64 | ElementType::U64 | ElementType::U32 => element,
        _ => ElementType::I32,
    }
}
