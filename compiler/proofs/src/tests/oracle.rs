//! What is true of a small map, found by looking at every pair of points.

use std::collections::{BTreeMap, BTreeSet};

use crate::{CounterexampleKind, Verdict};
use maps::AxisRole;
use random_maps::{Recipe, Table};

/// Whether no two valid points share a lower coordinate; with `race`, no two of different threads.
pub(crate) fn collision_free(recipe: &Recipe, table: &Table, race: bool) -> bool {
    let threads = |upper: &[i64]| -> Vec<i64> {
        let axes = upper.iter().zip(&recipe.extents);
        axes.filter(|(_, (_, role))| *role == AxisRole::Thread).map(|(value, _)| *value).collect()
    };
    let mut seen: BTreeMap<&Vec<i64>, BTreeSet<Vec<i64>>> = BTreeMap::new();
    for (upper, lower) in table {
        let Some(lower) = lower else { continue };
        let key = if race { threads(upper) } else { upper.clone() };
        seen.entry(lower).or_default().insert(key);
    }
    seen.values().all(|who| who.len() <= 1)
}

pub(crate) fn in_bounds(table: &Table, bounds: &[i64]) -> bool {
    table
        .iter()
        .filter_map(|(_, lower)| lower.as_ref())
        .all(|lower| lower.iter().zip(bounds).all(|(value, bound)| *value >= 0 && value < bound))
}

pub(crate) fn covers(table: &Table, ranges: &[(i64, i64)]) -> bool {
    let reached: BTreeSet<&Vec<i64>> = table.iter().filter_map(|(_, lower)| lower.as_ref()).collect();
    let mut slots: Vec<Vec<i64>> = vec![Vec::new()];
    for (low, high) in ranges {
        slots = slots
            .iter()
            .flat_map(|slot| (*low..*high).map(move |value| slot.iter().copied().chain([value]).collect()))
            .collect();
    }
    slots.iter().all(|slot| reached.contains(slot))
}

/// Holds a verdict against the truth, and its counterexample against the formula.
pub(crate) fn confirm(verdict: &Verdict, truth: bool, recipe: &Recipe, sizes: &BTreeMap<&'static str, i64>) {
    match verdict {
        Verdict::Proven { rule } => assert!(truth, "wrongly proven: {rule}\n{recipe:?}\n{sizes:?}"),
        Verdict::Open { .. } => {}
        Verdict::Refuted { counterexample, .. } => {
            assert!(!truth, "wrongly refuted: {counterexample:?}\n{recipe:?}\n{sizes:?}");
            let inside = |upper: &[i64]| {
                upper.iter().zip(&recipe.extents).all(|(value, (extent, _))| (0..extent.value(sizes)).contains(value))
            };
            let at = |upper: &[i64]| {
                assert!(inside(upper), "{counterexample:?}\n{recipe:?}");
                recipe.at(upper, sizes)
            };
            match &counterexample.kind {
                CounterexampleKind::Collision { first, second, lower } => {
                    assert_ne!(first, second);
                    assert_eq!(at(first).as_ref(), Some(lower), "{counterexample:?}\n{recipe:?}");
                    assert_eq!(at(second).as_ref(), Some(lower), "{recipe:?}");
                }
                CounterexampleKind::OutOfBounds { upper, lower, bounds } => {
                    assert_eq!(at(upper).as_ref(), Some(lower), "{recipe:?}");
                    assert!(lower.iter().zip(bounds).any(|(value, bound)| *value < 0 || value >= bound));
                }
                CounterexampleKind::Unwritten { lower } => {
                    assert!(recipe.table(sizes).iter().all(|(_, found)| found.as_ref() != Some(lower)), "{recipe:?}");
                }
                CounterexampleKind::Difference { .. }
                | CounterexampleKind::IndexWidth { .. }
                | CounterexampleKind::Sizes
                | CounterexampleKind::Threads(_) => {}
            }
        }
    }
}
