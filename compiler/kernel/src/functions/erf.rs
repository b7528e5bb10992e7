//! `erf`.

use super::{Function, Operation};

pub(super) const FUNCTION: Function = of_float!("erf", "The error function: twice the area under `exp(-t * t)` from 0 to `x`, divided by the square root of π.", Erf, &["erff", "special.erf"]);

pub(super) const OPERATION: Operation = Operation::called(math::Function::Erf, "erff", "erf");
