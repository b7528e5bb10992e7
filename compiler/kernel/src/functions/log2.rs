//! `log2`.

use super::{Function, Operation};

pub(super) const FUNCTION: Function = of_float!("log2", "The logarithm to base 2.", Log2, &["log2f", "__log2f", "hlog2"]);

pub(super) const OPERATION: Operation = Operation::elementary("log2f", "log2");
