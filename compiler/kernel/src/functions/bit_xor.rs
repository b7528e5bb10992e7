//! `bit_xor`.

use super::{Function, Parameter};

pub(super) const FUNCTION: Function = of_bits!(
    "bit_xor",
    &[Parameter::new("a", "an integer"), Parameter::new("b", "another one of the same type")],
    "The bits that exactly one of them has.",
    BitXor,
    "bit_xor(x[i], 7)",
    &["bitwise_xor"]
);
