//! The words for units of threads: `per warp`, `over: block`, the sizes of levels in `chain`.

use dims::Sym;
use maps::hardware::WARP_LANES;

/// A unit of the threads of a launch that has a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitWord {
    /// One thread.
    Thread,
    /// The threads of a warp.
    Warp,
    /// The threads of a block.
    Block,
    /// The threads of a cluster of blocks.
    Cluster,
}

impl UnitWord {
    /// Every unit, the smallest first.
    pub const ALL: [Self; 4] = [Self::Thread, Self::Warp, Self::Block, Self::Cluster];

    /// The word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Thread => "thread",
            Self::Warp => "warp",
            Self::Block => "block",
            Self::Cluster => "cluster",
        }
    }

    /// The unit of a word.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.name() == name)
    }

    /// The number of its threads, where that is the same in every launch.
    pub fn threads(self) -> Option<Sym> {
        match self {
            Self::Thread => Some(Sym::one()),
            Self::Warp => Some(Sym::constant(WARP_LANES)),
            Self::Block | Self::Cluster => None,
        }
    }
}
