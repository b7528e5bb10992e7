//! The C++ types of element types.

use elements::ElementType;

/// The C++ type of elements, parameters and variables.
pub(super) fn name(element: ElementType) -> &'static str {
    element.definition().cuda
}

/// The least and the greatest value of an integer type or `bool`.
pub(super) fn limits(element: ElementType) -> (i128, i128) {
    let bits = element.bits();
    if element.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

/// The type to which C++ promotes an integer type for arithmetic.
pub(super) fn promoted(element: ElementType) -> ElementType {
    match element {
        ElementType::I64 | ElementType::U64 | ElementType::U32 => element,
        _ => ElementType::I32,
    }
}
