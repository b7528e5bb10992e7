//! `bit_or`.

use super::Function;

pub(super) const FUNCTION: Function = of_bits!(
    "bit_or",
    &[("a", "an integer"), ("b", "another one of the same type")],
    "The bits that one of them has.",
    BitOr,
    "bit_or(x[i], 7)",
    &["bitwise_or"]
);
