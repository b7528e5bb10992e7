//! `cos`.

use super::{Function, Operation};

pub(super) const FUNCTION: Function = of_float!("cos", "The cosine of `x` in radians.", Cos, &["cosf", "__cosf", "hcos"]);

pub(super) const OPERATION: Operation = Operation::elementary("cosf", "cos");
