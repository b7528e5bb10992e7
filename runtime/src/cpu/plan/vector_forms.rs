//! Which operations have vector instructions. Others are computed lane by lane.

use elements::ElementType;
use kernel::typed::{BinaryOp, MathFunction};

use crate::cpu::lowering::helpers;

/// Whether the operator has vector instructions.
pub fn binary_has_vector_form(operator: BinaryOp, element: ElementType) -> bool {
    let is_wide = element.size_bytes() == 8 && !element.is_float();
    match operator {
        BinaryOp::Add | BinaryOp::Subtract => true,
        BinaryOp::Multiply => true,
        BinaryOp::Divide => element.is_float(),
        BinaryOp::Remainder | BinaryOp::FloorDivide | BinaryOp::FloorRemainder => false,
        BinaryOp::BitXor | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::And | BinaryOp::Or => true,
        // Vectors shift all lanes by the same distance; for distances that differ this is not used.
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => true,
        BinaryOp::Equal | BinaryOp::NotEqual => true,
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
            // There are no unsigned comparisons of 64-bit lanes.
            !is_wide || element.is_signed()
        }
    }
}

/// Whether the math function has vector instructions.
pub fn math_has_vector_form(function: MathFunction, element: ElementType) -> bool {
    let is_wide = element.size_bytes() == 8 && !element.is_float();
    helpers::has_instruction(function) && !is_wide
}

/// Whether the cast has vector instructions.
pub fn cast_has_vector_form(from: ElementType, to: ElementType) -> bool {
    if from == to {
        return true;
    }
    let wide_integer = |element: ElementType| element.size_bytes() == 8 && !element.is_float();
    match (from, to) {
        // A cast of these to a narrow float through f32 would round twice.
        (ElementType::I32 | ElementType::U32 | ElementType::F64, to) if to.is_narrow_float() => false,
        (ElementType::F64, ElementType::F32) | (ElementType::F64, ElementType::Bool) => true,
        (ElementType::F64, _) => false,
        (_, ElementType::F64) => !wide_integer(from) && from != ElementType::U32,
        _ if wide_integer(from) => !to.is_float() || wide_integer(to),
        (_, to) if wide_integer(to) => !from.is_float(),
        _ => true,
    }
}
