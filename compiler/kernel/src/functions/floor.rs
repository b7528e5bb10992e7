//! `floor`.

use super::{Function, Operation};

pub(super) const FUNCTION: Function = of_float!("floor", "The nearest integer that is not larger.", Floor, &["floorf", "hfloor"]);

pub(super) const OPERATION: Operation =
    Operation { cuda_single: "floorf", cuda_double: "floor", operands: 1, work: 2.0 };
