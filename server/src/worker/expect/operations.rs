//! What operators and functions mean in expectations. Where any operand is a float, numbers are floats of 64 bits, else
//! exact integers.

use shapewright_compiler::kernels::element::ElementType;
use shapewright_compiler::kernels::typed::{BinaryOp, MathFunction, UnaryOp};
use shapewright_runtime::tensors::Scalar;

use super::number::Number;
use crate::worker::arguments::element as runtime_element;

pub(super) fn unary(operator: UnaryOp, operand: Number) -> Number {
    match (operator, operand) {
        (UnaryOp::Not, operand) => Number::Bool(!operand.is_true()),
        (UnaryOp::Negate, Number::Float(value)) => Number::Float(-value),
        (UnaryOp::Negate, operand) => Number::Int(operand.to_integer().unwrap_or(0).wrapping_neg()),
    }
}

pub(super) fn binary(operator: BinaryOp, left: Number, right: Number) -> Number {
    match (left.to_integer(), right.to_integer()) {
        (Some(a), Some(b)) => integers(operator, a, b),
        _ => floats(operator, left.to_f64(), right.to_f64()),
    }
}

fn integers(operator: BinaryOp, a: i128, b: i128) -> Number {
    // A shift by a width or more leaves nothing, as on the processors.
    let shift = u32::try_from(b).ok().filter(|shift| *shift < 128);
    Number::Int(match operator {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Subtract => a.wrapping_sub(b),
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::Divide => a.checked_div(b).unwrap_or(0),
        BinaryOp::Remainder => a.checked_rem(b).unwrap_or(0),
        BinaryOp::FloorDivide => a.checked_div_euclid(b).unwrap_or(0),
        BinaryOp::FloorRemainder => a.checked_rem_euclid(b).unwrap_or(0),
        BinaryOp::BitXor => a ^ b,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::ShiftLeft => shift.map_or(0, |shift| a.wrapping_shl(shift)),
        BinaryOp::ShiftRight => shift.map_or(0, |shift| a >> shift),
        BinaryOp::Equal => return Number::Bool(a == b),
        BinaryOp::NotEqual => return Number::Bool(a != b),
        BinaryOp::Less => return Number::Bool(a < b),
        BinaryOp::LessEqual => return Number::Bool(a <= b),
        BinaryOp::Greater => return Number::Bool(a > b),
        BinaryOp::GreaterEqual => return Number::Bool(a >= b),
        BinaryOp::And => return Number::Bool(a != 0 && b != 0),
        BinaryOp::Or => return Number::Bool(a != 0 || b != 0),
    })
}

fn floats(operator: BinaryOp, a: f64, b: f64) -> Number {
    Number::Float(match operator {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => a / b,
        BinaryOp::Remainder => a % b,
        BinaryOp::FloorDivide => (a / b).floor(),
        BinaryOp::FloorRemainder => a - b * (a / b).floor(),
        BinaryOp::Equal => return Number::Bool(a == b),
        BinaryOp::NotEqual => return Number::Bool(a != b),
        BinaryOp::Less => return Number::Bool(a < b),
        BinaryOp::LessEqual => return Number::Bool(a <= b),
        BinaryOp::Greater => return Number::Bool(a > b),
        BinaryOp::GreaterEqual => return Number::Bool(a >= b),
        BinaryOp::And => return Number::Bool(a != 0.0 && b != 0.0),
        BinaryOp::Or => return Number::Bool(a != 0.0 || b != 0.0),
        // Bits are for integers, which the checks before a run have made sure of.
        BinaryOp::BitXor | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::ShiftLeft | BinaryOp::ShiftRight => f64::NAN,
    })
}

pub(super) fn math(function: MathFunction, arguments: &[Number]) -> Number {
    let integers: Option<Vec<i128>> = arguments.iter().map(|argument| argument.to_integer()).collect();
    match (function, integers.as_deref()) {
        (MathFunction::Abs, Some([a])) => return Number::Int(a.wrapping_abs()),
        (MathFunction::Min, Some([a, b])) => return Number::Int(*a.min(b)),
        (MathFunction::Max, Some([a, b])) => return Number::Int(*a.max(b)),
        _ => {}
    }
    let at = |position: usize| arguments.get(position).map_or(f64::NAN, |argument| argument.to_f64());
    let (a, b) = (at(0), at(1));
    Number::Float(match function {
        MathFunction::Abs => a.abs(),
        MathFunction::Min => a.min(b),
        MathFunction::Max => a.max(b),
        MathFunction::Sqrt => a.sqrt(),
        MathFunction::Rsqrt => 1.0 / a.sqrt(),
        MathFunction::Exp => a.exp(),
        MathFunction::Exp2 => a.exp2(),
        MathFunction::Log => a.ln(),
        MathFunction::Log2 => a.log2(),
        MathFunction::Sin => a.sin(),
        MathFunction::Cos => a.cos(),
        MathFunction::Tanh => a.tanh(),
        MathFunction::Floor => a.floor(),
        MathFunction::Ceil => a.ceil(),
        MathFunction::Round => a.round_ties_even(),
        MathFunction::Pow => a.powf(b),
        MathFunction::Fma => a.mul_add(b, at(2)),
    })
}

/// A number as a kernel's cast to the type would have it.
pub(super) fn cast(element: ElementType, value: Number) -> Number {
    if element == ElementType::Bool {
        return Number::Bool(value.is_true());
    }
    if element.is_float() {
        let rounded = Scalar::from_f64(runtime_element(element), value.to_f64());
        return Number::Float(rounded.map_or(f64::NAN, Scalar::to_f64));
    }
    let bits = u32::try_from(element.size_bytes() * 8).unwrap_or(64);
    let (low, high) = if element.is_signed() {
        (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
    } else {
        (0, (1i128 << bits) - 1)
    };
    Number::Int(match value {
        // `as` truncates towards zero, saturates at the ends of i128, and makes 0 of NaN.
        Number::Float(value) => (value as i128).clamp(low, high),
        value => {
            let wrapped = value.to_integer().unwrap_or(0) & ((1i128 << bits) - 1);
            if wrapped > high { wrapped - (1i128 << bits) } else { wrapped }
        }
    })
}
