//! The values that have a name in scope.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::range::Range;
use super::reads::Name;
use kernel::loops::ValueId;
use kernel::typed::Local;

/// A declared name.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub name: String,
    pub range: Range,
    /// Whether an `i64` is a `long long` rather than an `int`.
    pub wide: bool,
    /// The name that the text may leave out if nothing reads it.
    pub of: Option<Name>,
}

/// A variable and the value that it holds.
#[derive(Clone, Debug)]
struct Variable {
    declared: Declared,
    holds: ValueId,
}

/// The names in scope, by their values.
#[derive(Clone, Debug, Default)]
pub(super) struct Visible {
    constants: FxHashMap<ValueId, Vec<Declared>>,
    /// The constants in the order of their declarations.
    order: Vec<ValueId>,
    variables: BTreeMap<Local, Variable>,
    /// The variables that have held each value, and may hold another one now.
    holders: FxHashMap<ValueId, Vec<Local>>,
}

impl Visible {
    /// The name of a value.
    pub fn get(&self, value: ValueId) -> Option<&Declared> {
        if let Some(constant) = self.constants.get(&value).and_then(|all| all.last()) {
            return Some(constant);
        }
        self.variable(self.holder(value)?)
    }

    /// The variable that holds a value, if no constant does.
    pub fn holder(&self, value: ValueId) -> Option<Local> {
        if self.constants.get(&value).is_some_and(|all| !all.is_empty()) {
            return None;
        }
        let holders = self.holders.get(&value).into_iter().flatten().copied();
        holders.into_iter().find(|local| self.held(*local) == Some(value))
    }

    /// Adds a constant with its value.
    pub fn add(&mut self, value: ValueId, declared: Declared) {
        self.constants.entry(value).or_default().push(declared);
        self.order.push(value);
    }

    /// Returns a mark for [`Visible::leave`].
    pub fn enter(&self) -> usize {
        self.order.len()
    }

    /// Removes the constants declared since a mark, and returns their names.
    pub fn leave(&mut self, mark: usize) -> Vec<String> {
        let mut names = Vec::new();
        for value in self.order.drain(mark..) {
            let declared = self.constants.get_mut(&value).and_then(Vec::pop);
            names.extend(declared.map(|declared| declared.name));
        }
        names
    }

    /// Adds a variable with its value.
    pub fn declare(&mut self, local: Local, declared: Declared, holds: ValueId) {
        self.variables.insert(local, Variable { declared, holds });
        self.holders.entry(holds).or_default().push(local);
    }

    /// Removes a variable, and returns its name.
    pub fn forget(&mut self, local: Local) -> Option<String> {
        self.variables.remove(&local).map(|variable| variable.declared.name)
    }

    /// A declared variable.
    pub fn variable(&self, local: Local) -> Option<&Declared> {
        self.variables.get(&local).map(|variable| &variable.declared)
    }

    /// The value of a variable.
    pub fn held(&self, local: Local) -> Option<ValueId> {
        self.variables.get(&local).map(|variable| variable.holds)
    }

    /// The variables in scope with their values. The other side of an `if` begins with them: that a variable has one value
    /// behind both sides does not mean that it had it before.
    pub fn all_held(&self) -> Vec<(Local, ValueId)> {
        self.variables.iter().map(|(local, variable)| (*local, variable.holds)).collect()
    }

    /// Records the new value of a variable.
    pub fn hold(&mut self, local: Local, value: ValueId) {
        if let Some(variable) = self.variables.get_mut(&local) {
            variable.holds = value;
            let holders = self.holders.entry(value).or_default();
            if !holders.contains(&local) {
                holders.push(local);
            }
        }
    }
}
