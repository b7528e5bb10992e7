//! `exp`.

use super::{Function, Operation};

pub(super) const FUNCTION: Function = of_float!("exp", "e to the power of `x`.", Exp, &["expf", "__expf", "hexp"]);

pub(super) const OPERATION: Operation = Operation::elementary("expf", "exp");
