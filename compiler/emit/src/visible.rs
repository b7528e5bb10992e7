//! The values that have a name where the text has got to.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::range::Range;
use super::reads::Name;
use kernel::loops::ValueId;
use kernel::typed::Local;

/// What has been declared under a name.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub name: String,
    pub range: Range,
    /// Whether an `i64` is a `long long`; else it is an `int`.
    pub wide: bool,
    /// What the text may leave out where nothing reads it.
    pub of: Option<Name>,
}

/// A variable with the value that it holds.
#[derive(Clone, Debug)]
struct Variable {
    declared: Declared,
    holds: ValueId,
}

/// The names that can be seen, by the values that they stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Visible {
    constants: FxHashMap<ValueId, Vec<Declared>>,
    /// The constants in the order of their declarations.
    order: Vec<ValueId>,
    variables: BTreeMap<Local, Variable>,
    /// The variables that have held a value. They may hold another one by now.
    holders: FxHashMap<ValueId, Vec<Local>>,
}

impl Visible {
    /// What stands for a value.
    pub fn get(&self, value: ValueId) -> Option<&Declared> {
        if let Some(constant) = self.constants.get(&value).and_then(|all| all.last()) {
            return Some(constant);
        }
        self.variable(self.holder(value)?)
    }

    /// The variable that stands for a value, where no constant does.
    pub fn holder(&self, value: ValueId) -> Option<Local> {
        if self.constants.get(&value).is_some_and(|all| !all.is_empty()) {
            return None;
        }
        let holders = self.holders.get(&value).into_iter().flatten().copied();
        holders.into_iter().find(|local| self.held(*local) == Some(value))
    }

    /// Lets a constant stand for a value.
    pub fn add(&mut self, value: ValueId, declared: Declared) {
        self.constants.entry(value).or_default().push(declared);
        self.order.push(value);
    }

    /// A mark for [`Visible::leave`].
    pub fn enter(&self) -> usize {
        self.order.len()
    }

    /// Takes away the constants that were declared since a mark; their names are free again.
    pub fn leave(&mut self, mark: usize) -> Vec<String> {
        let mut names = Vec::new();
        for value in self.order.drain(mark..) {
            let declared = self.constants.get_mut(&value).and_then(Vec::pop);
            names.extend(declared.map(|declared| declared.name));
        }
        names
    }

    /// Declares a variable that holds a value.
    pub fn declare(&mut self, local: Local, declared: Declared, holds: ValueId) {
        self.variables.insert(local, Variable { declared, holds });
        self.holders.entry(holds).or_default().push(local);
    }

    /// Takes a variable away; its name is free again.
    pub fn forget(&mut self, local: Local) -> Option<String> {
        self.variables.remove(&local).map(|variable| variable.declared.name)
    }

    /// A variable that has been declared.
    pub fn variable(&self, local: Local) -> Option<&Declared> {
        self.variables.get(&local).map(|variable| &variable.declared)
    }

    /// What a variable holds.
    pub fn held(&self, local: Local) -> Option<ValueId> {
        self.variables.get(&local).map(|variable| variable.holds)
    }

    /// Takes note that a variable holds a value from here on.
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
