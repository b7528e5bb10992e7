//! `bit_and`.

use super::{Function, Parameter};

pub(super) const FUNCTION: Function = of_bits!(
    "bit_and",
    &[Parameter::new("a", "an integer"), Parameter::new("b", "another one of the same type")],
    "The bits that both have. It bounds an index.",
    BitAnd,
    "bit_and(x[i], 7)",
    &["bitwise_and"]
);
