//! Where the threads of a block must wait for each other: placed by the compiler, never written.
//!
//! What a kernel does to its shared arrays is a set of relations (`regions`): which thread reaches which element in which
//! iteration, under which conditions. Two accesses of one array need a barrier between them unless the prover shows that they
//! never meet in different threads (`meetings`). It stands in the innermost collective that both threads run together, before
//! the statement of the second access (`placement`); where no statement begins between both, or where threads do not come
//! together (`uniform`), and the race is not excluded, the program is wrong. Where a proof is missing and a barrier can
//! stand, it is put. Nothing here goes through threads or iterations one by one.

mod bodies;
mod iterations;

mod meetings;
mod pending;
mod placement;

mod regions;
mod uniform;

mod waiting;
mod written;

use std::cell::Cell;
use std::collections::BTreeMap;

use super::typed::{Barrier, Kernel, SharedId, Statement, StatementKind};
use meetings::Meetings;
use placement::{Placement, Unordered};
use proofs::Budget;
use syntax::span::Span;
use uniform::Uniform;
use waiting::Waits;

pub use meetings::Witness;
pub use placement::Accessed;

/// The steps of the prover for one question.
const STEPS: u64 = 20_000;

/// How often the prover may look around in all questions about one kernel; after that, every question is open.
const MOST_LOOKS: u64 = 100_000;

/// A body with its barriers.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// The statements.
    pub body: Vec<Statement>,
    /// For each shared array, whether an element may be read that nobody wrote.
    pub unwritten: Vec<bool>,
}

/// Why no barrier helps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Two threads may access an element at the same time.
    Race {
        /// The array.
        array: SharedId,
        /// The access that stands first in the text.
        first: Accessed,
        /// The other one.
        second: Accessed,
        /// Two threads that do so; `None` where nothing shows that none do.
        witness: Option<Witness>,
    },
    /// A barrier would have to stand where not all of its threads come by.
    Unreached {
        /// The array.
        array: SharedId,
        /// The access that must be over.
        first: Accessed,
        /// The access that must wait.
        second: Accessed,
        /// Two threads of which one must wait for the other, where they are known.
        witness: Option<Witness>,
        /// The `if` or the loop whose condition is not uniform.
        condition: Span,
    },
    /// The threads that have to wait for each other are no warps and no part of one warp.
    Unsuitable {
        /// The access that must be over.
        before: Span,
        /// The access that must wait.
        after: Span,
        /// How many threads one iteration has.
        threads: i64,
    },
    /// There are more groups of warps with barriers of their own than a block has barriers.
    TooMany {
        /// The access that must wait, at the first barrier that is too much.
        after: Span,
        /// How many there would have to be.
        groups: i64,
    },
}

/// Places the barriers of a kernel that has none. `poll` is called between steps, and may unwind to cancel the work.
///
/// # Errors
/// Each pair of accesses that no barrier can keep apart.
pub fn place(kernel: &Kernel, poll: &dyn Fn()) -> Result<Placed, Vec<Problem>> {
    let mut barriers = BTreeMap::new();
    let mut unwritten = Vec::new();
    if !kernel.shared.is_empty() {
        let looks = Cell::new(0u64);
        let cancelled = || {
            poll();
            looks.set(looks.get() + 1);
            looks.get() > MOST_LOOKS
        };
        let budget = Budget { steps: STEPS, ..Budget::editing(&cancelled) };
        let regions = regions::regions(kernel, poll);
        let uniform = Uniform::new(&regions, &budget);
        let meetings = Meetings::new(&regions, &uniform, &budget, poll);
        let mut placement = Placement::new(&meetings);
        placement.run(&regions.body);
        if !placement.unordered.is_empty() {
            return Err(placement.unordered.into_iter().map(Problem::from).collect());
        }
        placement.without_superfluous(&regions.body);
        unwritten = written::unwritten(&meetings, &regions.body, &budget);
        barriers = statements(placement, kernel)?;
    }
    let body = bodies::with_barriers(kernel.body.clone(), &mut 0, &mut |number| barriers.remove(&number));
    Ok(Placed { body, unwritten })
}

/// The barriers as statements.
fn statements(placement: Placement<'_, '_>, kernel: &Kernel) -> Result<BTreeMap<usize, Statement>, Vec<Problem>> {
    let mut waits = Waits::new(kernel);
    let mut problems = Vec::new();
    let mut barriers = BTreeMap::new();
    for (number, needed) in placement.barriers {
        match waits.waiting(&needed) {
            Ok(waiting) => {
                let barrier = Barrier { waiting, before: needed.before, after: needed.after };
                let kind = StatementKind::Barrier(barrier);
                barriers.insert(number, Statement { kind, scope: needed.scope, span: needed.after });
            }
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(barriers) } else { Err(problems) }
}

impl From<Unordered> for Problem {
    fn from(unordered: Unordered) -> Problem {
        let Unordered { array, first, second, witness, divided_by } = unordered;
        match divided_by {
            Some(condition) => Problem::Unreached { array, first, second, witness, condition },
            None => Problem::Race { array, first, second, witness },
        }
    }
}
