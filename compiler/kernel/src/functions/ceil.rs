//! `ceil`.

use super::{Function, Operation};

pub(super) const FUNCTION: Function = of_float!("ceil", "The nearest integer that is not smaller.", Ceil, &["ceilf", "hceil"]);

pub(super) const OPERATION: Operation =
    Operation { cuda_single: "ceilf", cuda_double: "ceil", operands: 1, work: 2.0 };
