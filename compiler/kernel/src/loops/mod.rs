//! The kernel as loops: every value once, every access with its map and its offset.
//!
//! Expressions are gone: [`Values`] holds each value that the kernel computes once, by its number, with its
//! properties (an interval, a quasi-affine form). What remains of the program is its control flow: lists of steps
//! that assign variables, store, branch, repeat and wait. As in SSA form, a variable has a new value wherever paths
//! join ([`Node::Merge`]). So two values with one number are equal wherever both are visible, and a list's values may
//! be computed at any place where their operands are known.
//!
//! Barriers are placed on this level ([`effects`](crate::effects)), and generated code is printed from it.
//! [`lower()`] makes it from a typed kernel; begin reading there.

mod access;
mod forms;
mod iterations;
mod jumps;
mod lower;
mod names;
mod node;
mod print;
mod ranges;
mod sides;
mod step;
mod stepped;
mod truths;
mod values;
mod vectors;

pub use access::{Access, AccessId};
pub use jumps::{Jump, Jumps, jumps};
pub(crate) use lower::MOST_GUARDS;
pub use lower::lower;
pub use names::{Common, Names, Role, names};
pub use node::{LoopId, Node, ValueId};
pub(crate) use sides::{Built, MOST_CONDITIONS, Side};
pub use step::{Atomic, For, List, Merge, Shuffle, Step, StepKind};
pub use stepped::{Stepped, stepped_loops};
pub(crate) use truths::Truth;
pub use values::{Value, Values};
pub use vectors::{Group, VectorLoop, vector_loops};

/// A kernel as loops.
pub struct Loops<'k> {
    /// The values it computes.
    pub values: Values<'k>,
    /// Its reads and writes.
    pub accesses: Vec<Access>,
    /// The merges of variables where paths join.
    pub merges: Vec<Merge>,
    /// The steps that every thread executes.
    pub body: List,
}

impl Loops<'_> {
    /// An access.
    pub fn access(&self, AccessId(number): AccessId) -> Option<&Access> {
        self.accesses.get(number as usize)
    }
}
