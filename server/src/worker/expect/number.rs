//! The numbers of expectations: exact integers, and floats of 64 bits.

use serde_json::{Value as Json, json};
use shapewright_compiler::kernels::typed::Constant;
use shapewright_runtime::tensors::Scalar;

/// One element of a tensor expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::worker) enum Number {
    Bool(bool),
    Int(i128),
    Float(f64),
}

impl Number {
    pub(super) fn of_scalar(scalar: Scalar) -> Self {
        match (scalar, scalar.to_i128()) {
            (Scalar::Bool(value), _) => Self::Bool(value),
            (_, Some(integer)) => Self::Int(integer),
            (scalar, None) => Self::Float(scalar.to_f64()),
        }
    }

    pub(super) fn of_constant(constant: Constant) -> Self {
        match constant {
            Constant::Bool(value) => Self::Bool(value),
            Constant::Int(value) => Self::Int(i128::from(value)),
            Constant::Float(value) => Self::Float(value),
        }
    }

    pub(super) fn to_f64(self) -> f64 {
        match self {
            Self::Bool(value) => f64::from(u8::from(value)),
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// An integer or a truth as an integer.
    pub(super) fn to_integer(self) -> Option<i128> {
        match self {
            Self::Bool(value) => Some(i128::from(value)),
            Self::Int(value) => Some(value),
            Self::Float(_) => None,
        }
    }

    pub(super) fn is_true(self) -> bool {
        match self {
            Self::Bool(value) => value,
            Self::Int(value) => value != 0,
            Self::Float(value) => value != 0.0,
        }
    }

    /// As JSON; what JSON has no number for is a text.
    pub(in crate::worker) fn to_json(self) -> Json {
        match self {
            Self::Bool(value) => json!(value),
            Self::Int(value) => i64::try_from(value).map_or_else(|_| json!(value.to_string()), |value| json!(value)),
            Self::Float(value) => {
                serde_json::Number::from_f64(value).map_or_else(|| json!(value.to_string()), Json::Number)
            }
        }
    }
}
