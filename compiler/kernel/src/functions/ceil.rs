//! `ceil`.

use super::{Compute, Function, Operation};

pub(super) const FUNCTION: Function = of_float!("ceil", "The nearest integer that is not smaller.", Ceil, &["ceilf", "hceil"]);

pub(super) const OPERATION: Operation =
    Operation { cuda_single: "ceilf", cuda_double: "ceil", operands: 1, compute: Compute::Instruction };
