//! The steps of a tiling, and the iterators that they introduce.

use smol_str::SmolStr;

/// An iterator of a tiling: a loop whose iterations are distributed over threads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Iterator {
    /// Its name.
    pub name: SmolStr,
    /// How many iterations it has.
    pub count: i64,
    /// The name of the unit that executes one of them.
    pub unit: SmolStr,
    /// The distance between the first threads of two iterations that follow each other; 0 where there is only one.
    pub pitch: i64,
    /// The number of the step in [`Tiling::steps`](super::Tiling::steps).
    pub depth: usize,
}

/// The effect of one step on one dimension of the cluster. Sizes are in threads, so they do not change when the
/// dimension is split.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// The number of the iterator that chooses among the boxes; `None`: there is one box (`specialize`).
    pub iterator: Option<usize>,
    /// The size of the box of one iteration, in threads.
    pub linear_box: i64,
    /// Where the first box begins, in threads from the beginning of the box before.
    pub linear_offset: i64,
    /// The distance between two boxes that follow each other; 0 where there is only one.
    pub pitch: i64,
    /// How many boxes there are.
    pub count: i64,
    /// The number of the step in [`Tiling::steps`](super::Tiling::steps).
    pub depth: usize,
}

impl Operation {
    /// The box in steps of the dimension that the operation is on.
    pub fn taken(&self, pitch: i64) -> i64 {
        self.linear_box / pitch.max(1)
    }

    /// Where the first box begins, in steps of the dimension that the operation is on.
    pub fn offset(&self, pitch: i64) -> i64 {
        self.linear_offset / pitch.max(1)
    }
}
