//! Whether accesses would be proven, or tested at launch, if numbers that only a run gives were sizes.
//!
//! Asked of a kernel with an access of which nothing shows that it stays inside: it is typed and proven again, with its integer
//! parameters taken for sizes.

use super::checker::Supposed;
use super::free_types;
use super::number_guards::guard_of;
use super::prover::Prover;
use super::results::TypedKernel;
use super::signature::supposed_size;
use crate::db::{Db, Item};
use crate::diagnostics::{self, Diagnostic};
use dims::{Fact, Symbol};
use kernel::typed::ParamKind;
use smol_str::SmolStr;
use syntax::span::Span;
use syntax::tree::ItemKind;

/// The most parameters that are taken for sizes one by one; of more, all are.
const MOST_ALONE: usize = 3;

/// The most facts about sizes that an access may need beside.
const MOST_FACTS: usize = 2;

/// How often a kernel is typed and proven again, for all of its accesses together.
const MOST_TRIALS: usize = 8;

/// The most tokens of a kernel that is typed and proven again while it is edited.
const MOST_TOKENS: usize = 1 << 13;

/// Says at accesses that are open which parameters would settle them, declared as sizes.
pub(super) fn advise(db: &dyn Db, item: Item, typed: &TypedKernel, found: &mut [Diagnostic]) {
    let is_open = |found: &&mut Diagnostic| found.is_of(&diagnostics::OUT_OF_BOUNDS);
    let mut open: Vec<&mut Diagnostic> = found.iter_mut().filter(is_open).collect();
    if open.is_empty() || item.tokens(db).len() > MOST_TOKENS {
        return;
    }
    let tree = item.tree(db);
    let Some(ItemKind::Kernel(kernel)) = tree.item.as_ref().map(|parsed| &parsed.kind) else { return };
    let mut trials = MOST_TRIALS;
    open.retain_mut(|found| {
        let Some(guard) = guard_of(typed, kernel, item.tokens(db), found.span) else { return true };
        let supposed =
            Supposed { sizes: vec![guard.parameter.clone()], facts: vec![guard.fact(supposed_size(&guard.parameter))] };
        diagnostics::guarded_by_number(found, &guard.said());
        let settled = settled(db, (item, typed), supposed, found.span, &mut trials);
        if let Some(Settled { facts, at_launch }) = settled {
            diagnostics::settled_by_sizes(found, std::slice::from_ref(&guard.parameter), &facts, at_launch);
        }
        false
    });
    let params = typed.memories.params.iter();
    let numbers = params.filter(|param| matches!(param.kind, ParamKind::Scalar) && param.element.is_integer());
    let numbers: Vec<SmolStr> = numbers.map(|param| param.name.clone()).collect();
    let alone = numbers.iter().filter(|_| numbers.len() <= MOST_ALONE).map(std::slice::from_ref);
    let together = (numbers.len() > 1).then_some(numbers.as_slice());
    for parameters in alone.chain(together) {
        open.retain_mut(|found| {
            let supposed = Supposed { sizes: parameters.to_vec(), facts: Vec::new() };
            let settled = settled(db, (item, typed), supposed, found.span, &mut trials);
            let is_open = settled.is_none();
            if let Some(Settled { facts, at_launch }) = settled {
                diagnostics::settled_by_sizes(found, parameters, &facts, at_launch);
            }
            is_open
        });
    }
}

/// How an access is settled.
struct Settled {
    /// The facts that it needs.
    facts: Vec<Fact>,
    /// Whether it is tested at launch.
    at_launch: bool,
}

/// Whether the access at `span` is settled where parameters are sizes with some facts, as far as trials are left.
fn settled(
    db: &dyn Db,
    (item, typed): (Item, &TypedKernel),
    mut supposed: Supposed,
    span: Span,
    trials: &mut usize,
) -> Option<Settled> {
    let tree = item.tree(db);
    let Some(ItemKind::Kernel(kernel)) = tree.item.as_ref().map(|parsed| &parsed.kind) else { return None };
    for _ in 0..=MOST_FACTS {
        *trials = trials.checked_sub(1)?;
        let other = free_types::typed(db, item, &typed.generics, kernel, &supposed);
        if other.diagnostics.iter().any(Diagnostic::prevents_results) {
            return None;
        }
        let proven = Prover::new(db, item, &other).prove();
        let is_here = |found: &&Diagnostic| found.is_of(&diagnostics::OUT_OF_BOUNDS) && found.span == span;
        if !proven.diagnostics.iter().any(|found| is_here(&found)) {
            if settles_alone(db, (item, typed), &supposed, span, trials) {
                return None;
            }
            let at_launch = proven.obligations.iter().any(|obligation| obligation.span == span);
            return Some(Settled { facts: supposed.facts, at_launch });
        }
        let (_, facts) = proven.settling.into_iter().find(|(place, _)| *place == span)?;
        supposed.facts.extend(facts);
    }
    None
}

/// Whether an access that is settled with these sizes and facts is settled by the facts, which then are about other sizes.
fn settles_alone(
    db: &dyn Db,
    kernel: (Item, &TypedKernel),
    supposed: &Supposed,
    span: Span,
    trials: &mut usize,
) -> bool {
    let sizes: Vec<Symbol> = supposed.sizes.iter().map(supposed_size).collect();
    let is_of_parameters = |fact: &Fact| fact.symbols().iter().any(|symbol| sizes.contains(symbol));
    if sizes.is_empty() || supposed.facts.is_empty() || supposed.facts.iter().any(is_of_parameters) {
        return false;
    }
    let facts = Supposed { sizes: Vec::new(), facts: supposed.facts.clone() };
    match settled(db, kernel, facts, span, trials) {
        Some(alone) => alone.facts.len() == supposed.facts.len(),
        // Without a trial left, nothing is claimed.
        None => *trials == 0,
    }
}
