//! `shift_right`.

use super::{Function, Parameter};

pub(super) const FUNCTION: Function = of_bits!(
    "shift_right",
    &[Parameter::new("a", "an integer"), Parameter::new("b", "how many places, of the same type")],
    "The bits moved towards the lower places; a signed integer keeps its sign. The amount counts modulo the width of the type.",
    ShiftRight,
    "shift_right(x[i], 2)",
    &["right_shift"]
);
