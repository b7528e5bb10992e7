//! What operators and functions give, in 128 bits and wrapped as their type wraps.

use elements::ElementType;
use kernel::typed::{BinaryOp, MathFunction};

use super::{Fault, Outcome, Value, unknown};

pub(super) fn zero(element: ElementType) -> Value {
    if element.is_float() {
        Value::Float(0.0)
    } else if element == ElementType::Bool {
        Value::Bool(false)
    } else {
        Value::Int(0)
    }
}

/// An integer as its type keeps it.
pub(super) fn wrap(value: i128, element: ElementType) -> i128 {
    match element {
        ElementType::I8 => i128::from(value as i8),
        ElementType::I16 => i128::from(value as i16),
        ElementType::I32 => i128::from(value as i32),
        ElementType::U8 => i128::from(value as u8),
        ElementType::U16 => i128::from(value as u16),
        ElementType::U32 => i128::from(value as u32),
        ElementType::U64 => i128::from(value as u64),
        _ => i128::from(value as i64),
    }
}

pub(super) fn cast(value: Value, element: ElementType) -> Outcome<Value> {
    Ok(match value {
        Value::Int(value) if element.is_float() => Value::Float(value as f64),
        Value::Int(value) if element == ElementType::Bool => Value::Bool(value != 0),
        Value::Int(value) => Value::Int(wrap(value, element)),
        Value::Bool(value) if element.is_float() => Value::Float(f64::from(u8::from(value))),
        Value::Bool(value) if element == ElementType::Bool => Value::Bool(value),
        Value::Bool(value) => Value::Int(i128::from(value)),
        Value::Float(value) if element.is_float() => Value::Float(value),
        Value::Float(value) if element == ElementType::Bool => Value::Bool(value != 0.0),
        Value::Float(value) => {
            let (low, high) = element.integer_range().unwrap_or_default();
            Value::Int((value as i128).clamp(low, high))
        }
    })
}

pub(super) fn binary(op: BinaryOp, left: Value, right: Value, element: ElementType) -> Outcome<Value> {
    use BinaryOp as Op;
    Ok(match (left, right) {
        (Value::Int(left), Value::Int(right)) => {
            let bits = element.size_bytes() as i128 * 8;
            let value = match op {
                Op::Add => left + right,
                Op::Subtract => left - right,
                Op::Multiply => left.wrapping_mul(right),
                Op::Divide => left.checked_div(right).unwrap_or(0),
                Op::Remainder => left.checked_rem(right).unwrap_or(0),
                Op::FloorDivide | Op::FloorRemainder if right <= 0 => {
                    return Err(Fault::Lowering(format!("{op:?} of {left} by {right}, which is promised positive")));
                }
                Op::FloorDivide => left.div_euclid(right),
                Op::FloorRemainder => left.rem_euclid(right),
                Op::BitXor => left ^ right,
                Op::BitAnd => left & right,
                Op::BitOr => left | right,
                Op::ShiftLeft if (0..bits).contains(&right) => left.wrapping_shl(right as u32),
                Op::ShiftRight if (0..bits).contains(&right) => left >> right,
                Op::ShiftLeft | Op::ShiftRight => return unknown("a shift by more than the width"),
                Op::Equal => return Ok(Value::Bool(left == right)),
                Op::NotEqual => return Ok(Value::Bool(left != right)),
                Op::Less => return Ok(Value::Bool(left < right)),
                Op::LessEqual => return Ok(Value::Bool(left <= right)),
                Op::Greater => return Ok(Value::Bool(left > right)),
                Op::GreaterEqual => return Ok(Value::Bool(left >= right)),
                Op::And | Op::Or => return unknown("a logical operator of integers"),
            };
            Value::Int(wrap(value, element))
        }
        (Value::Float(left), Value::Float(right)) => match op {
            Op::Add => Value::Float(left + right),
            Op::Subtract => Value::Float(left - right),
            Op::Multiply => Value::Float(left * right),
            Op::Divide => Value::Float(left / right),
            Op::Remainder => Value::Float(left % right),
            Op::Equal => Value::Bool(left == right),
            Op::NotEqual => Value::Bool(left != right),
            Op::Less => Value::Bool(left < right),
            Op::LessEqual => Value::Bool(left <= right),
            Op::Greater => Value::Bool(left > right),
            Op::GreaterEqual => Value::Bool(left >= right),
            _ => return unknown(format!("{op:?} of floats")),
        },
        (Value::Bool(left), Value::Bool(right)) => match op {
            Op::Equal => Value::Bool(left == right),
            Op::NotEqual => Value::Bool(left != right),
            _ => return unknown(format!("{op:?} of truths")),
        },
        (left, right) => return unknown(format!("{op:?} of {left:?} and {right:?}")),
    })
}

pub(super) fn math(function: MathFunction, args: &[Value]) -> Outcome<Value> {
    Ok(match (function, args) {
        (MathFunction::Min, [Value::Int(left), Value::Int(right)]) => Value::Int(*left.min(right)),
        (MathFunction::Max, [Value::Int(left), Value::Int(right)]) => Value::Int(*left.max(right)),
        (MathFunction::Abs, [Value::Int(value)]) => Value::Int(value.abs()),
        (MathFunction::Min, [Value::Float(left), Value::Float(right)]) => Value::Float(left.min(*right)),
        (MathFunction::Max, [Value::Float(left), Value::Float(right)]) => Value::Float(left.max(*right)),
        (MathFunction::Abs, [Value::Float(value)]) => Value::Float(value.abs()),
        (MathFunction::Floor, [Value::Float(value)]) => Value::Float(value.floor()),
        (MathFunction::Ceil, [Value::Float(value)]) => Value::Float(value.ceil()),
        (MathFunction::Round, [Value::Float(value)]) => Value::Float(value.round_ties_even()),
        // Some float: nothing is known of the others but that their results are not negative where that is said.
        (_, [Value::Float(value), ..]) => Value::Float(value.abs().min(1e6)),
        _ => return unknown(format!("{function:?} of {args:?}")),
    })
}
