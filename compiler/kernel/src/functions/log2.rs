//! `log2`.

use super::{Function, Operation};

pub(super) const FUNCTION: Function = of_float!("log2", "The logarithm to base 2.", Log2, &["log2f", "__log2f", "hlog2"]);

pub(super) const OPERATION: Operation = Operation::called(math::Function::Log2, "log2f", "log2");
