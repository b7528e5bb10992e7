//! Where the threads of a block must wait for each other: placed by the compiler, never written.
//!
//! A barrier is needed between two accesses of one element of a shared array by different threads, one of them a write.
//! It stands before the statement of the second access, in the innermost list of statements that both threads run
//! together, and that all threads run together with them. Where there is no such list the program is wrong: the accesses
//! happen at the same time.

mod alike;
mod memory;
mod simulate;
mod steps;
mod touches;
mod values;
mod waiting;

use std::collections::BTreeMap;

use super::typed::{Barrier, Scope, SharedArray, SharedId, Statement, StatementKind};
use maps::threads::Tiling;
use simulate::Simulation;
use steps::Step;
use syntax::span::Span;
use waiting::Waits;

pub use touches::Touch;

/// The block that runs a body.
pub struct Block<'k> {
    /// How many threads it has.
    pub threads: u32,
    /// The blocks of a cluster.
    pub cluster: i64,
    /// Whether the launch has one cluster only.
    pub one_cluster: bool,
    /// How many variables the kernel has.
    pub locals: usize,
    /// The kernel's collectives.
    pub collectives: &'k [Tiling],
    /// The kernel's shared arrays.
    pub shared: &'k [SharedArray],
}

/// A body with its barriers.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// The statements.
    pub body: Vec<Statement>,
    /// For each shared array, whether an element may be read that nobody wrote.
    pub unwritten: Vec<bool>,
}

/// A barrier that is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Needed {
    scope: Scope,
    array: SharedId,
    /// The access that must be over.
    first: Touch,
    /// The access that must wait.
    second: Touch,
}

/// Why no barrier helps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Two threads access an element at the same time.
    Conflict {
        /// The array.
        array: SharedId,
        /// The element, counted in its storage; `None` where the index is not known.
        element: Option<usize>,
        /// One access.
        first: Touch,
        /// The other one.
        second: Touch,
    },
    /// A barrier would have to stand where not all of its threads come by.
    Unreached {
        /// The array.
        array: SharedId,
        /// The access that must be over.
        first: Touch,
        /// The access that must wait.
        second: Touch,
        /// The `if` or the loop that threads see differently.
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

impl Problem {
    /// The two accesses.
    fn spans(&self) -> (Span, Span) {
        match self {
            Self::Conflict { first, second, .. } | Self::Unreached { first, second, .. } => (first.span, second.span),
            Self::Unsuitable { before, after, .. } => (*before, *after),
            Self::TooMany { after, .. } => (*after, *after),
        }
    }
}

/// Places the barriers of a body.
///
/// # Errors
/// Each pair of accesses that no barrier can keep apart.
pub fn place(body: Vec<Statement>, block: &Block<'_>) -> Result<Placed, Vec<Problem>> {
    let mut needed = BTreeMap::new();
    let steps = steps::steps(&body);
    let mut seen;
    loop {
        let known = needed.clone();
        seen = walk(&steps, block, &mut needed)?;
        // A barrier may be seen to be needed after others have passed the place.
        if needed == known {
            break;
        }
    }
    without_superfluous(&steps, block, &mut needed, &mut seen);
    let unwritten = seen.unwritten;
    let mut waits = Waits::default();
    let mut problems = Vec::new();
    let mut barriers = BTreeMap::new();
    for (number, needed) in needed {
        match waits.waiting(&needed, block) {
            Ok(waiting) => {
                let (before, after) = (needed.first.span, needed.second.span);
                let barrier = Barrier { waiting, before, after };
                let statement = Statement { kind: StatementKind::Barrier(barrier), scope: needed.scope, span: after };
                barriers.insert(number, statement);
            }
            Err(problem) => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let body = steps::with_barriers(body, &mut 0, &mut |number| barriers.remove(&number));
    Ok(Placed { body, unwritten })
}

/// What a walk through a body has seen.
struct Seen {
    /// For each shared array, whether an element may be read that nobody wrote.
    unwritten: Vec<bool>,
    /// How many statements of threads were gone through.
    statements: i64,
}

/// Goes through a body as each block of a cluster does, and adds the barriers that are needed besides those that are there.
fn walk(steps: &[Step<'_>], block: &Block<'_>, needed: &mut BTreeMap<usize, Needed>) -> Result<Seen, Vec<Problem>> {
    let mut seen = Seen { unwritten: vec![false; block.shared.len()], statements: 0 };
    for rank in 0..block.cluster.clamp(1, maps::threads::MOST_BLOCKS) {
        let mut simulation = Simulation::new(block, rank, needed);
        simulation.run(steps);
        if !simulation.problems.is_empty() {
            return Err(simulation.problems);
        }
        seen.unwritten.iter_mut().zip(&simulation.unwritten).for_each(|(all, found)| *all |= found);
        seen.statements = seen.statements.saturating_add(simulation.spent());
    }
    Ok(seen)
}

/// Leaves out every barrier without which the others are enough: one that comes later may have been found to be needed
/// since. Each takes another walk, so it is done where walks are short.
fn without_superfluous(steps: &[Step<'_>], block: &Block<'_>, needed: &mut BTreeMap<usize, Needed>, seen: &mut Seen) {
    let walks = i64::try_from(needed.len()).unwrap_or(i64::MAX);
    if walks < 2 || seen.statements.saturating_mul(walks) > simulate::MOST_STATEMENTS {
        return;
    }
    let numbers: Vec<usize> = needed.keys().copied().collect();
    for number in numbers {
        let mut fewer = needed.clone();
        fewer.remove(&number);
        let kept = fewer.clone();
        if let Ok(found) = walk(steps, block, &mut fewer)
            && fewer == kept
        {
            (*needed, *seen) = (fewer, found);
        }
    }
}
