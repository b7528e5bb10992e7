//! Counterexamples for symbolic maps: small sizes first, each a question about a map with known sizes.

use std::collections::{BTreeMap, BTreeSet};

use super::{Budget, Verdict};
use crate::dims::{Facts, Sym, Symbol};
use crate::maps::IndexMap;

/// Points that are gone through for one assignment. A claim that fails for some sizes mostly fails for small ones.
const POINTS: u64 = 1 << 12;
/// Steps of the search for a difference for one assignment.
const STEPS: u64 = 2_000;

/// Asks a question for many assignments of sizes to the symbols of maps and other sizes; the first refutation comes
/// back with its sizes.
pub(super) fn refute(
    maps: &[&IndexMap],
    others: &[&Sym],
    facts: &Facts,
    budget: &Budget<'_>,
    mut ask: impl FnMut(&BTreeMap<Symbol, i64>, &Budget<'_>) -> Option<Verdict>,
) -> Option<Verdict> {
    let mut symbols: BTreeSet<Symbol> = maps.iter().flat_map(|map| map.symbols()).collect();
    symbols.extend(others.iter().flat_map(|size| size.symbols()));
    let sizes = maps.iter().flat_map(|map| map.sizes()).chain(others.iter().copied());
    let mut hints: Vec<i64> = sizes.filter_map(Sym::as_constant).filter(|size| *size > 1).collect();
    hints.sort_unstable();
    hints.dedup();
    hints.truncate(4);
    let inner = Budget { points: budget.points.min(POINTS), steps: budget.steps.min(STEPS), ..*budget };
    for sizes in facts.sample_near(&symbols, &hints).take(budget.assignments) {
        if (budget.cancelled)() {
            return None;
        }
        if let Some(Verdict::Refuted { mut counterexample }) = ask(&sizes, &inner) {
            counterexample.sizes = sizes;
            return Some(Verdict::Refuted { counterexample });
        }
    }
    None
}

/// The value of a size under an assignment.
pub(super) fn value(size: &Sym, sizes: &BTreeMap<Symbol, i64>) -> Option<i64> {
    size.evaluate(&|symbol| sizes.get(symbol).copied()).ok()
}
