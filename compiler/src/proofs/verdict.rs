//! The answer to a question about a map, with its evidence.

use std::collections::BTreeMap;

use crate::dims::Symbol;

/// The answer to a question about a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Proven {
        /// The rule that proved it, as a sentence that names the theorem: shown in hover.
        rule: String,
    },
    /// It does not hold.
    Refuted {
        /// What a person can check by hand.
        counterexample: Counterexample,
    },
    /// Neither could be shown.
    Open {
        /// A fact over the symbols that would settle it, in the language's syntax, where one is known.
        obligation: Option<String>,
        /// Why it could not be shown, as a sentence.
        reason: String,
    },
}

/// Evidence against a claim. Coordinates are in the map's upper order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The sizes for which it fails, where the map has symbols.
    pub sizes: BTreeMap<Symbol, i64>,
    /// What goes wrong there.
    pub kind: CounterexampleKind,
}

/// What goes wrong.
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
        /// Where it leads.
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
        /// Where the left map leads; `None`: it is invalid there.
        left: Option<Vec<i64>>,
        /// Where the right map leads.
        right: Option<Vec<i64>>,
    },
    /// A comparison of sizes fails for the given sizes.
    Sizes,
    /// The index needs more bits than there are.
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

    pub(crate) fn proven(rule: impl Into<String>) -> Verdict {
        Verdict::Proven { rule: rule.into() }
    }

    pub(crate) fn refuted(kind: CounterexampleKind) -> Verdict {
        Verdict::Refuted { counterexample: Counterexample { sizes: BTreeMap::new(), kind } }
    }

    pub(crate) fn open(reason: impl Into<String>) -> Verdict {
        Verdict::Open { obligation: None, reason: reason.into() }
    }
}
