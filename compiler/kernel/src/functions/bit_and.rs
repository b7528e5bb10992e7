//! `bit_and`.

use super::Function;

pub(super) const FUNCTION: Function = of_bits!(
    "bit_and",
    &[("a", "an integer"), ("b", "another one of the same type")],
    "The bits that both have. It bounds an index.",
    BitAnd,
    "bit_and(x[i], 7)",
    &["bitwise_and"]
);
