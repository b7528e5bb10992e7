//! `sqrt`.

use super::{Function, Operation};

pub(super) const FUNCTION: Function = of_float!("sqrt", "The square root.", Sqrt, &["sqrtf", "__fsqrt_rn", "hsqrt"]);

pub(super) const OPERATION: Operation =
    Operation { cuda_single: "sqrtf", cuda_double: "sqrt", operands: 1, work: 4.0 };
