//! `exp2`.

use super::{Function, Operation};

pub(super) const FUNCTION: Function = of_float!("exp2", "2 to the power of `x`.", Exp2, &["exp2f", "hexp2"]);

pub(super) const OPERATION: Operation = Operation::elementary("exp2f", "exp2");
