//! `rsqrt`.

use super::{Function, Operation};

pub(super) const FUNCTION: Function = of_float!("rsqrt", "One divided by the square root.", Rsqrt, &["rsqrtf", "__frsqrt_rn", "hrsqrt"]);

pub(super) const OPERATION: Operation = Operation::elementary("rsqrtf", "rsqrt");
