//! How much work a verdict may cost.

/// Limits on the work for one verdict, and a way to stop it. Every limit counts steps, not time, so that verdicts do
/// not depend on the machine.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// The most points of a map that are gone through.
    pub points: u64,
    /// The most steps of the search for a difference (T10).
    pub steps: u64,
    /// The most assignments of sizes to symbols that are tried in the search for a counterexample.
    pub assignments: usize,
    /// Asked now and then; `true` ends the work with an open verdict.
    pub cancelled: &'a dyn Fn() -> bool,
}

impl<'a> Budget<'a> {
    /// While somebody types: 2²² points.
    pub fn editing(cancelled: &'a dyn Fn() -> bool) -> Budget<'a> {
        Budget { points: 1 << 22, steps: 100_000, assignments: 64, cancelled }
    }

    /// For a check that may take seconds: 2²⁸ points.
    pub fn deep(cancelled: &'a dyn Fn() -> bool) -> Budget<'a> {
        Budget { points: 1 << 28, steps: 100_000_000, assignments: 1000, cancelled }
    }
}

impl Default for Budget<'static> {
    fn default() -> Budget<'static> {
        Budget::editing(&|| false)
    }
}
