//! The kinds of barriers on a GPU: of the whole block, of lanes of a warp, or of some warps.

use std::ops::Range;

use super::Problem;
use super::placement::Needed;
use crate::collectives::{self, groups, lanes, length};
use crate::typed::{Kernel, Scope, Waiting};
use maps::hardware::{BARRIERS, WARP_LANES};
use maps::threads::Tiling;

/// The named barriers of a block, without barrier 0, which is the whole block's.
const NUMBERED: i64 = BARRIERS - 1;

/// The numbers of named barriers given out so far.
pub(super) struct Waits<'k> {
    kernel: &'k Kernel,
    threads: i64,
    /// Tilings with the first of their numbers. The same threads use the same barrier.
    numbers: Vec<(Tiling, i64)>,
    next: i64,
}

impl<'k> Waits<'k> {
    pub fn new(kernel: &'k Kernel) -> Waits<'k> {
        // A kernel with shared arrays has a known number of threads in a block.
        let threads = kernel.launch.threads.as_constant().unwrap_or(0);
        Waits { kernel, threads, numbers: Vec::new(), next: 0 }
    }

    /// Which threads wait at a barrier.
    pub fn waiting(&mut self, needed: &Needed) -> Result<Waiting, Problem> {
        let Scope::Threads(collective) = needed.scope else { return Ok(Waiting::Block) };
        let Some(tiling) = self.kernel.collectives.get(collective) else { return Ok(Waiting::Block) };
        let groups = groups(tiling, self.threads);
        let threads = groups.first().map_or(0, |group| length(group));
        if threads == self.threads {
            return Ok(Waiting::Block);
        }
        if let Some(lanes) = lanes(&groups) {
            let first = collectives::remainder(collectives::first_thread(tiling), WARP_LANES);
            return Ok(Waiting::Warp { lanes, first });
        }
        let whole = |run: &Range<i64>| run.start % WARP_LANES == 0 && run.end % WARP_LANES == 0;
        let (Ok(count), true) = (u32::try_from(threads), groups.iter().flatten().all(whole)) else {
            return Err(Problem::Unsuitable { before: needed.before, after: needed.after, threads });
        };
        let number = self
            .number(tiling)
            .ok_or_else(|| Problem::TooMany { after: needed.after, groups: self.next + tiling.iterations() })?;
        Ok(Waiting::Warps { id: collectives::offset(collectives::instance(tiling), number), threads: count })
    }

    /// The number of the barrier of a tiling's first iteration.
    fn number(&mut self, tiling: &Tiling) -> Option<i64> {
        if let Some((_, number)) = self.numbers.iter().find(|(known, _)| known == tiling) {
            return Some(*number);
        }
        let number = 1 + self.next;
        (self.next + tiling.iterations() <= NUMBERED).then(|| {
            self.next += tiling.iterations();
            self.numbers.push((tiling.clone(), number));
            number
        })
    }
}
