//! `log10`.

use super::{Function, Operation};

pub(super) const FUNCTION: Function = of_float!("log10", "The logarithm to base 10; of negative numbers NaN, of 0 negative infinity.", Log10, &["log10f", "__log10f"]);

pub(super) const OPERATION: Operation = Operation::called(math::Function::Log10, "log10f", "log10");
