//! `log`.

use super::{Function, Operation};

pub(super) const FUNCTION: Function = of_float!("log", "The natural logarithm.", Log, &["logf", "__logf", "hlog", "ln"]);

pub(super) const OPERATION: Operation = Operation::elementary("logf", "log");
