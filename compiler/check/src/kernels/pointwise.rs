//! The indices of an access that no map states, in every thread.

use smol_str::SmolStr;

use crate::diagnostics::Executor;
use kernel::raise::{Point, Points};

/// The indices of an access in every thread.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pointwise {
    /// The indices.
    pub(super) points: Points,
    /// The names of the iterators.
    pub(super) names: Vec<SmolStr>,
}

impl Pointwise {
    /// Who executes a point.
    pub(super) fn executor(&self, point: &Point<'_>) -> Executor {
        let iterators = self.names.iter().cloned().zip(point.iterators.iter().copied()).collect();
        Executor { thread: Some(point.thread), is_block: false, iterators }
    }
}
