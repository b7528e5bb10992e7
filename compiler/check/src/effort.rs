//! The effort of one item: what its questions about sizes may cost together.
//!
//! Every query that asks such questions computes its result here, so that none is charged to another one, and what an item
//! costs grows with its text alone.

use crate::db::{Db, Item, declared};
use crate::diagnostics::{self, CutShort, Diagnostic};
use crate::settings;
use dims::effort::{part, within};
use proofs::Effort;

/// What the questions of an item may cost while a file is edited, in terms of polynomials: about a fifth of a second. Most
/// items need a few thousand.
const EDITING_TERMS: u64 = 1 << 21;
/// The same for `check --deep`: about half a minute.
const DEEP_TERMS: u64 = 1 << 28;
/// The share of a search for a fact that would settle a claim.
const FRACTION_OF_ADVICE: u64 = 16;
/// All candidates of a kernel together may cost so many times as much as one item.
const ITEMS_OF_CANDIDATES: u64 = 2;

fn most(db: &dyn Db) -> u64 {
    match settings::effort(db) {
        Effort::Editing => EDITING_TERMS,
        Effort::Deep => DEEP_TERMS,
    }
}

/// Computes something of an item within its effort. Also returns a diagnostic if that was not enough.
pub fn of_item<T>(db: &dyn Db, item: Item, work: impl FnOnce() -> T) -> (T, Option<Diagnostic>) {
    let done = within(most(db), work);
    let name = || {
        let tree = item.tree(db);
        let parsed = tree.item.as_ref()?;
        Some(declared(&parsed.kind).first().map_or(parsed.span, |name| name.span))
    };
    let found = done.cut_short.then(name).flatten();
    (done.result, found.map(|span| diagnostics::checks_cut_short(span, CutShort::Sizes(settings::effort(db)))))
}

/// Checks the candidates of a kernel within the effort of several items.
pub(crate) fn of_candidates<T>(db: &dyn Db, work: impl FnOnce() -> T) -> T {
    within(most(db).saturating_mul(ITEMS_OF_CANDIDATES), work).result
}

/// Checks one of them, which may cost as much as an item. What is found is nothing if that was not enough: it may merely not
/// have been shown.
pub(crate) fn of_candidate<T>(db: &dyn Db, work: impl FnOnce() -> T) -> Option<T> {
    let done = part(most(db), work);
    (!done.cut_short).then_some(done.result)
}

/// Searches for advice within a fraction of an item's effort.
pub(crate) fn of_advice<T>(db: &dyn Db, work: impl FnOnce() -> T) -> T {
    part(most(db) / FRACTION_OF_ADVICE, work).result
}
