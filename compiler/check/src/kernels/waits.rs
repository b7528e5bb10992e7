//! Places the barriers of a kernel, and reports accesses that no barrier can separate.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::atomic_fixes::atomically;
use super::exchanges::threads_in_words;
use super::results::{PlacedKernel, ProvenKernel, Races, TypedKernel};
use crate::db::{Db, Item};
use crate::diagnostics::{self, Concurrent, Diagnostic, Element, Meeting};
use crate::settings;
use dims::Sym;
use kernel::effects::{self, Evidence, Problem, Reason, Witness};
use kernel::typed::{Kernel, Memory, ParamId, SharedId};
use maps::hardware::MOST_BLOCK_THREADS;
use maps::row_major::digits;
use syntax::items::ItemTokens;
use syntax::span::Span;

/// The kernel with its barriers.
pub(super) fn placed(
    db: &dyn Db,
    (item, typed): (Item, &TypedKernel),
    draft: &Arc<Kernel>,
    proven: &ProvenKernel,
) -> PlacedKernel {
    let exchanged: BTreeSet<ParamId> = proven.exchanged.keys().copied().collect();
    let draft = match exchanged.is_empty() {
        true => Arc::clone(draft),
        false => Arc::new(Kernel { exchanged, ..Kernel::clone(draft) }),
    };
    if effects::is_placed(&draft) {
        return PlacedKernel { kernel: Some(draft), ..PlacedKernel::default() };
    }
    // A block cannot have that many threads, which has been reported.
    if draft.launch.threads.as_constant().is_some_and(|threads| threads > MOST_BLOCK_THREADS) {
        return PlacedKernel::default();
    }
    match effects::place(&draft, &|| db.unwind_if_revision_cancelled()) {
        Ok(placed) => {
            let mut kernel = Kernel { body: placed.body, ..Kernel::clone(&draft) };
            for (array, unwritten) in kernel.shared.iter_mut().zip(&placed.unwritten) {
                array.cleared = *unwritten;
            }
            PlacedKernel { kernel: Some(Arc::new(kernel)), ..PlacedKernel::default() }
        }
        Err(problems) => {
            let (of_tensors, others): (Vec<&Problem>, Vec<&Problem>) =
                problems.iter().partition(|problem| tensor(problem).is_some());
            let mut diagnostics: Vec<Diagnostic> =
                others.iter().map(|problem| typed.problem(db, problem, item.tokens(db))).collect();
            let mut refuted = Vec::new();
            for (param, races) in &proven.exchanged {
                let mine = of_tensors.iter().filter(|problem| tensor(problem) == Some(*param));
                let mine: Vec<&Problem> = mine.copied().collect();
                diagnostics.extend(typed.race(db, &mine, races, item.tokens(db)));
                if !mine.is_empty() {
                    refuted.extend(races.refuted.iter().cloned());
                }
            }
            PlacedKernel { kernel: None, diagnostics, refuted }
        }
    }
}

/// The tensor of which two threads access an element, if that is the problem.
fn tensor(problem: &Problem) -> Option<ParamId> {
    problem.memory().and_then(Memory::param)
}

impl TypedKernel {
    /// The one thing that is said of a tensor whose accesses no barrier can order: what the proofs say of two of them, or else the
    /// problem of which the most is known.
    fn race(&self, db: &dyn Db, problems: &[&Problem], races: &Races, tokens: &ItemTokens) -> Option<Diagnostic> {
        let known = problems.iter().find_map(|problem| match problem {
            Problem::Race { evidence: Evidence::OutOfSteps, .. } => None,
            Problem::Race { first, second, .. } => {
                let race = races.between([first.span, second.span])?.clone();
                Some(if first.span == second.span { race } else { diagnostics::without_barrier(race) })
            }
            _ => None,
        });
        let has_witness = |problem: &&&Problem| {
            matches!(
                problem,
                Problem::Race { evidence: Evidence::Witness(_), .. }
                    | Problem::Unreached { evidence: Evidence::Witness(_), .. }
            )
        };
        let problem = problems.iter().find(has_witness).or_else(|| problems.first());
        known.or_else(|| problem.map(|problem| self.problem(db, problem, tokens)))
    }

    fn problem(&self, db: &dyn Db, problem: &Problem, tokens: &ItemTokens) -> Diagnostic {
        match problem {
            Problem::Race { memory, first, second, evidence } => {
                let name = self.memories.name(*memory);
                let meeting = evidence.map(|Witness { first, second, position }| Meeting {
                    threads: [first, second],
                    element: self.element_of(db, *memory, position),
                });
                let of_tensor = memory.param().is_some();
                let found = Concurrent { name: &name, of_tensor, accesses: [first, second], meeting: &meeting };
                diagnostics::shared_race(&found, atomically(tokens, second.span))
            }
            Problem::Unreached { memory, first, second, evidence, condition } => {
                let name = self.memories.name(*memory);
                let condition = self.condition_at(*condition);
                let threads = evidence.map(|witness| [witness.first, witness.second]);
                diagnostics::unreached_barrier(&name, [first, second], threads, condition)
            }
            Problem::Unsuitable { before, after, threads } => {
                diagnostics::unsuitable_barrier(*after, *before, *threads)
            }
            Problem::Apart { at, together, reason } => {
                let threads = threads_in_words(*together, |id| {
                    let tiling = &self.record.collectives.get(id)?.tiling;
                    Some(tiling.iterators().last()?.name.clone())
                });
                let reason = match reason {
                    Reason::Condition(statement) => Reason::Condition(self.condition_at(*statement)),
                    Reason::OutOfSteps(statement) => Reason::OutOfSteps(self.condition_at(*statement)),
                    other => *other,
                };
                diagnostics::threads_apart(*at, &threads, reason)
            }
            Problem::TooMany { after, groups } => diagnostics::too_many_barriers(*after, *groups),
        }
    }

    /// The condition of an `if`, or the range of a loop.
    fn condition_at(&self, statement: Span) -> Span {
        let place = self.record.condition_places.iter().find(|(known, _)| *known == statement);
        place.map_or(statement, |(_, place)| *place)
    }

    fn element_of(&self, db: &dyn Db, memory: Memory, position: i64) -> Element {
        match memory {
            Memory::Shared(array) => self.shared_element(db, array, position),
            Memory::Param(_) => self.tensor_element(memory, position),
        }
    }

    /// The element of a tensor by its number in row-major order.
    fn tensor_element(&self, memory: Memory, number: i64) -> Element {
        let shape = self.memories.shape(memory);
        let inner = shape.iter().skip(1).rev().map(Sym::as_constant).collect::<Option<Vec<i64>>>();
        let Some(inner) = inner.filter(|_| !shape.is_empty()) else { return Element::Position(number) };
        let mut digits = digits(number, inner);
        let mut index: Vec<i64> = digits.by_ref().collect();
        index.push(digits.rest());
        index.reverse();
        Element::Index(index)
    }

    /// The element at a position in the storage of an array.
    pub(super) fn shared_element(&self, db: &dyn Db, array: SharedId, position: i64) -> Element {
        let layout = self.layouts.get(array);
        let index = layout.and_then(|layout| maps::upper(layout, &[position], &settings::poll(db)).ok().flatten());
        index.map_or(Element::Position(position), Element::Index)
    }
}
