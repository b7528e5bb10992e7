//! Where a statement stands: its scope, the loops and conditions around it.

use std::collections::BTreeSet;

use dims::Symbol;
use kernel::raise::{Held, ValueId};
use kernel::typed::{Local, Scope};

/// The most cases of a kernel's accesses that are looked at, one by one; an access beyond them is judged as a whole.
const MOST_CASES: usize = 512;

/// Where a statement stands.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) scope: Scope,
    /// Whether a loop over collectives around the statement is wrong, so that it is not known which threads run it.
    pub(super) unknown_threads: bool,
    /// Inside an expression that is evaluated under a condition of its own: the conditions around the whole statement.
    pub(super) of_statement: Option<Held>,
    /// The value of the left operand of the operation that is typed, where it is raised already.
    pub(super) left: Option<ValueId>,
    /// The iterators of the sequential loops around the statement, outermost first.
    pub(super) iterators: Vec<Local>,
    /// How many accesses the index is in that is typed.
    pub(super) accesses: usize,
    /// How many conditions stand around the statement.
    pub(super) conditions: usize,
    /// Whether the kernel's `for … in grid(…)` has been seen.
    pub(super) grid_loop_seen: bool,
    /// How many cases of accesses may still be looked at.
    pub(super) cases: usize,
    /// Every symbol that an expression mentions.
    pub(super) seen_symbols: BTreeSet<Symbol>,
}

impl Default for Context {
    fn default() -> Self {
        Self {
            scope: Scope::Grid,
            unknown_threads: false,
            of_statement: None,
            accesses: 0,
            conditions: 0,
            grid_loop_seen: false,
            left: None,
            iterators: Vec::new(),
            cases: MOST_CASES,
            seen_symbols: BTreeSet::new(),
        }
    }
}
