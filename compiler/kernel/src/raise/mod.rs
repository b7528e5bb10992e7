//! The one raiser: from typed integer expressions to quasi-affine forms.
//!
//! Whoever walks a typed kernel tells the [`Raiser`] what happens on the way: variables get values, loops are entered,
//! conditions hold and cease to hold. In return it answers what an expression means where the walk stands: the interval of
//! its values, its form (a sum of coefficient · axis with floor divisions, remainders and xors), and whether all threads of
//! the launch see one value.
//!
//! Expressions that are the same have the same [`ValueId`] (value numbering), also through variables: what is known of
//! a value is computed once, when it is first met, so a chain of n variables costs O(n). Only what depends on the conditions
//! around a statement is computed again where these change, within a number of steps. A form beyond a bounded size
//! becomes one unknown.
//!
//! Begin reading with `values` (what a value is), then `forms` and `axes`.

mod axes;
mod cases;
mod conditions;
mod ends;
mod forms;
mod intervals;
mod values;
mod variables;

use rustc_hash::FxHashMap;

use crate::quasi_affine::Terms;
use crate::typed::{Launch, Local};
use dims::{Facts, Sym};
use elements::ElementType;

pub use axes::Axes;
pub use cases::Case;
pub use conditions::{Condition, Held};
pub use forms::Form;
pub use values::ValueId;

use conditions::Conditions;
use forms::no_terms;
use values::{Kind, Value};
use variables::Variables;

/// A loop whose iterator lies in `low..low + extent`.
#[derive(Clone, Debug)]
pub struct LoopRange {
    /// The first value.
    pub low: Sym,
    /// How many values there are; `None`: without an end that is known as a size.
    pub extent: Option<Sym>,
}

/// Raises the expressions of a kernel while somebody walks through it.
pub struct Raiser {
    launch: Launch,
    /// What is known of the sizes.
    facts: Facts,
    values: Vec<Value>,
    ids: FxHashMap<(Kind, ElementType), ValueId>,
    /// What forms are made of.
    terms: Terms<ValueId>,
    variables: Variables,
    loops: FxHashMap<Local, LoopRange>,
    conditions: Conditions,
    /// The number of the statement that the walk is at. Memory may change between two statements.
    statement: u32,
    /// How many values nothing is known of.
    fresh: u32,
}

impl Raiser {
    /// A raiser at the start of a kernel.
    pub fn new(launch: Launch) -> Self {
        Self {
            launch,
            facts: Facts::empty(),
            values: Vec::new(),
            ids: FxHashMap::default(),
            terms: no_terms(),
            variables: Variables::default(),
            loops: FxHashMap::default(),
            conditions: Conditions::default(),
            statement: 0,
            fresh: 0,
        }
    }

    /// Decides the launch, before the first expression is raised.
    pub fn set_launch(&mut self, launch: Launch) {
        self.launch = launch;
    }

    /// Begins a statement, with what is known of the sizes there.
    pub fn begin_statement(&mut self, facts: &Facts) {
        self.statement += 1;
        if self.facts != *facts {
            self.facts.clone_from(facts);
        }
    }
}
