//! `cbrt`.

use super::{Function, Operation};

pub(super) const FUNCTION: Function = of_float!("cbrt", "The cube root, also of negative numbers.", Cbrt, &["cbrtf"]);

pub(super) const OPERATION: Operation = Operation::called(math::Function::Cbrt, "cbrtf", "cbrt");
