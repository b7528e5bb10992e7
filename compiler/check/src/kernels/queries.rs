//! The queries about kernels: the typed kernel, proofs about its accesses, its barriers, and hints. They are separate,
//! so that an editor gets the meaning of a name without waiting for proofs.

use std::sync::Arc;

use super::as_sizes;
use super::checker::Supposed;
use super::free_types;
use super::hints::Hints;
use super::prover::Prover;
use super::results::{CheckedKernel, PlacedKernel, ProvenKernel, RefutedAccess, TypedKernel};
use super::waits;
use crate::db::{Db, Item};
use crate::diagnostics::{self, Diagnostic, Diagnostics, Severity};
use crate::discard::Large;
use crate::effort;
use crate::generics::{Generics, generic_parameters};
use kernel::typed::Kernel;
use syntax::tree::ItemKind;

/// The most tokens that are checked for the candidates of a kernel, each time for other values of its generic parameters.
const MOST_CANDIDATE_TOKENS: usize = 1 << 18;

/// Types an instance of a kernel item.
#[salsa::tracked(lru = 1024)]
pub fn typed_instance(db: &dyn Db, item: Item, generics: Generics) -> Arc<Large<TypedKernel>> {
    let (mut typed, cut_short) = effort::of_item(db, item, || typed(db, item, generics));
    typed.diagnostics.extend(cut_short);
    Arc::new(Large::new(typed))
}

fn typed(db: &dyn Db, item: Item, generics: Generics) -> TypedKernel {
    match item.tree(db).item.as_ref().map(|parsed| &parsed.kind) {
        Some(ItemKind::Kernel(kernel)) => free_types::typed(db, item, &generics, kernel, &Supposed::default()),
        _ => TypedKernel::default(),
    }
}

/// Proves the claims of an instance's accesses.
#[salsa::tracked(lru = 1024)]
pub fn proven_instance(db: &dyn Db, item: Item, generics: Generics) -> Arc<Large<ProvenKernel>> {
    let typed = typed_instance(db, item, generics);
    let (mut proven, cut_short) = effort::of_item(db, item, || {
        let mut proven = Prover::new(db, item, typed).prove();
        effort::of_advice(db, || as_sizes::advise(db, item, typed, &mut proven.diagnostics));
        proven
    });
    proven.diagnostics.extend(cut_short);
    Arc::new(Large::new(proven))
}

/// Places the barriers of an instance. Does nothing if an access has an error.
#[salsa::tracked(lru = 1024)]
fn placed_instance(db: &dyn Db, item: Item, generics: Generics) -> Arc<Large<PlacedKernel>> {
    let typed = typed_instance(db, item, generics.clone());
    let proven = proven_instance(db, item, generics);
    let (mut placed, cut_short) = effort::of_item(db, item, || placed(db, (item, typed), proven));
    placed.diagnostics.extend(cut_short);
    Arc::new(Large::new(placed))
}

fn placed(db: &dyn Db, (item, typed): (Item, &TypedKernel), proven: &ProvenKernel) -> PlacedKernel {
    let wrong = proven.diagnostics.iter().any(is_error);
    typed
        .draft
        .as_ref()
        .filter(|_| !wrong)
        .map(|draft| waits::placed(db, (item, typed), draft, proven))
        .unwrap_or_default()
}

/// Hints about the cost of an instance's accesses.
#[salsa::tracked(lru = 1024)]
fn instance_hints(db: &dyn Db, item: Item, generics: Generics) -> Arc<Vec<Diagnostic>> {
    let typed = typed_instance(db, item, generics);
    // A hint that was not found is no loss.
    Arc::new(effort::of_item(db, item, || Hints::all(db, item, typed)).0)
}

/// An instance of a kernel if it passes every check, and its diagnostics.
#[salsa::tracked(lru = 1024)]
pub fn checked_instance(db: &dyn Db, item: Item, generics: Generics) -> Arc<Large<CheckedKernel>> {
    let typed = typed_instance(db, item, generics.clone());
    let proven = proven_instance(db, item, generics.clone());
    let placed = placed_instance(db, item, generics.clone());
    let found = [&typed.diagnostics, &proven.diagnostics, &placed.diagnostics];
    let mut diagnostics: Vec<Diagnostic> = found.into_iter().flatten().cloned().collect();
    // Each of the queries may have been cut short, which is said once.
    let mut said = false;
    diagnostics.retain(|found| !found.is_of(&diagnostics::CHECKS_CUT_SHORT) || !std::mem::replace(&mut said, true));
    // What is merely suspicious may follow from an error.
    if diagnostics.iter().any(is_error) {
        let suspicious = [&diagnostics::PADDING_COUNTS, &diagnostics::NARROW_ARITHMETIC];
        diagnostics.retain(|found| !suspicious.iter().any(|page| found.is_of(page)));
    }
    // The accesses of a kernel with errors may change, so hints about them would be premature. An error may be reported
    // elsewhere: at a function that the kernel calls.
    if typed.draft.is_some() && !diagnostics.iter().any(is_error) {
        diagnostics.extend(proven.outputs.iter().chain(instance_hints(db, item, generics).iter()).cloned());
    }
    // A kernel with syntax errors lacks parts, and is never executed.
    let complete = item.tree(db).errors.is_empty() && !diagnostics.iter().any(is_error);
    let kernel = placed.kernel.as_ref().filter(|_| complete).map(|placed| match proven.obligations.as_slice() {
        [] => Arc::clone(placed),
        obligations => Arc::new(Kernel { obligations: obligations.to_vec(), ..Kernel::clone(placed) }),
    });
    Arc::new(Large::new(CheckedKernel { kernel, diagnostics }))
}

