//! A kernel whose threads wait for each other, cut at its barriers.
//!
//! Threads of a block are loops, so none of them can wait for another one. Instead every stretch of steps between
//! two barriers runs for all threads before the next one begins. A loop that contains a barrier becomes a loop around
//! the loops over the threads, and so does an `if` of which the whole block takes the same side. Where threads differ,
//! as the collectives of a block do, each stretch inside asks every thread whether it takes part. That is one of the
//! orders in which the threads may run, and a kernel without races gives the same results in all of them.
//!
//! What a stretch needs of those before it is computed again where it is made of ids, sizes and iterators alone
//! ([`kernel::loops::Value::is_lasting`]), and kept in an array with one element per thread where it is not ([`carry`]).

mod carry;
mod cut;
mod members;
mod uses;

use std::ops::Range;

use elements::ElementType;
use kernel::loops::{List, ValueId, lower};
use kernel::typed::Kernel;

use super::program::{Program, Taken, needed, roots};

/// A kernel cut at its barriers.
pub struct Phased<'k> {
    /// The steps' values, and the arrays of a block.
    pub program: Program<'k>,
    /// What a block does.
    pub body: Vec<Phase>,
}

/// An array of which a block has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockArray {
    /// The type of its elements.
    pub element: ElementType,
    /// How many there are.
    pub length: ArrayLength,
    /// Whether the elements have to be 0 when the block starts.
    pub cleared: bool,
}

/// The number of elements of a block's array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayLength {
    /// So many: a shared array of the kernel.
    Elements(i64),
    /// One for each thread: a value that lives across barriers.
    PerThread,
}

/// What the threads of a block do between one barrier and another.
#[derive(Debug)]
pub enum Phase {
    /// Every thread runs the stretch.
    Threads(Stretch),
    /// A loop of the whole block, ascending by one.
    Loop {
        /// The iterator, the same for all threads.
        iterator: ValueId,
        /// What it runs over.
        ends: Ends,
        /// What the block does for each value.
        body: Vec<Phase>,
    },
    /// A branch that the whole block takes.
    If {
        /// The condition, uniform in the block.
        condition: ValueId,
        /// What the block does where it holds.
        then: Vec<Phase>,
        /// What it does where it does not.
        otherwise: Vec<Phase>,
    },
}

/// What a loop of the block runs over.
#[derive(Debug)]
pub enum Ends {
    /// From the first value to one before the second, both uniform in the block.
    Uniform([ValueId; 2]),
    /// From the least first value to one before the greatest second one, among all threads.
    Widest {
        /// Computes them.
        stretch: Stretch,
        /// For a thread that does not take part, the first is at least the second.
        ends: [ValueId; 2],
    },
}

/// Steps that all threads run, or a range of them.
#[derive(Debug)]
pub struct Stretch {
    /// The threads that run them; `None`: all.
    pub threads: Option<Range<i64>>,
    /// The steps.
    pub body: List,
    /// The values that it takes from arrays.
    pub taken: Taken,
}

impl<'k> Phased<'k> {
    /// Cuts a kernel. Where `all` is set, nothing is left out because nobody needs it.
    pub fn new(kernel: &'k Kernel, all: bool) -> Phased<'k> {
        let loops = lower(kernel, &|| ());
        let mut asked = Vec::new();
        roots(&loops, &loops.body.steps, all, &mut asked);
        let needed = needed(&loops, asked);
        let (loops, pieces) = cut::cut(loops, &needed);
        carry::carry(loops, needed, pieces)
    }
}

#[cfg(test)]
mod tests;
