//! `bit_xor`.

use super::Function;

pub(super) const FUNCTION: Function = of_bits!(
    "bit_xor",
    &[("a", "an integer"), ("b", "another one of the same type")],
    "The bits that exactly one of them has.",
    BitXor,
    "bit_xor(x[i], 7)",
    &["bitwise_xor"]
);
