//! Confirms every counterexample by evaluation before it is reported.

use super::{CounterexampleKind, Verdict};
use maps::{AxisRole, IndexMap, evaluate};

/// A refutation if two different valid points of a constant map (of different threads for a race) have the same lower
/// coordinate.
pub(super) fn collision(map: &IndexMap, first: Vec<i64>, second: Vec<i64>, race: bool) -> Option<Verdict> {
    let lower = valid_lower(map, &first)?;
    let differ = map
        .upper
        .iter()
        .zip(first.iter().zip(&second))
        .any(|(axis, (left, right))| left != right && (!race || axis.role == AxisRole::Thread));
    if !differ || valid_lower(map, &second)? != lower {
        return None;
    }
    Some(Verdict::refuted(CounterexampleKind::Collision { first, second, lower }))
}

/// A refutation if a valid point of a constant map leaves `0..bound` in some lower coordinate.
pub(super) fn out_of_bounds(map: &IndexMap, upper: Vec<i64>, bounds: &[i64]) -> Option<Verdict> {
    let lower = valid_lower(map, &upper)?;
    let leaves = lower.iter().zip(bounds).any(|(value, bound)| *value < 0 || value >= bound);
    leaves.then(|| Verdict::refuted(CounterexampleKind::OutOfBounds { upper, lower, bounds: bounds.to_vec() }))
}

/// A refutation if two constant maps differ at a point.
pub(super) fn difference(left: &IndexMap, right: &IndexMap, upper: Vec<i64>) -> Option<Verdict> {
    let (at_left, at_right) = (valid_lower(left, &upper), valid_lower(right, &upper));
    (at_left != at_right)
        .then(|| Verdict::refuted(CounterexampleKind::Difference { upper, left: at_left, right: at_right }))
}

/// The lower coordinates of a point; `None` if it is invalid.
pub(super) fn valid_lower(map: &IndexMap, upper: &[i64]) -> Option<Vec<i64>> {
    evaluate(map, upper, &|_| None).ok().filter(|point| point.valid).map(|point| point.lower)
}
