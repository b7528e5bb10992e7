//! `sin`.

use super::{Function, Operation};

pub(super) const FUNCTION: Function = of_float!("sin", "The sine of `x` in radians.", Sin, &["sinf", "__sinf", "hsin"]);

pub(super) const OPERATION: Operation = Operation::elementary("sinf", "sin");
