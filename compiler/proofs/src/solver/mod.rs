//! An SMT solver for questions that every rule and the search for counterexamples left open.
//!
//! The compiler starts no process: its caller may pass a [`Solver`], and only a deep check does. A question is stated
//! as the search for a counterexample, over integers (SMT-LIB 2, QF_NIA), so `unsat` proves the claim. A model is
//! confirmed by evaluation like any other counterexample.

mod answer;
mod script;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::{Budget, CounterexampleKind, Rule, Verdict, check};
use answer::Answer;
use dims::{Facts, Sym, Symbol};
use maps::{IndexMap, specialize};
use script::Script;

/// Something that answers questions in SMT-LIB 2.
pub trait Solver: Send + Sync {
    /// Its name in evidence: `z3 4.13.0`.
    fn name(&self) -> &str;

    /// Its output for a script; `None` if it gave up or could not be run. `cancelled` is polled now and then.
    fn answer(&self, script: &str, cancelled: &dyn Fn() -> bool) -> Option<String>;
}

/// A claim about maps; the script searches for its refutation.
#[derive(Clone, Copy)]
pub(super) enum Claim<'a> {
    /// No two points, or with `race` no two points of different threads, have the same lower coordinates.
    CollisionFree { map: &'a IndexMap, race: bool },
    /// Every valid point maps into the bounds.
    InBounds { map: &'a IndexMap, bounds: &'a [Sym] },
    /// Two maps with the same ranks and the same upper extents are equal.
    Equal { left: &'a IndexMap, right: &'a IndexMap },
}

/// The verdict itself, unless it is open and the budget's solver decides it.
pub(super) fn settle(verdict: Verdict, claim: Claim<'_>, facts: &Facts, budget: &Budget<'_>) -> Verdict {
    let (Verdict::Open { .. }, Some(solver)) = (&verdict, budget.solver) else {
        return verdict;
    };
    ask(solver, claim, facts, budget).unwrap_or(verdict)
}

fn ask(solver: &dyn Solver, claim: Claim<'_>, facts: &Facts, budget: &Budget<'_>) -> Option<Verdict> {
    let script = Script::from_claim(claim, facts)?;
    match answer::read(&solver.answer(&script.text(), budget.cancelled)?)? {
        Answer::Unsatisfiable => Some(Verdict::Proven { rule: Rule::Solver { name: solver.name().to_owned() } }),
        Answer::Satisfiable(model) => refute(claim, facts, &script, &model),
    }
}

/// The refutation of a model, confirmed by evaluation.
fn refute(claim: Claim<'_>, facts: &Facts, script: &Script, model: &BTreeMap<String, i64>) -> Option<Verdict> {
    let sizes: Option<BTreeMap<Symbol, i64>> =
        script.symbols.iter().map(|(symbol, name)| Some((symbol.clone(), *model.get(name)?))).collect();
    let sizes = sizes?;
    let allowed = sizes.iter().all(|(symbol, value)| *value >= symbol.least())
        && facts.iter().filter(|fact| !fact.symbols().is_empty()).all(|fact| {
            // Facts are consistent, so one about symbols outside the question can be satisfied by some value of
            // those.
            fact.symbols().iter().any(|symbol| !sizes.contains_key(symbol)) || fact.holds(&sizes) == Some(true)
        });
    if !allowed {
        return None;
    }
    let point = |names: &[String]| names.iter().map(|name| model.get(name).copied()).collect::<Option<Vec<i64>>>();
    let verdict = match claim {
        Claim::CollisionFree { map, race } => {
            let map = specialize(map, &sizes).ok()?;
            check::collision(&map, point(&script.first)?, point(&script.second)?, race)?
        }
        Claim::InBounds { map, bounds } => {
            let value = |bound: &Sym| bound.evaluate(&|symbol| sizes.get(symbol).copied()).ok();
            let bounds = bounds.iter().map(value).collect::<Option<Vec<i64>>>()?;
            check::out_of_bounds(&specialize(map, &sizes).ok()?, point(&script.first)?, &bounds)?
        }
        Claim::Equal { left, right } => {
            let (left, right) = (specialize(left, &sizes).ok()?, specialize(right, &sizes).ok()?);
            let verdict = check::difference(&left, &right, point(&script.first)?)?;
            debug_assert!(matches!(&verdict, Verdict::Refuted { counterexample, .. }
                if matches!(counterexample.kind, CounterexampleKind::Difference { .. })));
            verdict
        }
    };
    match verdict {
        Verdict::Refuted { mut counterexample, obligation } => {
            counterexample.sizes = sizes;
            Some(Verdict::Refuted { counterexample, obligation })
        }
        other => Some(other),
    }
}
