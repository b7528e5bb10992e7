//! The context of a statement: its scope, and the loops and conditions around it.

use std::collections::BTreeSet;

use super::lower::MOST_OPERATIONS;
use super::narrow::Noted;
use crate::diagnostics::SelectAsIf;
use dims::Symbol;
use kernel::raise::{ConditionMark, ValueId};
use kernel::typed::{CollectiveId, Local, Scope};
use syntax::span::Span;

/// The most cases of a kernel's accesses that are checked separately; further accesses are checked as a whole.
const MOST_CASES: usize = 4096;

/// The most values and variables of a kernel that are copied to type the bodies of loops on the side.
const MOST_COPIES: usize = 1 << 20;

/// The context of a statement.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) scope: Scope,
    /// Whether a collective loop around the statement has an error, so that its threads are unknown.
    pub(super) unknown_threads: bool,
    /// Whether a `return` has been reported, so that which threads run what follows is unknown.
    pub(super) left_early: bool,
    /// What a `break` or a `continue` here would leave.
    pub(super) leaving: Leaving,
    /// How many statements around come after one that may have left its loop.
    pub(super) rests: usize,
    /// Inside a conditionally evaluated expression: the conditions around the whole statement.
    pub(super) of_statement: Option<ConditionMark>,
    /// The value of the left operand of the current operation, if it has been raised already.
    pub(super) left: Option<ValueId>,
    /// The last division that was read.
    pub(super) division: Option<Division>,
    /// The arithmetic of narrow integers in the statement.
    pub(super) noted: Vec<Noted>,
    /// The iterators of the sequential loops around the statement, outermost first.
    pub(super) iterators: Vec<Local>,
    /// The iterators of the kernel's loop over the grid.
    pub(super) of_grid: Vec<Local>,
    /// The numbers of the iterations of the loops with steps around the statement, outermost first.
    pub(super) numbers: Vec<Local>,
    /// The iterators of the loops over collectives around the statement, outermost first.
    pub(super) collectives: Vec<(Local, CollectiveId)>,
    /// The `select` of which the current expression is a value.
    pub(super) select: Option<SelectAsIf>,
    /// The number of accesses around the current index.
    pub(super) accesses: usize,
    /// The number of conditions around the statement.
    pub(super) conditions: usize,
    /// Whether the kernel's `for … in grid(…)` has occurred.
    pub(super) grid_loop_seen: bool,
    /// The remaining number of cases that may be checked separately.
    pub(super) cases: usize,
    /// The remaining number of operations that the kernel's indices may take.
    pub(super) operations: usize,
    /// The remaining number of values and variables that may be copied.
    pub(super) copies: usize,
    /// Every symbol in an expression so far.
    pub(super) seen_symbols: BTreeSet<Symbol>,
}

impl Default for Context {
    fn default() -> Self {
        Self {
            scope: Scope::Grid,
            unknown_threads: false,
            left_early: false,
            leaving: Leaving::Nothing,
            rests: 0,
            of_statement: None,
            numbers: Vec::new(),
            select: None,
            accesses: 0,
            conditions: 0,
            grid_loop_seen: false,
            left: None,
            division: None,
            noted: Vec::new(),
            iterators: Vec::new(),
            of_grid: Vec::new(),
            collectives: Vec::new(),
            cases: MOST_CASES,
            operations: MOST_OPERATIONS,
            copies: MOST_COPIES,
            seen_symbols: BTreeSet::new(),
        }
    }
}

/// A division.
#[derive(Clone, Copy, Debug)]
pub(super) struct Division {
    pub(super) span: Span,
    /// The spans of its operands, and their values where these are known numbers.
    pub(super) operands: [(Span, Option<i64>); 2],
}

/// What the statements around a `break` or a `continue` are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Leaving {
    /// No loop.
    #[default]
    Nothing,
    /// A loop one step at a time.
    Loop(Ways),
    /// The iterations of a loop over the threads or the grid, or the threads that a `with` lets in: `threads`, `grid`, `with`. An
    /// iteration may skip the rest of its own body: then this variable says that it has not.
    AtOnce(&'static str, Option<Local>),
}

impl Leaving {
    /// How what is around a statement can be left.
    pub(super) fn ways(self) -> Option<Ways> {
        match self {
            Self::Loop(ways) => Some(ways),
            Self::AtOnce(_, is_open @ Some(_)) => Some(Ways { goes_on: None, is_open }),
            Self::AtOnce(_, None) | Self::Nothing => None,
        }
    }
}

/// How a loop can be left: the variables that say that it has not been.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ways {
    /// False after a `break`.
    pub(super) goes_on: Option<Local>,
    /// False after a `continue`, up to the next iteration.
    pub(super) is_open: Option<Local>,
}
