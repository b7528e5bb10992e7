//! A kernel whose threads wait for each other, cut at its barriers.
//!
//! Threads of a block are loops, so none of them can wait for another one. Instead every stretch of statements between
//! two barriers runs for all threads before the next one begins. A loop that contains a barrier becomes a loop around
//! the loops over the threads, and so does an `if` of which the whole block takes the same side. Where threads differ,
//! as the collectives of a block do, each stretch inside asks every thread whether it takes part. That is one of the
//! orders in which the threads may run, and a kernel without races gives the same results in all of them.
//!
//! A stretch is a program of its own, and its variables start at 0 for every thread. What it reads of the stretches
//! before it is computed again where that is index arithmetic ([`stable`]), and kept in an array with one element per
//! thread where it is not ([`carry`]).

mod carry;
mod members;
mod split;
mod stable;
mod uses;

use std::ops::Range;

use elements::ElementType;
use kernel::typed::{Expr, Kernel, Local, Statement};

use super::usage::Usage;

pub use uses::Uses;

/// A kernel cut at its barriers.
#[derive(Debug)]
pub struct Phased {
    /// The kernel without its body: its own variables and shared arrays, and those that cutting it takes.
    pub kernel: Kernel,
    /// What a block has of each shared array of `kernel`, in order.
    pub arrays: Vec<BlockArray>,
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
    /// One for each thread: a variable that lives across barriers.
    PerThread,
}

/// What the threads of a block do between one barrier and another.
#[derive(Debug)]
pub enum Phase {
    /// Every thread runs the stretch.
    Threads(Stretch),
    /// A loop of the whole block, ascending by one.
    Loop {
        /// The iterator. It is the same for all threads, and no stretch assigns it.
        counter: Local,
        /// What it runs over.
        ends: Ends,
        /// What the block does for each value.
        body: Vec<Phase>,
    },
    /// A branch that the whole block takes.
    If {
        /// The condition.
        condition: Uniform,
        /// What the block does where it holds.
        then: Vec<Phase>,
        /// What it does where it does not.
        otherwise: Vec<Phase>,
    },
}

/// What a loop of the block runs over.
#[derive(Debug)]
pub enum Ends {
    /// From the first expression to one before the second.
    Uniform(Uniform, Uniform),
    /// From the least value of one variable to one before the greatest value of another, among all threads.
    Widest {
        /// Gives each thread's variables their values.
        stretch: Stretch,
        /// The thread's first value; at least `last` for a thread that does not take part.
        first: Local,
        /// One past the thread's last value.
        last: Local,
    },
}

/// Statements that all threads run, or a range of them.
#[derive(Debug)]
pub struct Stretch {
    /// The threads that run them; `None`: all.
    pub threads: Option<Range<i64>>,
    /// The statements.
    pub body: Vec<Statement>,
    /// How they use variables.
    pub usage: Usage,
}

/// A value that all threads of a block agree on.
#[derive(Debug)]
pub struct Uniform {
    /// Assignments of what the value depends on.
    pub before: Vec<Statement>,
    /// The value.
    pub value: Expr,
    /// How both use variables.
    pub usage: Usage,
}

impl Phased {
    /// Cuts a kernel.
    pub fn new(kernel: &Kernel) -> Phased {
        let stable = stable::Stable::new(kernel);
        let (mut kernel, mut body) = split::split(kernel, &stable);
        let arrays = carry::carry(&mut kernel, &stable, &mut body);
        Phased { kernel, arrays, body }
    }
}

#[cfg(test)]
mod tests;
