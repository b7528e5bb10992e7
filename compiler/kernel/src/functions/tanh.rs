//! `tanh`.

use super::{Function, Operation};

pub(super) const FUNCTION: Function = of_float!("tanh", "The hyperbolic tangent.", Tanh, &["tanhf", "__tanhf", "htanh"]);

pub(super) const OPERATION: Operation = Operation::elementary("tanhf", "tanh");
