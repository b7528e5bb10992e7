//! `atan`.

use super::{Function, Operation};

pub(super) const FUNCTION: Function = of_float!("atan", "The angle from -π/2 to π/2 in radians whose tangent is `x`.", Atan, &["atanf", "arctan"]);

pub(super) const OPERATION: Operation = Operation::called(math::Function::Atan, "atanf", "atan");
