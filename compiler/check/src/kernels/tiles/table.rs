//! The functions of tiles, the methods of tiles and the members of partitions: a definition for each, next to what it
//! does, and a line in a list of this file.
//!
//! A definition has everything particular to its word: its syntax, its text and example for editors, and what a call
//! does. Typing, hover, completion, signature help and the word lists of the editors read it from here.
//!
//! Begin with [`TileMethod`] and its list at the end of this file, then read `methods.rs`.

use super::words::{MemberKind, PartitionMember, TileFunction, TileMethod};
use super::{
    atomics, cat, choices, folds, gathers, makers, members, methods, orders, partitions, products, scans, scatters,
};
use crate::diagnostics::Members;

impl TileFunction {
    /// Every function of tiles.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        FUNCTIONS.iter().copied()
    }

    /// The function of a name.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        Self::all().find(|function| function.name() == name)
    }
}

impl TileMethod {
    /// Every method of tiles.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        METHODS.iter().copied()
    }

    /// The names of all.
    pub(super) fn names() -> Members {
        Members { plain: Self::all().map(Self::name).collect(), atomic: Vec::new() }
    }

    /// The method of a name.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        Self::all().find(|method| method.name() == name)
    }
}

impl PartitionMember {
    /// Every member of partitions.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        MEMBERS.iter().copied().flatten()
    }

    /// The names of all.
    pub(super) fn names() -> Members {
        let (atomic, plain): (Vec<&'static Self>, Vec<&'static Self>) =
            Self::all().partition(|member| member.is_atomic());
        let names = |members: Vec<&'static Self>| members.into_iter().map(Self::name).collect();
        Members { plain: names(plain), atomic: names(atomic) }
    }

    /// The member of a name.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        Self::all().find(|member| member.name() == name)
    }

    /// The member with the same access that leaves out what lies beyond the edge.
    pub(super) fn masked(&self) -> Option<&'static Self> {
        let MemberKind::Transfer { access, masked: false } = self.kind else { return None };
        Self::all().find(|member| member.kind == MemberKind::Transfer { access, masked: true })
    }
}

static FUNCTIONS: &[&TileFunction] = &[
    &makers::ZEROS,
    &makers::ONES,
    &makers::FULL,
    &makers::IOTA,
    &products::MMA,
    &products::MATMUL,
    &choices::SELECT,
    &gathers::GATHER,
    &gathers::GATHER_MASKED,
    &scatters::SCATTER,
    &scatters::SCATTER_MASKED,
    &cat::CAT,
    &partitions::PARTITION,
];

static METHODS: &[&TileMethod] = &[
    &methods::PERMUTE,
    &methods::RESHAPE,
    &methods::INSERT,
    &folds::SUM,
    &folds::MEAN,
    &folds::PROD,
    &folds::MAX,
    &folds::MIN,
    &folds::ANY,
    &folds::ALL,
    &scans::ARGMAX,
    &scans::ARGMIN,
    &scans::CUMSUM,
    &scans::CUMPROD,
    &orders::SORT,
    &orders::ARGSORT,
    &orders::TOP,
    &orders::ARGTOP,
];

/// The members of one line differ in what they do at the edge.
static MEMBERS: &[&[PartitionMember]] = &[
    &members::LOADS,
    &members::STORES,
    &members::PROPERTIES,
    &atomics::LOADS,
    &atomics::STORES,
    &atomics::ADDS,
    &atomics::MINS,
    &atomics::MAXS,
    &atomics::ANDS,
    &atomics::ORS,
    &atomics::XORS,
    &atomics::EXCHANGES,
];

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::functions::Function;
    use kernel::typed::{AccessKind, AtomicOperation};

    #[test]
    fn no_word_has_two_meanings() {
        for function in TileFunction::all() {
            assert!(Function::from_name(function.name()).is_none(), "{}", function.name());
        }
        let names = [
            TileFunction::all().map(TileFunction::name).collect::<Vec<_>>(),
            TileMethod::all().map(TileMethod::name).collect(),
            PartitionMember::all().map(PartitionMember::name).collect(),
        ];
        for mut names in names {
            names.sort_unstable();
            let count = names.len();
            names.dedup();
            assert_eq!(names.len(), count, "{names:?}");
        }
    }

    #[test]
    fn tiles_have_each_atomic_operation_with_at_most_one_operand() {
        for operation in AtomicOperation::ALL {
            for (masked, end) in [(false, ""), (true, "_masked")] {
                let name = format!("{}{end}", operation.name());
                let kind = PartitionMember::from_name(&name).map(|member| member.kind);
                let expected = MemberKind::Transfer { access: AccessKind::Atomic(operation), masked };
                assert!(kind == (operation.operands().len() <= 1).then_some(expected), "{name}");
            }
        }
    }

    #[test]
    fn every_access_has_a_masked_form() {
        let plain = ["load", "store", "atomic_add"].map(|name| PartitionMember::from_name(name).unwrap());
        let masked = plain.map(|member| member.masked().unwrap().name());
        assert_eq!(masked, ["load_masked", "store_masked", "atomic_add_masked"]);
        assert!(PartitionMember::from_name("load_masked").unwrap().masked().is_none());
    }
}
