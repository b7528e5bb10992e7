//! Whether two maps are equal: valid at the same points, with the same lower coordinates there.

use std::borrow::Cow;

use super::small_values::{self, Unproven};
use super::solver::{self, Claim};
use super::{Budget, Reason, Rule, Verdict, enumerate};
use dims::{CompareOp, Fact, Facts, Sym, exact_divisions};
use maps::arithmetic;
use maps::normal::{Condition, NormalMap};
use maps::{IndexMap, MapError, specialize, with_extent};

/// Whether two maps are valid at the same points, with the same lower coordinates there. Where the extents of an
/// upper coordinate differ, points beyond the smaller one are invalid in that map. Different ranks give an open
/// verdict; the caller should report them.
pub fn equal(left: &IndexMap, right: &IndexMap, facts: &Facts, budget: &Budget<'_>) -> Verdict {
    if left.upper.len() != right.upper.len() || left.lower.len() != right.lower.len() {
        return Verdict::open(Reason::DifferentRanks);
    }
    let (first, second) = match with_common_extents(left, right, facts) {
        Ok(maps) => maps,
        Err(error) => return Verdict::open(Reason::ExtentsNotComparable(error)),
    };
    let verdict = decide(left, right, [&first, &second], facts, budget);
    solver::settle(verdict, Claim::Equal { left: &first, right: &second }, facts, budget)
}

/// The verdict on two maps; `first` and `second` are the maps with common extents.
fn decide(
    left: &IndexMap,
    right: &IndexMap,
    [first, second]: [&IndexMap; 2],
    facts: &Facts,
    budget: &Budget<'_>,
) -> Verdict {
    if same_normal_form(first, second, facts) {
        return Verdict::Proven { rule: Rule::SameNormalForm };
    }
    if first.is_constant() && second.is_constant() {
        return enumerate::equal(first, second, budget);
    }
    let unproven = Unproven {
        maps: &[first, second],
        others: &[],
        reason: Reason::DifferentNormalForms,
        settling: || {
            let divisions = exact_divisions(first.sizes().chain(second.sizes()));
            facts.settling(same_extents(left, right).into_iter().chain(divisions), |facts| {
                with_common_extents(left, right, facts)
                    .is_ok_and(|(first, second)| same_normal_form(&first, &second, facts))
            })
        },
    };
    small_values::refute(unproven, facts, budget, |sizes, budget| {
        let (first, second) = (specialize(first, sizes).ok()?, specialize(second, sizes).ok()?);
        Some(enumerate::equal(&first, &second, budget))
    })
}

/// The facts that extents are the same, where they differ in form.
fn same_extents(left: &IndexMap, right: &IndexMap) -> Vec<Fact> {
    let pairs = left.upper.iter().zip(&right.upper);
    let extents = pairs.filter_map(|(left, right)| left.extent.as_ref().zip(right.extent.as_ref()));
    let different = extents.filter(|(left, right)| left != right);
    different.map(|(left, right)| Fact::compare(left.clone(), CompareOp::Eq, right.clone()).simplified()).collect()
}

/// Both maps with the larger of their extents for each upper coordinate.
fn with_common_extents<'m>(
    left: &'m IndexMap,
    right: &'m IndexMap,
    facts: &Facts,
) -> Result<(Cow<'m, IndexMap>, Cow<'m, IndexMap>), MapError> {
    let (mut first, mut second) = (Cow::Borrowed(left), Cow::Borrowed(right));
    for (axis, (left, right)) in left.upper.iter().zip(&right.upper).enumerate() {
        let larger = match (&left.extent, &right.extent) {
            (None, None) => continue,
            (Some(left), Some(right)) if arithmetic::equal(left, right, facts) => continue,
            (Some(left), Some(right)) => Some(Sym::checked_max(left, right, facts)?),
            _ => None,
        };
        first = Cow::Owned(with_extent(&first, axis, larger.clone(), facts)?);
        second = Cow::Owned(with_extent(&second, axis, larger, facts)?);
    }
    Ok((first, second))
}

fn same_normal_form(left: &IndexMap, right: &IndexMap, facts: &Facts) -> bool {
    let Ok((normal, counts)) = NormalMap::of_several(&[left, right], facts) else {
        return false;
    };
    let [(left_lower, left_conditions), _] = counts.as_slice() else {
        return false;
    };
    // The conditions of the coordinates' extents come first and belong to both maps.
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
