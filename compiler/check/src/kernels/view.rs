//! A view of a tensor's elements, the collective that holds it, and what has to be proven of it.

use std::sync::Arc;

use crate::unit_words::UnitWord;
use dims::{Facts, Sym};
use kernel::typed::{CollectiveId, Expr, Memory};
use maps::IndexMap;
use syntax::span::Span;

/// A view of a tensor's elements.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct View {
    /// The underlying tensor.
    pub(super) memory: Memory,
    /// The map. Its upper coordinates are `local_rank` ones of the program, then the `bound` ones; its lower coordinate
    /// is a row-major element index.
    pub(super) map: Arc<IndexMap>,
    pub(super) local_rank: usize,
    /// The expressions of the bound coordinates.
    pub(super) bound: Vec<Expr>,
    /// The collective whose threads share it.
    pub(super) holder: Holder,
    /// Whether it is only the holder's part of the tensor.
    pub(super) divided: bool,
    /// Whether it is the tensor itself, without a map.
    pub(super) whole: bool,
    /// Whether indices inside the view's dimensions imply that the element is inside the tensor, so that accesses need
    /// no further proof.
    pub(super) inside: bool,
    /// The claims that imply it: the map stays inside each dimension of the tensor.
    pub(super) dimensions: Vec<Dimension>,
    /// The view on which it is based.
    pub(super) source: Option<Arc<View>>,
    /// For a named view, the map over local index, block id and thread id that reaches all elements of its threads.
    pub(super) all: Option<IndexMap>,
}

/// The collective whose threads share a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Holder {
    Grid,
    Cluster,
    Block,
    /// The threads of a loop over collectives, or of a `with`.
    Collective(CollectiveId),
    Warp,
    Thread,
}

impl From<UnitWord> for Holder {
    fn from(unit: UnitWord) -> Self {
        match unit {
            UnitWord::Thread => Self::Thread,
            UnitWord::Warp => Self::Warp,
            UnitWord::Block => Self::Block,
            UnitWord::Cluster => Self::Cluster,
        }
    }
}

impl Holder {
    /// The unit with this name, which follows `per`.
    pub(super) fn from_word(word: &str) -> Option<Self> {
        UnitWord::from_name(word).map(Self::from)
    }

    /// The word that editors show for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Cluster => UnitWord::Cluster.name(),
            Self::Block => UnitWord::Block.name(),
            Self::Collective(_) => "threads",
            Self::Warp => UnitWord::Warp.name(),
            Self::Thread => UnitWord::Thread.name(),
        }
    }
}

/// The claim that a view's map stays inside a dimension of the tensor.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dimension {
    pub(super) memory: Memory,
    pub(super) map: IndexMap,
    pub(super) position: usize,
    pub(super) extent: Sym,
    pub(super) facts: Facts,
    pub(super) span: Span,
}
