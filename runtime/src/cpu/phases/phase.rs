//! The parts of a block's program, and its arrays.

use std::ops::Range;

use elements::ElementType;
use kernel::loops::{List, ValueId};

use crate::cpu::program::{Program, Taken};

/// A kernel split at its barriers.
pub struct Phased<'k> {
    /// The values of the steps, and the arrays of a block.
    pub program: Program<'k>,
    /// The phases of a block.
    pub body: Vec<Phase>,
}

/// An array of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockArray {
    /// The type of its elements.
    pub element: ElementType,
    /// The number of its elements.
    pub length: ArrayLength,
    /// Whether the elements have to be 0 when the block starts.
    pub cleared: bool,
}

/// The number of elements of a block's array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayLength {
    /// A number of elements, for a shared array of the kernel.
    Elements(i64),
    /// One element for each thread, for a value that lives across barriers.
    PerThread,
}

/// A part of a block's program.
#[derive(Debug)]
pub enum Phase {
    /// A barrier region, which all threads run.
    Threads(Region),
    /// A loop with a trip count that is uniform in the block, ascending by one.
    Loop {
        /// The iterator, uniform in the block.
        iterator: ValueId,
        /// The bounds.
        ends: Ends,
        /// The phases of the body.
        body: Vec<Phase>,
        /// What ends it before its last iteration.
        ending: Option<Ending>,
    },
    /// A branch whose condition is uniform in the block.
    If {
        /// The condition, uniform in the block.
        condition: ValueId,
        /// The phases if it holds.
        then: Vec<Phase>,
        /// The phases otherwise.
        otherwise: Vec<Phase>,
    },
}

/// The bounds of a loop.
#[derive(Debug)]
pub enum Ends {
    /// The first value and the end (exclusive), both uniform in the block.
    Uniform([ValueId; 2]),
    /// The least first value and the greatest end of all threads.
    Widest {
        /// Computes the bounds of each thread.
        region: Region,
        /// The first value and the end of a thread. For a thread that does not run the loop, the first value is at
        /// least the end.
        ends: [ValueId; 2],
    },
}

/// What ends a loop: no thread goes on.
#[derive(Debug)]
pub struct Ending {
    /// Takes what says whether a thread goes on, at the end of an iteration.
    pub region: Region,
    /// Whether a thread goes on.
    pub goes_on: ValueId,
}

/// A barrier region: steps that all threads run, or a range of them.
#[derive(Debug)]
pub struct Region {
    /// Its number among all regions of the kernel.
    pub number: usize,
    /// The threads that run them; `None` means all.
    pub threads: Option<Range<i64>>,
    /// The steps.
    pub body: List,
    /// The values that it takes from arrays.
    pub taken: Taken,
}