/// Types the default instance of a kernel item.
pub fn typed_kernel(db: &dyn Db, item: Item) -> &Arc<Large<TypedKernel>> {
    typed_instance(db, item, generic_parameters(db, item).default.clone())
}

/// The accesses of a kernel's default instance with refuted claims.
pub fn refuted_accesses(db: &dyn Db, item: Item) -> impl Iterator<Item = &RefutedAccess> {
    let generics = generic_parameters(db, item).default.clone();
    let placed = placed_instance(db, item, generics.clone());
    let proven = &proven_instance(db, item, generics).refuted;
    // What is missing in an output is of no interest where its stores race.
    let is_race = |access: &&RefutedAccess| placed.refuted.iter().any(|race| race.span == access.span);
    proven.iter().filter(move |access| !is_race(access)).chain(&placed.refuted)
}

/// The default instance of a kernel if it passes every check, and the diagnostics of all instances that the kernel
/// names. What another instance shares with the default one is reported once.
#[salsa::tracked(lru = 1024)]
pub fn checked_kernel(db: &dyn Db, item: Item) -> Arc<Large<CheckedKernel>> {
    let parameters = generic_parameters(db, item);
    let default = checked_instance(db, item, parameters.default.clone());
    if parameters.candidates.is_empty() && parameters.diagnostics.is_empty() {
        return Arc::clone(default);
    }
    let mut checked = CheckedKernel::clone(default);
    if parameters.diagnostics.is_empty() && checked.kernel.is_some() {
        // However large a kernel is, some of its candidates are checked.
        let most = (MOST_CANDIDATE_TOKENS / item.tokens(db).len().max(1)).max(16);
        let candidates = parameters.candidates.get(..most).unwrap_or(&parameters.candidates);
        let mut count = 0;
        effort::of_candidates(db, || {
            for candidate in candidates {
                let Some(found) = effort::of_candidate(db, || candidate_problems(db, item, candidate)) else { break };
                add_new(&mut checked.diagnostics, &found, &candidate.beside(&parameters.default));
                count += 1;
            }
        });
        let all = parameters.candidates.len();
        if let (true, Some(kernel)) = (all > count, item.declared_kernel(db)) {
            checked.diagnostics.push(diagnostics::unchecked_candidates(kernel.name.span, count, all));
        }
    }
    // What is merely suspicious may follow from a value that is wrong.
    if !parameters.diagnostics.is_empty() {
        checked.diagnostics.retain(is_error);
    }
    checked.diagnostics.splice(0..0, parameters.diagnostics.iter().cloned());
    if checked.diagnostics.iter().any(is_error) {
        checked.kernel = None;
    }
    Arc::new(Large::new(checked))
}

/// What is wrong with a candidate. Of many candidates nothing else is kept: one that runs is checked by itself.
fn candidate_problems(db: &dyn Db, item: Item, candidate: &Generics) -> Vec<Diagnostic> {
    db.unwind_if_revision_cancelled();
    let typed = typed(db, item, candidate.clone());
    if typed.excluded {
        return Vec::new();
    }
    let proven = Prover::new(db, item, &typed).prove();
    let placed = placed(db, (item, &typed), &proven);
    let all = [typed.diagnostics, proven.diagnostics, placed.diagnostics];
    let mut found: Vec<Diagnostic> = all.into_iter().flatten().collect();
    if typed.draft.is_some() && !found.iter().any(is_error) {
        found.extend(proven.outputs);
    }
    found
}

/// Adds the first problem that is found for other values of the generic parameters and is not known yet. What follows
/// from the first one is seen when that is mended.
fn add_new(known: &mut Vec<Diagnostic>, found: &[Diagnostic], values: &Generics) {
    let problems = || found.iter().filter(|new| new.severity() != Severity::Hint);
    let first = problems().find(|new| is_error(new)).or_else(|| problems().next());
    if let Some(new) = first {
        known.push_once_here(new.clone().with_generics(values));
    }
}

fn is_error(found: &Diagnostic) -> bool {
    found.severity() == Severity::Error
}
