//! How much work a verdict may cost.

use super::Solver;

/// The effort of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Effort {
    /// While a file is being edited: answers in milliseconds.
    #[default]
    Editing,
    /// `check --deep`: a verdict may take seconds.
    Deep,
}

/// Limits on the work for one verdict, and a way to stop it. Every limit counts steps, not time, so that verdicts do
/// not depend on the machine.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// The most points of a map that are enumerated.
    pub points: u64,
    /// The most steps of the search for a difference (T10).
    pub steps: u64,
    /// The most assignments of sizes to symbols that are tried in the search for a counterexample. With 0 a question is
    /// proven or open.
    pub assignments: usize,
    /// `points` of the next larger budget, 0 if there is none: tells whether more effort may help.
    pub more_points: u64,
    /// Polled now and then; `true` ends the work with an open verdict.
    pub cancelled: &'a dyn Fn() -> bool,
    /// Asked where a question would otherwise stay open.
    pub solver: Option<&'a dyn Solver>,
}

/// 2²² points take milliseconds, 2²⁸ seconds.
const EDITING_POINTS: u64 = 1 << 22;
const DEEP_POINTS: u64 = 1 << 28;

impl<'a> Budget<'a> {
    /// The limits for an effort.
    pub fn for_effort(effort: Effort, cancelled: &'a dyn Fn() -> bool) -> Budget<'a> {
        match effort {
            Effort::Editing => Budget::editing(cancelled),
            Effort::Deep => Budget::deep(cancelled),
        }
    }

    /// While a file is being edited: 2²² points.
    pub fn editing(cancelled: &'a dyn Fn() -> bool) -> Budget<'a> {
        Budget {
            points: EDITING_POINTS,
            steps: 100_000,
            assignments: 64,
            more_points: DEEP_POINTS,
            cancelled,
            solver: None,
        }
    }

    /// For a check that may take seconds: 2²⁸ points.
    pub fn deep(cancelled: &'a dyn Fn() -> bool) -> Budget<'a> {
        Budget { points: DEEP_POINTS, steps: 100_000_000, assignments: 1000, more_points: 0, cancelled, solver: None }
    }

    /// The limits for one of many assignments of sizes. A claim that fails for some sizes mostly fails for small
    /// ones, so little work is enough: 2¹² points while a file is being edited.
    pub(crate) fn for_one_assignment(&self) -> Budget<'a> {
        Budget { points: self.points >> 10, steps: self.steps / 50, more_points: self.more_points >> 10, ..*self }
    }

    /// The limits for a caller that asks no more than whether a claim is proven: neither a counterexample nor a fact that
    /// would settle it is searched for, which costs many times the proof.
    #[must_use]
    pub fn for_proofs(&self) -> Budget<'a> {
        Budget { assignments: 0, ..*self }
    }

    /// Whether there is a larger budget.
    pub(super) fn can_grow(&self) -> bool {
        self.more_points > 0
    }
}

impl Default for Budget<'static> {
    fn default() -> Budget<'static> {
        Budget::editing(&|| false)
    }
}
