//! Symbols: the named integers whose values are known only at launch.

use std::fmt;

use smol_str::SmolStr;

/// A positive integer known at launch, such as `M` in `dim M;`.
///
/// Two symbols are the same exactly when both their names and their scopes are the same. They are ordered by name
/// first, so that whatever is printed in their order does not depend on the order of declaration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol {
    name: SmolStr,
    scope: u32,
}

impl Symbol {
    /// Makes the symbol called `name` of the given scope; scopes keep equal names of two files apart.
    pub fn new(name: impl Into<SmolStr>, scope: u32) -> Symbol {
        Symbol {
            name: name.into(),
            scope,
        }
    }

    /// The name as it stands in the source text.
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
