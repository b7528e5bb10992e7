//! The options of compilation.

use kernel::BoundsChecks;

/// The loops that are vectorised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LaneChoice {
    /// Loops that are estimated to be faster.
    #[default]
    WhereItPays,
    /// All loops that can be vectorised, so that tests cover rare code paths.
    WherePossible,
}

/// The options of compilation.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether accesses are checked.
    pub bounds: BoundsChecks,
    /// The loops that are vectorised.
    pub lanes: LaneChoice,
}

impl Options {
    /// Whether an alternative of estimated cost `new` should replace one of cost `old`; it has to cost at most this
    /// share of it.
    pub fn prefers(self, new: f64, old: f64, share: f64) -> bool {
        self.lanes == LaneChoice::WherePossible || new < share * old
    }
}
