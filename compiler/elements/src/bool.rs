//! `bool`.

use crate::{Definition, Kind, Npy};

pub(crate) const BOOL: Definition = Definition {
    name: "bool",
    elsewhere: &["_Bool", "bool_", "boolean", "Bool"],
    text: "A truth value, one byte that is 0 or 1.",
    kind: Kind::Bool,
    computes: true,
    bytes: 1,
    cuda: "bool",
    cuda_declaration: None,
    npy: Npy::numbers("|b1", "'|b1'"),
    tolerance: 0.0,
};
