//! The functions of tiles, the methods of tiles and the members of partitions: a definition for each, next to what it
//! does, and a line in a list of this file.
//!
//! A definition has everything particular to its word: its syntax, its text and example for editors, and what a call
//! does. Typing, hover, completion, signature help and the word lists of the editors read it from here.
//!
//! Begin with [`TileMethod`] and its list at the end of this file, then read `methods.rs`.

use super::calls::Call;
use super::sizes::Sizes;
use super::{Checker, Tile};
use super::{
    atomics, cat, choices, folds, gathers, makers, members, methods, orders, partitions, products, scans, scatters,
};
use crate::documentation::Documentation;
use kernel::typed::AccessKind;

/// A function that makes, combines or scatters tiles.
pub struct TileFunction {
    /// Its syntax and its documentation.
    pub documentation: Documentation,
    pub(super) role: Role,
}

/// What a call of a function is.
#[derive(Clone, Copy)]
pub(super) enum Role {
    /// A tile, whatever its operands are.
    Makes(fn(&mut Checker<'_>, Call<'_>) -> Option<Tile>),
    /// A tile where an operand is one, and a number where none is.
    Combines(fn(&mut Checker<'_>, Call<'_>) -> Option<Tile>),
    /// A statement, which leaves out the elements that would go outside if it is masked.
    Scatters { masked: bool },
    /// The source of a view.
    Divides,
}

/// A method of tiles.
pub struct TileMethod {
    /// Its syntax and its documentation.
    pub documentation: Documentation,
    /// What it makes of a tile.
    pub(super) apply: fn(&mut Checker<'_>, Tile, Call<'_>) -> Option<Tile>,
}

/// A member of a partition.
pub struct PartitionMember {
    /// Its syntax and its documentation.
    pub documentation: Documentation,
    pub(super) kind: MemberKind,
}

/// What a member of a partition is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum MemberKind {
    /// An access of a tile, which leaves out what lies beyond the edge if it is masked.
    Transfer { access: AccessKind, masked: bool },
    /// Which elements of a tile lie inside.
    Mask,
    /// Sizes, and one of them where a dimension is given.
    Sizes(Sizes),
    /// The map from the index of a tile and the place in it to the indices of the tensor.
    Mapping,
}

impl TileFunction {
    /// Every function of tiles.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        FUNCTIONS.iter().copied()
    }

    /// The function of a name.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        Self::all().find(|function| function.name() == name)
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.documentation.word
    }

    /// Whether a call alone shows that there are tiles.
    pub(crate) fn is_operation(&self) -> bool {
        matches!(self.role, Role::Makes(_) | Role::Scatters { .. })
    }

    /// Whether a call is a statement.
    pub fn is_statement(&self) -> bool {
        matches!(self.role, Role::Scatters { .. })
    }
}

impl TileMethod {
    /// Every method of tiles.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        METHODS.iter().copied()
    }

    /// The method of a name.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        Self::all().find(|method| method.name() == name)
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.documentation.word
    }
}

impl PartitionMember {
    /// Every member of partitions.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        MEMBERS.iter().copied().flatten()
    }

    /// The member of a name.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        Self::all().find(|member| member.name() == name)
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.documentation.word
    }

    /// Whether it is called: an access of a tile or of its mask, and no property of the partition.
    pub fn is_called(&self) -> bool {
        matches!(self.kind, MemberKind::Transfer { .. } | MemberKind::Mask)
    }

    /// How it is written, if it never takes arguments.
    pub fn form(&self) -> Option<&'static str> {
        self.is_mapping().then_some("px.mapping")
    }

    /// Whether it is the map to the indices of the tensor.
    pub(in super::super) fn is_mapping(&self) -> bool {
        self.kind == MemberKind::Mapping
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
    use kernel::typed::AtomicOperation;

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
