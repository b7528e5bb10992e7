//! `round`.

use super::{Function, Operation};

pub(super) const FUNCTION: Function = of_float!("round", "The nearest integer; of two that are equally near the even one.", Round, &["rint", "rintf", "nearbyint", "roundf", "hrint"]);

pub(super) const OPERATION: Operation =
    Operation { cuda_single: "rintf", cuda_double: "rint", operands: 1, work: 2.0 };
