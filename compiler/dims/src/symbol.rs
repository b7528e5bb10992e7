//! Symbols: the named integers whose values are known only at launch.

use std::fmt;

use smol_str::SmolStr;

/// An integer known at launch, such as `M` in `dim M;`, or a coordinate that stands for all its values at once.
///
/// A dimension is at least 1, a coordinate at least 0; facts say everything else. Symbols are ordered by name first,
/// so that printed orders do not depend on the order of declaration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol {
    name: SmolStr,
    scope: u32,
    may_be_zero: bool,
}

impl Symbol {
    /// Makes the dimension called `name` of the given scope; scopes keep equal names of two files apart.
    pub fn new(name: impl Into<SmolStr>, scope: u32) -> Symbol {
        Symbol { name: name.into(), scope, may_be_zero: false }
    }

    /// Makes a symbol that may also be zero, as an index or a thread number may.
    pub fn coordinate(name: impl Into<SmolStr>, scope: u32) -> Symbol {
        Symbol { name: name.into(), scope, may_be_zero: true }
    }

    /// The least value it can have: 1 for a dimension, 0 for a coordinate.
    pub fn least(&self) -> i64 {
        if self.may_be_zero { 0 } else { 1 }
    }

    /// The name in the source text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The scope, which disambiguates equal names.
    pub fn scope(&self) -> u32 {
        self.scope
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}#{}", self.name, self.scope)
    }
}
