//! What is known where a statement stands: its scope, the loops around it, the conditions that hold.

use std::collections::BTreeSet;

use dims::{CompareOp, Facts, Sym, Symbol};
use kernel::typed::{Expr, Local, Scope};

/// A loop whose iterator lies in `low..low + extent`.
#[derive(Clone, Debug)]
pub(super) struct LoopAxis {
    pub(super) local: Local,
    pub(super) low: Sym,
    /// `None`: without an end that is known as a size.
    pub(super) extent: Option<Sym>,
}

/// A comparison of integers that holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Guard {
    pub(super) left: Expr,
    pub(super) op: CompareOp,
    pub(super) right: Expr,
}

/// Where a statement stands.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) scope: Scope,
    /// Whether a loop over collectives around the statement is wrong, so that nobody knows which threads run it.
    pub(super) unknown_threads: bool,
    pub(super) loops: Vec<LoopAxis>,
    pub(super) guards: Vec<Guard>,
    /// Inside an expression that is evaluated under a condition of its own: how many of the guards stand around the
    /// whole statement.
    pub(super) statement_guards: Option<usize>,
    /// What was known of the sizes when the statement began.
    pub(super) facts: Facts,
    /// Conditions around the statement that no guard states exactly. Claims proven without them still hold;
    /// a counterexample may be one that they exclude.
    pub(super) unstated_conditions: usize,
    /// The iterators of the sequential loops around the statement, outermost first.
    pub(super) iterators: Vec<Local>,
    /// How many conditions stand around the statement.
    pub(super) conditions: usize,
    /// Whether the kernel's `for … in grid(…)` has been seen.
    pub(super) grid_loop_seen: bool,
    /// Every symbol that an expression mentions.
    pub(super) seen_symbols: BTreeSet<Symbol>,
}

impl Default for Context {
    fn default() -> Self {
        Self {
            scope: Scope::Grid,
            unknown_threads: false,
            loops: Vec::new(),
            guards: Vec::new(),
            statement_guards: None,
            facts: Facts::empty(),
            unstated_conditions: 0,
            conditions: 0,
            grid_loop_seen: false,
            iterators: Vec::new(),
            seen_symbols: BTreeSet::new(),
        }
    }
}
