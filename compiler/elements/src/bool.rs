//! `bool`.

use crate::{Definition, Kind};

pub(crate) const BOOL: Definition = Definition {
    name: "bool",
    elsewhere: &["_Bool", "bool_"],
    text: "A truth value, one byte that is 0 or 1.",
    kind: Kind::Bool,
    bytes: 1,
    cuda: "bool",
    cuda_declaration: None,
    npy: "|b1",
    python: "'|b1'",
    tolerance: 0.0,
};
