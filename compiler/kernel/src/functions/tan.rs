//! `tan`.

use super::{Function, Operation};

pub(super) const FUNCTION: Function = of_float!("tan", "The tangent of an angle in radians.", Tan, &["tanf", "__tanf"]);

pub(super) const OPERATION: Operation = Operation::called(math::Function::Tan, "tanf", "tan");
