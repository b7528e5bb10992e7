//! What a condition is, and the list of those that hold.

use rustc_hash::FxHashMap;

use super::value::ValueId;
use dims::CompareOp;

/// A comparison of integers that holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condition {
    pub(super) left: ValueId,
    pub(super) op: CompareOp,
    pub(super) right: ValueId,
}

impl Condition {
    /// The opposite condition.
    pub(super) fn negated(self) -> Self {
        Self { op: self.op.negated(), ..self }
    }
}

/// A condition, and whether it is negated.
pub type Literal = (ValueId, bool);

/// One of several conditions, which holds if all of its comparisons do, and perhaps more.
#[derive(Clone)]
pub(super) struct Alternative {
    pub(super) condition: Literal,
    pub(super) comparisons: Vec<Condition>,
}

/// Conditions of which at least one holds.
#[derive(Clone)]
pub(super) struct Either(pub(super) Vec<Alternative>);

/// The conditions at a program point, as their number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConditionMark {
    pub(super) stated: usize,
    pub(super) unstated: usize,
    pub(super) either: usize,
}

impl ConditionMark {
    /// The same place without any comparison.
    pub(super) fn without_conditions(self) -> Self {
        Self { stated: 0, unstated: 0, ..self }
    }
}

/// The conditions at the current program point.
#[derive(Clone, Default)]
pub(super) struct Conditions {
    pub(super) held: Vec<Condition>,
    /// For each condition, the union of its leaves and those of all earlier conditions.
    pub(super) leaves: Vec<u64>,
    /// For each value without names and casts, the conditions that compare it.
    pub(super) of: FxHashMap<ValueId, Vec<usize>>,
    /// The conditions of which one holds.
    pub(super) either: Vec<Either>,
    /// How many conditions cannot be stated exactly as comparisons. Claims that are proven without them still hold, but
    /// a counterexample may violate one of them.
    pub(super) unstated: usize,
    /// Changes whenever the conditions change. A number is never used again for other conditions.
    pub(super) generation: u32,
    pub(super) generations: u32,
    /// The generation before each condition was added, which is restored when the condition is dropped.
    pub(super) before: Vec<u32>,
}

impl Conditions {
    /// Whether a condition concerns any of these leaves.
    pub(super) fn concern_any(&self, leaves: u64) -> bool {
        self.leaves.last().is_some_and(|compared| compared & leaves != 0)
    }

    pub(super) fn generation(&self) -> u32 {
        self.generation
    }
}
