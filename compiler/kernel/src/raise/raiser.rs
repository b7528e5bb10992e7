//! The raiser: what is known at a program point.

use rustc_hash::FxHashMap;

use super::condition::Conditions;
use super::contents::Memories;
use super::ends::Ends;
use super::value::{Kind, Value, ValueId};
use super::variable::Variables;
use crate::quasi_affine::Terms;
use crate::typed::{Launch, Local};
use dims::{Facts, Sym};
use elements::ElementType;
use maps::Range;

/// A loop whose iterator lies in `low..low + extent`.
#[derive(Clone, Debug)]
pub struct LoopRange {
    /// The least value of the iterator.
    pub low: Sym,
    /// Whether the iterator starts there, rather than at a value from data.
    pub starts_at_low: bool,
    /// The number of iterations; `None` if it is not known as a size.
    pub extent: Option<Sym>,
}

/// What is stated of a value: its distance `from` another one is `by` times a number of which little is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnStride {
    pub(super) from: ValueId,
    pub(super) by: i64,
    pub(super) times: ValueId,
}

/// What is known at a program point: the facts about sizes and the conditions. Where it is equal, the same holds, so
/// the same values have the same forms and bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Knowledge {
    pub(super) facts: u32,
    pub(super) conditions: u32,
    pub(super) unstated: usize,
}

/// Raises the expressions of a kernel while a pass walks through it.
#[derive(Clone)]
pub struct Raiser {
    pub(super) launch: Launch,
    /// The facts about sizes at the current program point.
    pub(super) facts: Facts,
    /// The number of times that the facts have changed.
    pub(super) facts_changed: u32,
    pub(super) values: Vec<Value>,
    pub(super) ids: FxHashMap<(Kind, ElementType), ValueId>,
    /// The terms of all forms.
    pub(super) terms: Terms<ValueId>,
    pub(super) variables: Variables,
    pub(super) loops: FxHashMap<Local, LoopRange>,
    pub(super) conditions: Conditions,
    pub(super) memories: Memories,
    /// The ranges that were stated of values.
    pub(super) ranges: FxHashMap<ValueId, Range>,
    /// The values that lie multiples of a number from another one.
    pub(super) strides: FxHashMap<ValueId, OnStride>,
    /// The intervals of floats, where they say anything.
    pub(super) floats: FxHashMap<ValueId, Ends>,
    /// The number of the current statement. Memory may change between two statements.
    pub(super) statement: u32,
    /// The number of unknown values so far.
    pub(super) fresh: u32,
    /// How many more choices may be bounded by what holds on either side.
    pub(super) choices: u32,
    /// How many more operations may be computed at points.
    pub(super) computed: usize,
    /// Bounds of what was taken not to wrap though the program does not compute it in one step: each has to fit 64 bits with the
    /// sizes of a launch.
    pub(super) must_fit: Vec<Sym>,
}

/// The most values that are visited for one question.
pub(super) const MOST_BOUNDED: u32 = 64;

/// The most choices in a kernel that are bounded by what holds on either side; further ones are by their intervals. A variable that
/// hundreds of conditions change is a choice among choices, which every question about it goes through again.
const MOST_BOUNDED_CHOICES: u32 = 20_000;

/// The most operations that are computed at points of the accesses of a kernel.
const MOST_COMPUTED: usize = 1 << 20;

impl Raiser {
    /// A raiser at the start of a kernel with this launch.
    pub fn new(launch: Launch) -> Self {
        Self {
            launch,
            facts: Facts::empty(),
            facts_changed: 0,
            values: Vec::new(),
            ids: FxHashMap::default(),
            // The size of a form is limited for each value.
            terms: Terms::unlimited(),
            variables: Variables::default(),
            loops: FxHashMap::default(),
            conditions: Conditions::default(),
            memories: Memories::default(),
            ranges: FxHashMap::default(),
            strides: FxHashMap::default(),
            floats: FxHashMap::default(),
            statement: 0,
            fresh: 0,
            choices: MOST_BOUNDED_CHOICES,
            computed: MOST_COMPUTED,
            must_fit: Vec::new(),
        }
    }

    /// Whether the kernel had more choices than are bounded, so that less is known of what stands late in it.
    pub fn has_too_many_choices(&self) -> bool {
        self.choices == 0
    }

    /// Sizes that have to fit 64 bits at launch, for what is known of the kernel to be true.
    pub fn must_fit(&self) -> &[Sym] {
        &self.must_fit
    }

    /// Relies on sizes that fit 64 bits at launch.
    pub fn rely_on_fitting(&mut self, sizes: &[Sym]) {
        for size in sizes {
            if size.as_constant().is_none() && !self.must_fit.contains(size) {
                self.must_fit.push(size.clone());
            }
        }
    }

    /// The number of values so far, as a measure of what a copy costs.
    pub fn cost_of_copy(&self) -> usize {
        self.values.len()
    }

    /// Sets the launch, before the first expression is raised.
    pub fn set_launch(&mut self, launch: Launch) {
        self.launch = launch;
    }

    /// Begins a statement, with the facts about sizes that hold there.
    pub fn begin_statement(&mut self, facts: &Facts) {
        self.statement += 1;
        self.learn(facts);
    }

    /// Takes over the facts about sizes. Those of a size are known once it occurs.
    pub fn learn(&mut self, facts: &Facts) {
        if self.facts != *facts {
            self.facts.clone_from(facts);
            self.facts_changed += 1;
        }
    }

    /// What is known at the current program point.
    pub fn knowledge(&self) -> Knowledge {
        let (conditions, unstated) = (self.conditions.generation(), self.unstated());
        Knowledge { facts: self.facts_changed, conditions, unstated }
    }
}
