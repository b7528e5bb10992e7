//! Which of the names that a text declares the text needs.
//!
//! What a kernel assigns need not be read where the text has the value at hand: of a variable that holds a constant, the
//! constant is written. So a first text is written with all names, and what nothing in it needs is left out of the next one.

use std::collections::{BTreeMap, BTreeSet};

use kernel::loops::ValueId;
use kernel::typed::Local;

/// Something that a text declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    /// A variable that is assigned again.
    Variable(Local),
    /// The constant that the step of this number declares.
    Constant(usize),
    /// A common part of indices, before the step of this number.
    Common(usize, ValueId),
}

/// What is declared, and what reads it.
#[derive(Clone, Debug, Default)]
pub(super) struct Reads {
    /// What the text leaves out.
    left_out: BTreeSet<Name>,
    declared: BTreeSet<Name>,
    /// By what a name is needed for, `None` for what is done: the names that are read.
    reads: BTreeMap<Option<Name>, BTreeSet<Name>>,
    /// What the expression that is being written is for.
    reader: Option<Name>,
}

impl Reads {
    /// For a text that leaves out these names.
    pub fn without(left_out: BTreeSet<Name>) -> Self {
        Self { left_out, ..Self::default() }
    }

    /// Whether the text leaves a name out.
    pub fn leaves_out(&self, name: Name) -> bool {
        self.left_out.contains(&name)
    }

    /// Takes note of a declaration or an assignment, whose expression is written next.
    pub fn begin(&mut self, name: Name) {
        self.declared.insert(name);
        self.reader = Some(name);
    }

    /// The expression of the declaration has been written.
    pub fn end(&mut self) {
        self.reader = None;
    }

    /// Takes note that the text reads a name here.
    pub fn read(&mut self, name: Name) {
        self.reads.entry(self.reader).or_default().insert(name);
    }

    /// All that may be left out: what the text left out, and what nothing that is done needs.
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
