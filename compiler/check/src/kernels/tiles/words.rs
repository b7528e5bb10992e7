//! What the words for tiles are: functions, methods of tiles and members of partitions, and calls of them.

use super::super::checker::Checker;
use super::tile::Tile;
use crate::documentation::Documentation;
use kernel::typed::AccessKind;
use syntax::span::Span;
use syntax::tree::{self, Argument};

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

/// What a partition knows the sizes of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sizes {
    /// The numbers of tiles along the dimensions.
    IndexSpace,
    /// The extents of a tile.
    Tile,
    /// The dimensions of what is divided.
    Tensor,
}

impl TileFunction {
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
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.documentation.word
    }
}

impl PartitionMember {
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.documentation.word
    }

    /// Whether it is called: an access of a tile or of its mask, and no property of the partition.
    pub fn is_called(&self) -> bool {
        matches!(self.kind, MemberKind::Transfer { .. } | MemberKind::Mask)
    }

    /// Whether it changes elements in one step.
    pub fn is_atomic(&self) -> bool {
        matches!(self.kind, MemberKind::Transfer { access: AccessKind::Atomic(_), .. })
    }

    /// How it is written, if it never takes arguments.
    pub fn form(&self) -> Option<&'static str> {
        self.is_mapping().then_some("px.mapping")
    }

    /// Whether it is the map to the indices of the tensor.
    pub(in super::super) fn is_mapping(&self) -> bool {
        self.kind == MemberKind::Mapping
    }
}

/// A call of something in the table.
#[derive(Clone, Copy)]
pub(super) struct Call<'t> {
    pub(super) called: &'static Documentation,
    /// The place of the word.
    pub(super) word: Span,
    pub(super) args: &'t [Argument],
    /// The place of the call with all that stands before it.
    pub(super) span: Span,
}

impl Call<'_> {
    /// The word that is called.
    pub(super) fn name(&self) -> &'static str {
        self.called.word
    }
}

/// A member that is called, with its arguments.
#[derive(Clone, Copy)]
pub(super) struct Called<'t> {
    pub(super) member: &'t tree::Name,
    pub(super) args: &'t [Argument],
    /// The span of the arguments in their parentheses.
    pub(super) span: Span,
}
