//! Functions as values.

use std::sync::Arc;

use super::{Generics, Scope};
use crate::db::Item;
use syntax::tree;

/// A function, with what its body may name.
#[derive(Clone, Debug)]
pub struct FunctionValue {
    /// The item in whose text it stands.
    pub item: Item,
    /// What was parsed.
    pub function: Arc<tree::Function>,
    /// The constants, maps and functions of the kernel around it.
    pub(crate) scope: Scope,
    /// The generic parameters of the kernel around it.
    pub(crate) generics: Generics,
}

impl FunctionValue {
    /// The names of its parameters.
    pub fn parameters(&self) -> Vec<&str> {
        self.function.params.iter().map(|param| param.name.text.as_str()).collect()
    }

    /// Whether it is declared at the same place.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.item == other.item && self.function.span == other.function.span
    }
}

impl PartialEq for FunctionValue {
    fn eq(&self, other: &Self) -> bool {
        self.item == other.item
            && self.function == other.function
            && self.generics == other.generics
            && self.scope == other.scope
    }
}
