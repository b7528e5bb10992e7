//! Finds the unused names in a text.
//!
//! A variable in a kernel need not be read in the text, which writes constants directly. Therefore a first text is
//! written with all names, and the next one leaves out those that nothing in it needs.

use std::collections::{BTreeMap, BTreeSet};

use kernel::loops::ValueId;
use kernel::typed::Local;

/// A declaration in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    /// A mutable variable.
    Variable(Local),
    /// The constant declared by the step with this number.
    Constant(usize),
    /// A common subexpression of indices, declared before the step with this number.
    Common(usize, ValueId),
}

/// The declarations of a text and what reads them.
#[derive(Clone, Debug, Default)]
pub(super) struct Reads {
    /// The names that the text leaves out.
    left_out: BTreeSet<Name>,
    declared: BTreeSet<Name>,
    /// For each name, the names that its value reads; under `None`, those that other statements read.
    reads: BTreeMap<Option<Name>, BTreeSet<Name>>,
    /// The name whose value is being written.
    reader: Option<Name>,
}

impl Reads {
    /// Starts a text without these names.
    pub fn without(left_out: BTreeSet<Name>) -> Self {
        Self { left_out, ..Self::default() }
    }

    /// Whether the text leaves out a name.
    pub fn leaves_out(&self, name: Name) -> bool {
        self.left_out.contains(&name)
    }

    /// Begins the value of a declaration or an assignment.
    pub fn begin(&mut self, name: Name) {
        self.declared.insert(name);
        self.reader = Some(name);
    }

    /// Ends the value of a declaration or an assignment.
    pub fn end(&mut self) {
        self.reader = None;
    }

    /// Records that the text reads a name here.
    pub fn read(&mut self, name: Name) {
        self.reads.entry(self.reader).or_default().insert(name);
    }

    /// The names that the next text can leave out: those of this one, and those that no statement needs.
    pub fn needless(self) -> BTreeSet<Name> {
        let mut needed = BTreeSet::new();
        let mut open = vec![None];
        while let Some(reader) = open.pop() {
            let names = self.reads.get(&reader).into_iter().flatten();
            open.extend(names.filter(|name| needed.insert(**name)).map(|name| Some(*name)));
        }
        let unread = self.declared.difference(&needed).copied();
        self.left_out.iter().copied().chain(unread).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_reads_each_other_is_needless() {
        let variable = |number| Name::Variable(Local(number));
        let mut reads = Reads::default();
        for (name, read) in [(0, 1), (1, 0), (2, 3)] {
            reads.begin(variable(name));
            reads.read(variable(read));
            reads.end();
        }
        reads.begin(variable(3));
        reads.end();
        reads.read(variable(2));
        assert_eq!(reads.needless(), BTreeSet::from([variable(0), variable(1)]));
    }
}
