//! Whether two maps are the same: valid at the same points, and leading to the same place there.

use super::small_values::{self, Unproven};
use super::{Budget, Verdict, enumerate};
use crate::dims::{Facts, exact_divisions};
use crate::maps::arithmetic;
use crate::maps::normal::{Condition, NormalMap};
use crate::maps::{IndexMap, specialize};

/// Whether two maps are equal. Both must have the same number of upper coordinates with the same extents, and the
/// same number of lower coordinates; that the numbers differ is the caller's to report.
pub fn equal(left: &IndexMap, right: &IndexMap, facts: &Facts, budget: &Budget<'_>) -> Verdict {
    if left.upper.len() != right.upper.len() || left.lower.len() != right.lower.len() {
        return Verdict::open("the maps have different numbers of coordinates");
    }
    let same_extents = left.upper.iter().zip(&right.upper).all(|(left, right)| match (&left.extent, &right.extent) {
        (None, None) => true,
        (Some(left), Some(right)) => arithmetic::equal(left, right, facts),
        _ => false,
    });
    if !same_extents {
        return Verdict::open("the maps have different upper extents");
    }
    if same_normal_form(left, right, facts) {
        return Verdict::proven("both maps have the same normal form (T7)");
    }
    if left.is_constant() && right.is_constant() {
        return enumerate::equal(left, right, budget);
    }
    let divisions = exact_divisions(left.sizes().chain(right.sizes()));
    let unproven = Unproven {
        maps: &[left, right],
        others: &[],
        reason: "the maps have different normal forms".to_owned(),
        obligation: facts.settling(divisions, |facts| same_normal_form(left, right, facts)),
    };
    small_values::refute(unproven, facts, budget, |sizes, budget| {
        let (left, right) = (specialize(left, sizes).ok()?, specialize(right, sizes).ok()?);
        Some(enumerate::equal(&left, &right, budget))
    })
}

fn same_normal_form(left: &IndexMap, right: &IndexMap, facts: &Facts) -> bool {
    let Ok((normal, counts)) = NormalMap::of_several(&[left, right], facts) else {
        return false;
    };
    let [(left_lower, left_conditions), _] = counts.as_slice() else {
        return false;
    };
    // Conditions that the extents of coordinates left behind come first and belong to both.
    let shared = normal.conditions.len() - counts.iter().map(|(_, conditions)| conditions).sum::<usize>();
    let (first, second) = normal.lower.split_at(*left_lower);
    if first != second {
        return false;
    }
    let own = normal.conditions.get(shared..).unwrap_or(&[]);
    let (first, second) = own.split_at(*left_conditions);
    let implied_by = |condition: &Condition, others: &[Condition]| {
        normal.holds_in_box(condition) || others.iter().any(|other| same(condition, other))
    };
    first.iter().all(|condition| implied_by(condition, second))
        && second.iter().all(|condition| implied_by(condition, first))
}

fn same(left: &Condition, right: &Condition) -> bool {
    left.value == right.value && left.low == right.low && left.high == right.high
}
