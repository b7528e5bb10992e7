//! What is asked of the code of a kernel.

use kernel::LaunchBounds;

/// Which loops run several iterations at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LaneChoice {
    /// Those where it is estimated to be faster.
    #[default]
    WhereItPays,
    /// All that can. For tests, which want to see the rare paths too.
    WherePossible,
}

/// What is asked of the code of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether accesses are checked.
    pub bounds: LaunchBounds,
    /// Which loops run in lanes.
    pub lanes: LaneChoice,
}

impl Options {
    /// Whether something estimated to cost `new` should take the place of something that costs `old`, being wanted to
    /// cost at most this share of it.
    pub fn prefers(self, new: f64, old: f64, share: f64) -> bool {
        self.lanes == LaneChoice::WherePossible || new < share * old
    }
}
