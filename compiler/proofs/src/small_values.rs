//! Counterexamples for symbolic maps: each assignment of sizes, small ones first, is a question about a constant map.

use std::collections::{BTreeMap, BTreeSet};

use super::{Budget, Reason, Verdict};
use dims::{Fact, Facts, Sym, Symbol};
use maps::IndexMap;

/// A question about symbolic sizes that is not proven.
pub(super) struct Unproven<'a, Settling: FnOnce() -> Option<Fact>> {
    /// The maps in the question.
    pub(super) maps: &'a [&'a IndexMap],
    /// Other sizes in it.
    pub(super) others: &'a [&'a Sym],
    /// Why it is not proven.
    pub(super) reason: Reason,
    /// Searches for the fact under which it is proven.
    pub(super) settling: Settling,
}

/// Asks the question for many assignments of sizes to its symbols. Returns the first refutation, with its sizes;
/// without one the question is open.
pub(super) fn refute(
    unproven: Unproven<'_, impl FnOnce() -> Option<Fact>>,
    facts: &Facts,
    budget: &Budget<'_>,
    mut ask: impl FnMut(&BTreeMap<Symbol, i64>, &Budget<'_>) -> Option<Verdict>,
) -> Verdict {
    let Unproven { maps, others, reason, settling } = unproven;
    if budget.assignments == 0 {
        return Verdict::Open { obligation: None, reason, deeper: false };
    }
    let obligation = settling();
    let mut symbols: BTreeSet<Symbol> = maps.iter().flat_map(|map| map.symbols()).collect();
    symbols.extend(others.iter().flat_map(|size| size.symbols()));
    let sizes = maps.iter().flat_map(|map| map.sizes()).chain(others.iter().copied());
    let mut hints: Vec<i64> = sizes.filter_map(Sym::as_constant).filter(|size| *size > 1).collect();
    hints.sort_unstable();
    hints.dedup();
    hints.truncate(4);
    let inner = budget.for_one_assignment();
    let mut deeper = false;
    let mut samples = facts.sample_near(&symbols, &hints);
    for sizes in samples.by_ref().take(budget.assignments) {
        if (budget.cancelled)() {
            return Verdict::Open { obligation, reason, deeper: false };
        }
        match ask(&sizes, &inner) {
            Some(Verdict::Refuted { mut counterexample, .. }) => {
                counterexample.sizes = sizes;
                return Verdict::Refuted { counterexample, obligation };
            }
            Some(Verdict::Open { deeper: here, .. }) => deeper |= here,
            Some(Verdict::Proven { .. }) | None => {}
        }
    }
    let deeper = deeper || (budget.can_grow() && samples.next().is_some());
    Verdict::Open { obligation, reason, deeper }
}

/// The value of a size under an assignment.
pub(super) fn value(size: &Sym, sizes: &BTreeMap<Symbol, i64>) -> Option<i64> {
    size.evaluate(&|symbol| sizes.get(symbol).copied()).ok()
}
