//! The answer to a question about a map, with its evidence.

use std::collections::BTreeMap;

use super::{Reason, Rule};
use dims::{Fact, Symbol};
use maps::threads::Mismatch;

/// The answer to a question about a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Proven {
        /// The rule that proved it.
        rule: Rule,
    },
    /// It does not hold.
    Refuted {
        /// A counterexample that a person can check by hand.
        counterexample: Counterexample,
        /// The fact over the symbols under which it would be proven, where one is known.
        obligation: Option<Fact>,
    },
    /// Neither could be shown.
    Open {
        /// The fact over the symbols under which it would be proven, where one is known.
        obligation: Option<Fact>,
        /// Why it could not be shown.
        reason: Reason,
        /// Whether the work was cut short by its budget, and a larger one may decide it.
        deeper: bool,
    },
}

/// Evidence against a claim. Coordinates are in the map's upper order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The sizes for which it fails, where the map has symbols.
    pub sizes: BTreeMap<Symbol, i64>,
    /// The failure.
    pub kind: CounterexampleKind,
}

/// The kind of failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CounterexampleKind {
    /// Two upper coordinates reach one lower coordinate. For a race they belong to different threads.
    Collision {
        /// One upper coordinate.
        first: Vec<i64>,
        /// Another one.
        second: Vec<i64>,
        /// The lower coordinate that both reach.
        lower: Vec<i64>,
    },
    /// A valid upper coordinate leaves the bounds.
    OutOfBounds {
        /// The upper coordinate.
        upper: Vec<i64>,
        /// Its lower coordinates.
        lower: Vec<i64>,
        /// The bounds that it leaves.
        bounds: Vec<i64>,
    },
    /// A lower coordinate that no valid upper coordinate reaches.
    Unwritten {
        /// The lower coordinate.
        lower: Vec<i64>,
    },
    /// Two maps differ here.
    Difference {
        /// The upper coordinate.
        upper: Vec<i64>,
        /// The lower coordinates in the left map; `None`: the point is invalid.
        left: Option<Vec<i64>>,
        /// The same in the right map.
        right: Option<Vec<i64>>,
    },
    /// An iteration of a tiling is executed by other threads than claimed.
    Threads(Mismatch),
    /// A comparison of sizes fails for the given sizes.
    Sizes,
    /// The index needs more bits than are available.
    IndexWidth {
        /// The largest index reached.
        index: i128,
        /// The bits available.
        bits: u32,
    },
}

impl Verdict {
    /// Whether it is proven.
    pub fn is_proven(&self) -> bool {
        matches!(self, Verdict::Proven { .. })
    }

    /// Whether it is refuted.
    pub fn is_refuted(&self) -> bool {
        matches!(self, Verdict::Refuted { .. })
    }

    /// The fact under which it would be proven, where it is not and one is known.
    pub fn obligation(&self) -> Option<&Fact> {
        match self {
            Verdict::Proven { .. } => None,
            Verdict::Refuted { obligation, .. } | Verdict::Open { obligation, .. } => obligation.as_ref(),
        }
    }

    /// Refuted by a counterexample without symbolic sizes.
    pub(crate) fn refuted(kind: CounterexampleKind) -> Verdict {
        let counterexample = Counterexample { sizes: BTreeMap::new(), kind };
        Verdict::Refuted { counterexample, obligation: None }
    }

    /// Open, and more work would not decide it.
    pub fn open(reason: Reason) -> Verdict {
        Verdict::Open { obligation: None, reason, deeper: false }
    }

    /// Open; `deeper` says whether more work may decide it.
    pub(super) fn cut_short(reason: Reason, deeper: bool) -> Verdict {
        Verdict::Open { obligation: None, reason, deeper }
    }

    /// The verdict, deeper also if earlier work on the question was cut short.
    pub(super) fn after_work_cut_short(self, cut: bool) -> Verdict {
        match self {
            Verdict::Open { obligation, reason, deeper } => Verdict::Open { obligation, reason, deeper: deeper || cut },
            decided => decided,
        }
    }
}
