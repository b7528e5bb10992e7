//! The kernel as loops: every value computed once by name, every access with its map and its offset.
//!
//! Expressions are gone: [`Values`] holds each value that the kernel computes once, by its number, with what is known of it (an
//! interval, a quasi-affine form). What is left of the program is its skeleton: lists of steps that name values, assign
//! variables, store, branch, repeat and wait. Variables are versions: a value is what was computed, and where paths meet, what a
//! variable holds there is a value of its own ([`Node::Merge`]). So two values with one number are equal wherever both can be
//! seen, and whoever prints or compiles a list may compute any of its values at any place where its operands are known.
//!
//! Where threads wait for each other is decided on this level ([`effects`](crate::effects)), and generated code is printed from
//! it. [`lower()`] makes it from a typed kernel; begin reading there.

mod access;
mod forms;
mod iterations;
mod lower;
mod names;
mod print;
mod ranges;
mod sides;
mod truths;
mod values;
mod vectors;

use crate::typed::{Barrier, Local, Scope};
use syntax::span::Span;

pub use access::{Access, AccessId};
pub(crate) use lower::MOST_GUARDS;
pub use lower::lower;
pub use names::{Common, Names, Role, names};
pub(crate) use sides::{Built, MOST_CONDITIONS, Side};
pub(crate) use truths::Truth;
pub use values::{LoopId, Node, Value, ValueId, Values};
pub use vectors::{Group, VectorLoop, vector_loops};

/// A kernel as loops.
pub struct Loops<'k> {
    /// What it computes.
    pub values: Values<'k>,
    /// What it reads and writes.
    pub accesses: Vec<Access>,
    /// What variables hold where paths meet.
    pub merges: Vec<Merge>,
    /// What every thread executes.
    pub body: List,
}

/// What a variable holds where paths meet.
#[derive(Clone, Debug)]
pub struct Merge {
    /// The variable.
    pub local: Local,
    /// What it may hold.
    pub values: Vec<ValueId>,
    /// What decides between the paths.
    pub conditions: Vec<ValueId>,
}

/// Steps that a collective runs one after the other.
#[derive(Clone, Debug)]
pub struct List {
    /// Who runs them.
    pub scope: Scope,
    /// The steps.
    pub steps: Vec<Step>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its number among all statements of the program, outer before inner.
    pub number: usize,
    /// Where it stands in the kernel's item.
    pub span: Span,
    /// The accesses that it makes itself, in the order of evaluation.
    pub accesses: Vec<AccessId>,
    /// What it does.
    pub kind: StepKind,
    /// What variables hold after it where that is none of what they were assigned: paths meet.
    pub after: Vec<(Local, ValueId)>,
}

/// The kinds of steps.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// Gives a variable its value, at its declaration or later.
    Assign {
        /// The variable.
        local: Local,
        /// Its value.
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
    /// Lets the threads of a narrower collective in.
    Collective {
        /// Which threads go in.
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
    /// Threads of a block wait for each other.
    Barrier {
        /// Who waits, and between which accesses.
        barrier: Barrier,
        /// The number by which the waiting threads know each other, where there is one: the first lane that waits, or the
        /// number of the barrier.
        number: Option<ValueId>,
    },
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
    /// The least number of iterations, and the greatest where it is known.
    pub iterations: (i128, Option<i128>),
    /// What variables hold at the start of an iteration, of those that the body assigns.
    pub heads: Vec<(Local, ValueId)>,
    /// What runs in each iteration.
    pub body: List,
}

impl StepKind {
    /// The lists within.
    pub fn lists(&self) -> impl Iterator<Item = &List> {
        let (first, second) = match self {
            Self::For(For { body, .. }) | Self::Collective { body, .. } => (Some(body), None),
            Self::Branch { then, otherwise, .. } => (Some(then), Some(otherwise)),
            Self::Assign { .. } | Self::Store { .. } | Self::Barrier { .. } => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// The values that it needs itself, besides those of its access.
    pub fn values(&self) -> impl Iterator<Item = ValueId> {
        let (first, second) = match self {
            Self::Assign { value, .. } | Self::Store { value, .. } => (Some(*value), None),
            Self::For(For { ends: [low, high], .. }) => (Some(*low), Some(*high)),
            Self::Branch { condition, .. } | Self::Collective { condition, .. } => (Some(*condition), None),
            Self::Barrier { number, .. } => (*number, None),
        };
        first.into_iter().chain(second)
    }
}

impl Loops<'_> {
    /// An access.
    pub fn access(&self, AccessId(number): AccessId) -> Option<&Access> {
        self.accesses.get(number as usize)
    }
}
