//! `shift_left`.

use super::{Function, Parameter};

pub(super) const FUNCTION: Function = of_bits!(
    "shift_left",
    &[Parameter::new("a", "an integer"), Parameter::new("b", "how many places, of the same type")],
    "The bits moved towards the higher places. The amount counts modulo the width of the type.",
    ShiftLeft,
    "shift_left(x[i], 2)",
    &["left_shift"]
);
