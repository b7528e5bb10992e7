//! `bit_or`.

use super::{Function, Parameter};

pub(super) const FUNCTION: Function = of_bits!(
    "bit_or",
    &[Parameter::new("a", "an integer"), Parameter::new("b", "another one of the same type")],
    "The bits that one of them has.",
    BitOr,
    "bit_or(x[i], 7)",
    &["bitwise_or"]
);
