//! Barriers: the compiler places them, programs never write them.
//!
//! The effects of a kernel on its shared arrays, and on the tensors through which the threads of a block pass elements,
//! are relations (`regions`): which thread reaches which element in which iteration, under which conditions. Two
//! accesses of one memory need a barrier between them unless the prover shows that they never conflict (`conflicts`).
//! The barrier goes into the innermost collective that both threads run together, before the statement of the second
//! access (`placement`). If no statement begins between both, or if control flow is divergent there (`uniform`), and the
//! race cannot be excluded, the program is refused. Where a proof is missing but a barrier is possible, one is placed.
//! Nothing here enumerates threads or iterations.

mod bodies;
mod copies;
mod iterations;

mod conflicts;
mod pending;
mod placement;

mod lanes;
mod regions;
mod subjects;
mod together;
mod uniform;

mod waiting;
mod written;

use std::cell::Cell;
use std::collections::BTreeMap;

use super::typed::{Barrier, CopyOrder, Kernel, Memory, Residence, Statement, StatementKind, Together};
use conflicts::Conflicts;
use placement::{Placement, Unordered};
use proofs::Budget;
use syntax::span::Span;
use uniform::Uniform;
use waiting::Waits;

pub use conflicts::{Evidence, Witness};
pub use placement::Accessed;

/// The most steps of the prover for one question.
const STEPS: u64 = 20_000;

/// The most steps for one kernel, counted where the prover polls cancellation; after that, every question is open.
const MOST_LOOKS: u64 = 100_000;

/// A body with its barriers.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// The statements.
    pub body: Vec<Statement>,
    /// For each shared array, whether an element may be read before it is written.
    pub unwritten: Vec<bool>,
}

/// Why no barrier helps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A race: two threads may access an element without order.
    Race {
        /// The memory of the element.
        memory: Memory,
        /// The access that is first in the text.
        first: Accessed,
        /// The other one.
        second: Accessed,
        /// Two such threads, if they are known.
        evidence: Evidence,
    },
    /// A barrier would be needed in divergent control flow.
    Unreached {
        /// The memory of the element.
        memory: Memory,
        /// The access before the barrier.
        first: Accessed,
        /// The access after the barrier.
        second: Accessed,
        /// Two threads of which one must wait for the other, if they are known.
        evidence: Evidence,
        /// The `if` or loop whose condition is not uniform.
        condition: Span,
    },
    /// The threads of the barrier are neither whole warps nor a part of one warp.
    Unsuitable {
        /// The access before the barrier.
        before: Span,
        /// The access after the barrier.
        after: Span,
        /// How many threads one iteration has.
        threads: i64,
    },
    /// Only some of the threads may come to a shuffle that they execute together.
    Apart {
        /// The expression that passes values.
        at: Span,
        /// The threads that would have to come.
        together: Together,
        /// What keeps the others away.
        reason: Reason,
    },
    /// More groups of warps need barriers of their own than a block has.
    TooMany {
        /// The access after the first barrier beyond the limit.
        after: Span,
        /// How many barriers would be needed.
        groups: i64,
    },
}

impl Problem {
    /// The memory of the element that two threads access, if that is the problem.
    pub fn memory(&self) -> Option<Memory> {
        match self {
            Problem::Race { memory, .. } | Problem::Unreached { memory, .. } => Some(*memory),
            Problem::Unsuitable { .. } | Problem::Apart { .. } | Problem::TooMany { .. } => None,
        }
    }
}

/// What may keep threads away from a place to which all have to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The condition of this `if`, or the ends of this loop, may differ between them.
    Condition(Span),
    /// This loop over collectives, or `with`, is for some of them only.
    Threads(Span),
    /// There are more kinds of collectives in the kernel than are told apart.
    TooManyKinds,
    /// The steps for the kernel ran out before it was known whether the condition of this `if`, or the ends of this loop, may differ.
    OutOfSteps(Span),
}

/// Whether [`place`] would leave a kernel as it is: most have neither shared arrays nor collectives, and need no copy.
pub fn is_placed(kernel: &Kernel) -> bool {
    let has_shared = !kernel.shared.is_empty() || !kernel.exchanged.is_empty();
    !has_shared && bodies::are_plain(&kernel.body) && !kernel.has_shuffles()
}

/// Places the barriers of a kernel that has none. `poll` is called between steps, and may unwind to cancel the work.
///
/// # Errors
/// Each pair of accesses that no barrier can order, and each place to which only some of the threads may come that pass values
/// to each other there.
pub fn place(kernel: &Kernel, poll: &dyn Fn()) -> Result<Placed, Vec<Problem>> {
    placed(kernel, true, poll)
}

/// The same in another form of a kernel that was placed: its shuffles have all of their threads.
///
/// # Errors
/// Each pair of accesses that no barrier can order.
pub(crate) fn place_again(kernel: &Kernel, poll: &dyn Fn()) -> Result<Placed, Vec<Problem>> {
    placed(kernel, false, poll)
}

fn placed(kernel: &Kernel, is_new: bool, poll: &dyn Fn()) -> Result<Placed, Vec<Problem>> {
    let mut barriers = BTreeMap::new();
    let mut unwritten = Vec::new();
    let mut orders = copies::Orders::default();
    let has_shared = !kernel.exchanged.is_empty() || kernel.shared.iter().any(|array| array.held == Residence::Shared);
    if has_shared || is_new && kernel.has_shuffles() {
        let looks = Cell::new(0u64);
        let cancelled = || {
            poll();
            looks.set(looks.get() + 1);
            looks.get() > MOST_LOOKS
        };
        let budget = Budget { steps: STEPS, ..Budget::editing(&cancelled) };
        let regions = regions::regions(kernel, poll);
        let uniform = Uniform::new(&regions, &budget, poll);
        let apart = if is_new { together::apart(&regions, &uniform) } else { Vec::new() };
        if !apart.is_empty() {
            return Err(apart);
        }
        let conflicts = Conflicts::new(&regions, &uniform, &budget, poll);
        let mut placement = Placement::new(&conflicts);
        placement.run(&regions.body);
        if !placement.unordered.is_empty() {
            return Err(placement.unordered.into_iter().map(Problem::from).collect());
        }
        placement.without_superfluous(&regions.body);
        placement.wait_again(&regions.body);
        unwritten = written::unwritten(&conflicts, &regions.body, &budget);
        orders = copies::orders(&conflicts, &placement, &regions.body);
        barriers = statements(placement, kernel)?;
    }
    let mut around = |number: usize| {
        let order = |order: Option<CopyOrder>| order.map(bodies::ordered);
        let before = order(orders.before.remove(&number)).into_iter().chain(barriers.remove(&number)).collect();
        bodies::Around { before, after: order(orders.after.remove(&number)).into_iter().collect() }
    };
    let body = bodies::with_barriers(kernel.body.clone(), &mut 0, &mut around);
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
        let Unordered { memory, first, second, evidence, divergence } = unordered;
        match divergence {
            Some(condition) => Problem::Unreached { memory, first, second, evidence, condition },
            None => Problem::Race { memory, first, second, evidence },
        }
    }
}
