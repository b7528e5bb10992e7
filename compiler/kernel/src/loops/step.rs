//! What remains of the program: lists of steps.

use super::access::AccessId;
use super::node::{LoopId, ValueId};
use crate::typed::{
    AtomicOperation, Barrier, CopyOrder, Lanes, Local, MemoryOrder, Scope, Taken, ThreadScope, Together,
};
use syntax::span::Span;

/// The value of a variable where paths join (a φ).
#[derive(Clone, Debug)]
pub struct Merge {
    /// The variable.
    pub local: Local,
    /// The values on the paths.
    pub values: Vec<ValueId>,
    /// The conditions that choose between the paths.
    pub conditions: Vec<ValueId>,
}

/// A sequence of steps of one collective.
#[derive(Clone, Debug)]
pub struct List {
    /// The collective.
    pub scope: Scope,
    /// The steps.
    pub steps: Vec<Step>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its number among all statements of the program, outer before inner.
    pub number: usize,
    /// Its span in the kernel's item.
    pub span: Span,
    /// The accesses that it makes itself, in the order of evaluation.
    pub accesses: Vec<AccessId>,
    /// What it does.
    pub kind: StepKind,
    /// The merges of variables after it, where its paths join.
    pub after: Vec<(Local, ValueId)>,
}

/// The kinds of steps.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// Computes a value, and gives it to a variable, at its declaration or later.
    Assign {
        /// The variable; `None` of a value that later steps use without one.
        local: Option<Local>,
        /// The value.
        value: ValueId,
    },
    /// Counts through `low..high`, ascending by one.
    For(For),
    /// Runs one of two lists.
    Branch {
        /// A `bool`.
        condition: ValueId,
        /// Where it holds.
        then: List,
        /// Where it does not.
        otherwise: List,
    },
    /// Runs a list in the threads of a narrower collective.
    Collective {
        /// Which threads take part.
        condition: ValueId,
        /// What they run.
        body: List,
    },
    /// Writes an element.
    Store {
        /// Where.
        access: AccessId,
        /// What.
        value: ValueId,
    },
    /// Reads and changes an element in one step.
    Atomic(Atomic),
    /// Passes values between the threads of a warp.
    Shuffle(Shuffle),
    /// A barrier.
    Barrier {
        /// Which threads wait, and between which accesses.
        barrier: Barrier,
        /// The first waiting lane, or the number of the named barrier, where there is one.
        number: Option<ValueId>,
    },
    /// An order of asynchronous copies.
    Copies(CopyOrder),
}

/// An atomic access.
#[derive(Clone, Debug)]
pub struct Atomic {
    /// What it does.
    pub operation: AtomicOperation,
    /// Where.
    pub access: AccessId,
    /// The operands.
    pub operands: Vec<ValueId>,
    /// The variable that takes the element from before, and its value: [`Node::Load`](super::Node::Load) of the access.
    pub result: Option<(Local, ValueId)>,
    /// What it orders.
    pub order: MemoryOrder,
    /// The threads among which it is one step.
    pub scope: ThreadScope,
}

/// A shuffle.
#[derive(Clone, Copy, Debug)]
pub struct Shuffle {
    /// The variable that takes a value.
    pub local: Local,
    /// The value that it takes: [`Node::Shuffled`](super::Node::Shuffled).
    pub result: ValueId,
    /// What the thread gives.
    pub value: ValueId,
    /// What it takes.
    pub taken: Taken<ValueId>,
    /// The threads that execute it together.
    pub together: Together,
    /// Those of them in the warp of a thread.
    pub lanes: Lanes<ValueId>,
}

impl Shuffle {
    /// The number that says of which lane it takes the value.
    pub fn number(&self) -> Option<ValueId> {
        match self.taken {
            Taken::Lane { number, .. } => Some(number),
            Taken::Votes => None,
        }
    }
}

/// A counted loop.
#[derive(Clone, Debug)]
pub struct For {
    /// The loop.
    pub id: LoopId,
    /// Its variable.
    pub local: Local,
    /// The variable's value in an iteration.
    pub iterator: ValueId,
    /// The first value, and one past the last.
    pub ends: [ValueId; 2],
    /// The least trip count, and the greatest if it is known.
    pub iterations: (i128, Option<i128>),
    /// The merges at the start of an iteration of the variables that the body assigns.
    pub heads: Vec<(Local, ValueId)>,
    /// The merge, one of the heads, with which the loop ends: where it is false at the start of an iteration, neither this one
    /// nor any other does anything. The body tests it itself.
    pub ending: Option<ValueId>,
    /// What runs in each iteration.
    pub body: List,
}

impl StepKind {
    /// The nested lists.
    pub fn lists(&self) -> impl Iterator<Item = &List> {
        let (first, second) = match self {
            Self::For(For { body, .. }) | Self::Collective { body, .. } => (Some(body), None),
            Self::Branch { then, otherwise, .. } => (Some(then), Some(otherwise)),
            Self::Assign { .. }
            | Self::Store { .. }
            | Self::Atomic(_)
            | Self::Shuffle(_)
            | Self::Barrier { .. }
            | Self::Copies(_) => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// The access of a step that writes, or changes, an element.
    pub fn written(&self) -> Option<AccessId> {
        match self {
            Self::Store { access, .. } | Self::Atomic(Atomic { access, .. }) => Some(*access),
            _ => None,
        }
    }

    /// The values that it uses itself, besides those of its access.
    pub fn values(&self) -> impl Iterator<Item = ValueId> {
        let (first, second) = match self {
            Self::Assign { value, .. } | Self::Store { value, .. } => (Some(*value), None),
            Self::For(For { ends: [low, high], .. }) => (Some(*low), Some(*high)),
            Self::Branch { condition, .. } | Self::Collective { condition, .. } => (Some(*condition), None),
            Self::Atomic(atomic) => (atomic.operands.first().copied(), atomic.operands.get(1).copied()),
            Self::Shuffle(Shuffle { value, taken: Taken::Lane { number, .. }, .. }) => (Some(*value), Some(*number)),
            Self::Shuffle(Shuffle { value, taken: Taken::Votes, .. }) => (Some(*value), None),
            Self::Barrier { number, .. } => (*number, None),
            Self::Copies(_) => (None, None),
        };
        let third = match self {
            Self::Shuffle(Shuffle { lanes, .. }) => Some(lanes.first),
            _ => None,
        };
        first.into_iter().chain(second).chain(third)
    }
}
