//! Tilings: which threads of a cluster execute which iteration.

use std::fmt;

use smol_str::{SmolStr, format_smolstr};

use super::{Iterator, Launch, Operation, ThreadsError, Unit};

/// A collective tiling: the threads of a cluster as a space whose dimensions are narrowed step by step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tiling {
    pub(super) launch: Launch,
    /// The slowest first. The product of the extents is the number of threads; no extent is 1, unless it is the only one.
    pub(super) dimensions: Vec<Dimension>,
    /// In the order of their steps.
    pub(super) iterators: Vec<Iterator>,
    /// The steps so far, in source notation.
    pub(super) steps: Vec<SmolStr>,
    pub(super) notation: Notation,
}

/// How the steps of a tiling are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `tile(w: 8, cuda_warp)`, `specialize(0..4, cuda_warp)`: in an item.
    Pipeline,
    /// `threads(8, cuda_warp)`, `threads(0..4, cuda_warp)`: in a kernel.
    Loops,
}

impl Notation {
    pub(super) fn tile(self, name: &str, count: i64, unit: &Unit) -> SmolStr {
        match self {
            Self::Pipeline => format_smolstr!("tile({name}: {count}, {unit})"),
            Self::Loops => format_smolstr!("threads({count}, {unit})"),
        }
    }

    pub(super) fn specialize(self, low: i64, high: i64, unit: &Unit) -> SmolStr {
        match self {
            Self::Pipeline => format_smolstr!("specialize({low}..{high}, {unit})"),
            Self::Loops => format_smolstr!("threads({low}..{high}, {unit})"),
        }
    }
}

/// One dimension of a tiling.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dimension {
    /// How many coordinates it has.
    pub extent: i64,
    /// The distance between neighbours along it, in threads.
    pub pitch: i64,
    /// The operations of the steps on it, each within the box of the one before.
    pub operations: Vec<Operation>,
}

impl Dimension {
    /// How many coordinates one iteration has.
    pub fn taken(&self) -> i64 {
        self.operations.last().map_or(self.extent, |last| last.taken(self.pitch))
    }

    /// Where the threads of the first iteration begin.
    pub fn offset(&self) -> i64 {
        self.operations.iter().map(|operation| operation.offset(self.pitch)).sum()
    }
}

impl Tiling {
    /// All threads of a cluster of `cluster` blocks with `block` threads each.
    ///
    /// # Errors
    /// A size below 1 or beyond what a device can do.
    pub fn new(cluster: i64, block: i64) -> Result<Tiling, ThreadsError> {
        let launch = Launch::new(cluster, block)?;
        let mut dimensions = vec![dimension(cluster, block), dimension(block, 1)];
        dimensions.retain(|dimension| dimension.extent != 1);
        if dimensions.is_empty() {
            dimensions.push(dimension(1, 1));
        }
        Ok(Tiling { launch, dimensions, iterators: Vec::new(), steps: Vec::new(), notation: Notation::Pipeline })
    }

    /// The same tiling; later steps use another notation.
    pub fn written_as(self, notation: Notation) -> Tiling {
        Tiling { notation, ..self }
    }

    /// The launch that the tiling is for.
    pub fn launch(&self) -> Launch {
        self.launch
    }

    /// The dimensions, the slowest first.
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }

    /// The steps in source notation: `tile(w: 8, cuda_warp)`.
    pub fn steps(&self) -> &[SmolStr] {
        &self.steps
    }

    /// The smallest block in which a first step finds `count` units; `None` where no device has such a block, or
    /// where the tiling already has steps.
    pub fn block_for(&self, count: i64, unit: &Unit, each: i64) -> Option<i64> {
        if !self.steps.is_empty() {
            return None;
        }
        let needed = count.checked_mul(each)?;
        let blocks = self.launch.cluster();
        let least = needed.checked_add(blocks - 1)? / blocks;
        let has = |block: &i64| {
            let launch = Tiling::new(blocks, *block);
            launch.is_ok_and(|launch| launch.tile("i", count, unit).is_ok())
        };
        (least..=crate::hardware::MOST_BLOCK_THREADS).find(has)
    }

    /// The iterators, the outermost first.
    pub fn iterators(&self) -> &[Iterator] {
        &self.iterators
    }

    /// The number of an iterator.
    pub fn iterator(&self, name: &str) -> Option<usize> {
        self.iterators.iter().position(|iterator| iterator.name == name)
    }

    /// The distance between the first threads of two consecutive iterations.
    pub fn pitch(&self, iterator: &str) -> Option<i64> {
        self.iterators.get(self.iterator(iterator)?).map(|iterator| iterator.pitch)
    }

    /// How many iterations it has.
    pub fn count(&self, iterator: &str) -> Option<i64> {
        self.iterators.get(self.iterator(iterator)?).map(|iterator| iterator.count)
    }

    /// The extents of the dimensions.
    pub fn domain(&self) -> Vec<i64> {
        self.dimensions.iter().map(|dimension| dimension.extent).collect()
    }

    /// How many coordinates of each dimension one iteration has.
    pub fn taken(&self) -> Vec<i64> {
        self.dimensions.iter().map(Dimension::taken).collect()
    }

    /// Where the threads of the first iteration begin in each dimension.
    pub fn offset(&self) -> Vec<i64> {
        self.dimensions.iter().map(Dimension::offset).collect()
    }

    /// How many threads each iteration has.
    pub fn leaf_threads(&self) -> i64 {
        self.dimensions.iter().map(Dimension::taken).product()
    }

    /// How many iterations all iterators together have.
    pub fn iterations(&self) -> i64 {
        // Different iterations have different threads, so this is at most the number of threads.
        self.iterators.iter().map(|iterator| iterator.count).product()
    }
}

impl fmt::Display for Tiling {
    /// The launch and the steps, in source notation.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.launch.cluster() > 1 {
            write!(formatter, "cluster({}) ", self.launch.cluster())?;
        }
        write!(formatter, "block({})", self.launch.block())?;
        self.steps.iter().try_for_each(|step| write!(formatter, " |> {step}"))
    }
}

fn dimension(extent: i64, pitch: i64) -> Dimension {
    Dimension { extent, pitch, operations: Vec::new() }
}
