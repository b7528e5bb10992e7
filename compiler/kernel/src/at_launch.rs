//! Checks at launch, with the actual sizes, the claims that are not proven for every size.

mod notation;
mod problem;
mod widths;

use std::collections::BTreeMap;

use super::storage::is_dense;
use super::typed::{Claim, Kernel, Memory};
use dims::{Facts, Sym, Symbol};
use maps::specialize;
use proofs::{Budget, Reason, Verdict};

pub use problem::{Evidence, LaunchProblem};

/// The budget of each of some claims: together they may cost what one may in a deep check, so that no kernel is asked about
/// for minutes because it has many.
fn shared_by(claims: usize) -> Budget<'static> {
    let deep = Budget::deep(&|| false);
    let share = claims.max(1) as u64;
    Budget { points: deep.points / share, steps: deep.steps / share, ..deep }
}

/// Whether a kernel needs bounds checks with given sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundsChecks {
    /// Every access is proven in bounds.
    Proven,
    /// Some access is not proven in bounds, so every access has to be checked at run time.
    Guarded,
}

/// Checks with these sizes that the kernel's indices fit 64 bits, and then its obligations.
///
/// # Errors
/// What is wrong with the launch.
pub fn at_launch(kernel: &Kernel, sizes: &BTreeMap<Symbol, i64>) -> Result<BoundsChecks, Vec<LaunchProblem>> {
    // All other claims, including proven ones, assume integers that do not wrap.
    let wide = widths::beyond_64_bits(kernel, sizes);
    if !wide.is_empty() {
        return Err(wide);
    }
    let budget = shared_by(kernel.obligations.len());
    let mut problems = Vec::new();
    let mut bounds = BoundsChecks::Proven;
    for obligation in &kernel.obligations {
        let verdict = match (specialize(&obligation.map, sizes), &obligation.claim) {
            (Err(error), _) => Verdict::open(Reason::Sizes(error)),
            (Ok(map), Claim::RaceFree) => proofs::race_free(&map, &Facts::empty(), &budget),
            (Ok(map), Claim::InBounds(bound) | Claim::WithinView(bound)) => {
                match bound.evaluate(&|symbol| sizes.get(symbol).copied()) {
                    Ok(bound) => proofs::in_bounds(&map, &[Sym::constant(bound)], &Facts::empty(), &budget),
                    Err(error) => Verdict::open(Reason::Sizes(error.into())),
                }
            }
        };
        let evidence = match verdict {
            Verdict::Proven { .. } => continue,
            Verdict::Refuted { counterexample, .. } => Evidence::Refuted(counterexample),
            Verdict::Open { .. }
                if matches!(obligation.claim, Claim::InBounds(_)) && can_be_guarded(kernel, obligation.memory) =>
            {
                bounds = BoundsChecks::Guarded;
                continue;
            }
            Verdict::Open { reason, .. } => Evidence::Open(reason),
        };
        let memory = kernel.memory_name(obligation.memory).map_or("a tensor", |name| name.as_str()).to_owned();
        problems.push(LaunchProblem::Claim { memory, claim: obligation.claim.clone(), evidence });
    }
    if problems.is_empty() { Ok(bounds) } else { Err(problems) }
}

/// Whether threads can test that they stay inside a memory. The test compares places in the storage, which tell what is inside
/// only where there are no others; generated code has none for shared arrays.
fn can_be_guarded(kernel: &Kernel, memory: Memory) -> bool {
    match memory {
        Memory::Param(id) => kernel.params.get(id).is_some_and(is_dense),
        Memory::Shared(_) => false,
    }
}
