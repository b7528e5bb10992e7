//! Splits a kernel at its barriers.
//!
//! The threads of a block are iterations of loops, so none of them can wait for another one. Instead, each barrier
//! region (the steps between two barriers) runs for all threads before the next one begins. A loop that contains a
//! barrier becomes a loop around the loops over the threads, and so does an `if` whose condition is uniform in the
//! block. If control flow diverges, as for the collectives of a block, each region inside tests for every thread
//! whether it takes part. This is one possible order of the threads, and a kernel without races has the same results in
//! all of them.
//!
//! A value from an earlier region is recomputed if it consists of ids, sizes and iterators only
//! ([`kernel::loops::Value::is_lasting`]); otherwise it is kept in an array with one element per thread ([`carry`]).

mod carry;
mod cut;
mod members;
pub mod phase;
mod standing;
mod uses;

use kernel::loops::{LoopId, lower};
use kernel::typed::Kernel;
use rustc_hash::FxHashSet;

use super::program::{needed, roots};
pub use carry::map_of_threads;
use phase::Phased;

impl<'k> Phased<'k> {
    /// Splits a kernel. If `all` is set, unused values are kept. These loops become regions of their own, where all
    /// threads reach them.
    pub fn new(kernel: &'k Kernel, all: bool, own_regions: &FxHashSet<LoopId>) -> Phased<'k> {
        let loops = lower(kernel, &|| ());
        let mut asked = Vec::new();
        roots(&loops, &loops.body.steps, all, &mut asked);
        let needed = needed(&loops, asked);
        let (loops, pieces) = cut::cut(loops, &needed, own_regions);
        carry::carry(loops, needed, pieces, all)
    }
}

#[cfg(test)]
mod tests;
