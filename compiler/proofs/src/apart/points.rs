//! Two maps of known sizes with few points: every point of one against those of the other that may be related to it.
//!
//! It decides what the search over linear conditions leaves open, as of maps with xor. Points of the second map are found
//! by the lower coordinates that have to be equal, so the cost is that of the points, and of the pairs that agree in these.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::super::check::valid_lower;
use super::super::{Budget, Counterexample, CounterexampleKind, Rule, Verdict};
use super::Relation;
use dims::Sym;
use maps::{Affine, IndexMap, Term, TermId};

/// The most points of one map.
const MOST_POINTS: i64 = 1 << 14;
/// The most pairs of points that are compared.
const MOST_PAIRS: u64 = 1 << 20;

/// A point, and its lower coordinates.
type Reached = (Vec<i64>, Vec<i64>);

/// Decides by trying every pair of points; `None` if a size is not known, or if there are too many.
pub(super) fn decide(maps: [&IndexMap; 2], relation: &[Relation], budget: &Budget<'_>) -> Option<Verdict> {
    let maps = without_common_axes(maps, relation);
    let most = MOST_POINTS.min(i64::try_from(budget.points).unwrap_or(MOST_POINTS));
    let [first, second] = [points(&maps[0], most)?, points(&maps[1], most)?];
    let key = |lower: &[i64], is_first: bool| {
        let parts = lower.iter().zip(relation).filter_map(|(value, relation)| match relation {
            Relation::Ahead(by) if is_first => Some(i128::from(*value) + i128::from(*by)),
            Relation::Ahead(_) => Some(i128::from(*value)),
            _ => None,
        });
        parts.collect::<Vec<i128>>()
    };
    let mut by_key: FxHashMap<Vec<i128>, Vec<Reached>> = FxHashMap::default();
    let mut tried: u128 = 0;
    for (count, point) in Points::of_box(&second).enumerate() {
        if count % 256 == 0 && (budget.cancelled)() {
            return None;
        }
        if let Some(lower) = valid_lower(&maps[1], &point) {
            by_key.entry(key(&lower, false)).or_default().push((point, lower));
        }
    }
    let mut pairs: u64 = 0;
    for (count, point) in Points::of_box(&first).enumerate() {
        if count % 256 == 0 && (budget.cancelled)() {
            return None;
        }
        tried += 1;
        let Some(lower) = valid_lower(&maps[0], &point) else { continue };
        for (other, their) in by_key.get(&key(&lower, true)).into_iter().flatten() {
            pairs += 1;
            if pairs > MOST_PAIRS.min(budget.points) {
                return None;
            }
            let mut both = lower.iter().zip(their).zip(relation);
            if both.all(|((left, right), relation)| relation.holds(*left, *right)) {
                let kind = CounterexampleKind::Collision { first: point, second: other.clone(), lower };
                let counterexample = Counterexample { sizes: Default::default(), kind };
                return Some(Verdict::Refuted { counterexample, obligation: None });
            }
        }
    }
    Some(Verdict::Proven { rule: Rule::EveryPoint(tried) })
}

/// The extents of a map whose sizes are all known, if it has few points.
fn points(map: &IndexMap, most: i64) -> Option<Vec<i64>> {
    let extents: Vec<i64> = map.upper.iter().map(|axis| axis.extent.as_ref()?.as_constant()).collect::<Option<_>>()?;
    let has_symbols = map.symbols().into_iter().next().is_some();
    let count = extents.iter().fold(1i64, |count, extent| count.saturating_mul((*extent).max(0)));
    (!has_symbols && count <= most).then_some(extents)
}

/// Both maps, with one value of each axis that is nothing but a lower coordinate, which has to be equal in both: the
/// others are related in the same way.
fn without_common_axes<'m>(maps: [&'m IndexMap; 2], relation: &[Relation]) -> [Cow<'m, IndexMap>; 2] {
    let mut found = maps.map(Cow::Borrowed);
    for (place, relation) in relation.iter().enumerate() {
        if *relation != Relation::EQUAL {
            continue;
        }
        let axes = [0, 1].map(|side| lone_axis(&found[side], place));
        let [Some(first), Some(second)] = axes else { continue };
        let same = found[0].upper[first].extent == found[1].upper[second].extent;
        let is_one = found[0].upper[first].extent.as_ref().and_then(Sym::as_constant).is_some();
        if same && !is_one {
            for (side, axis) in [first, second].into_iter().enumerate() {
                found[side].to_mut().upper[axis].extent = Some(Sym::one());
            }
        }
    }
    found
}

/// The axis that a lower coordinate is, if the map uses it nowhere else.
fn lone_axis(map: &IndexMap, place: usize) -> Option<usize> {
    let lower = map.lower.get(place).filter(|lower| lower.extent.is_none())?;
    let [(id, factor)] = lower.value.terms.as_slice() else { return None };
    let Some(Term::Coordinate(axis)) = map.term(*id) else { return None };
    let is_alone = lower.value.constant.is_zero() && factor.as_constant() == Some(1);
    let of_axis = |id: &TermId| matches!(map.term(*id), Some(Term::Coordinate(other)) if other == axis);
    let uses = |form: &Affine| form.terms.iter().any(|(id, _)| of_axis(id));
    let used = map.terms.iter().flat_map(Term::operands).any(uses)
        || map.masks.iter().any(|mask| uses(&mask.value))
        || map.lower.iter().enumerate().any(|(other, lower)| other != place && uses(&lower.value));
    (is_alone && !used).then_some(*axis as usize)
}

/// All points of a box, one after the other.
struct Points {
    extents: Vec<i64>,
    next: Option<Vec<i64>>,
}

impl Points {
    fn of_box(extents: &[i64]) -> Self {
        let next = extents.iter().all(|extent| *extent > 0).then(|| vec![0; extents.len()]);
        Self { extents: extents.to_vec(), next }
    }
}

impl Iterator for Points {
    type Item = Vec<i64>;

    fn next(&mut self) -> Option<Vec<i64>> {
        let point = self.next.take()?;
        let mut following = point.clone();
        for place in (0..following.len()).rev() {
            following[place] += 1;
            if following[place] < self.extents[place] {
                self.next = Some(following);
                break;
            }
            following[place] = 0;
        }
        Some(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_points_of_a_box_are_tried_once() {
        assert_eq!(Points::of_box(&[2, 3]).count(), 6);
        assert_eq!(Points::of_box(&[]).count(), 1);
        assert_eq!(Points::of_box(&[4, 0]).count(), 0);
    }
}
