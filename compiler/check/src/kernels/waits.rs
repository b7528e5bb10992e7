//! Places the barriers of a kernel, and reports accesses that no barrier can separate.

use std::sync::Arc;

use super::atomic_fixes::atomically;
use super::exchanges::threads_in_words;
use super::results::{PlacedKernel, TypedKernel};
use crate::db::{Db, Item};
use crate::diagnostics::{self, Diagnostic, Element, Meeting};
use crate::settings;
use kernel::effects::{self, Problem, Reason, Witness};
use kernel::typed::{Kernel, Memory, SharedId};
use maps::hardware::MOST_BLOCK_THREADS;
use syntax::items::ItemTokens;
use syntax::span::Span;

/// The kernel with its barriers.
pub(super) fn placed(db: &dyn Db, (item, typed): (Item, &TypedKernel), draft: &Arc<Kernel>) -> PlacedKernel {
    if effects::is_placed(draft) {
        return PlacedKernel { kernel: Some(Arc::clone(draft)), diagnostics: Vec::new() };
    }
    // A block cannot have that many threads, which has been reported.
    if draft.launch.threads.as_constant().is_some_and(|threads| threads > MOST_BLOCK_THREADS) {
        return PlacedKernel::default();
    }
    match effects::place(draft, &|| db.unwind_if_revision_cancelled()) {
        Ok(placed) => {
            let mut kernel = Kernel { body: placed.body, ..Kernel::clone(draft) };
            for (array, unwritten) in kernel.shared.iter_mut().zip(&placed.unwritten) {
                array.cleared = *unwritten;
            }
            PlacedKernel { kernel: Some(Arc::new(kernel)), diagnostics: Vec::new() }
        }
        Err(problems) => {
            let diagnostics = problems.iter().map(|problem| typed.problem(db, problem, item.tokens(db))).collect();
            PlacedKernel { kernel: None, diagnostics }
        }
    }
}

impl TypedKernel {
    fn problem(&self, db: &dyn Db, problem: &Problem, tokens: &ItemTokens) -> Diagnostic {
        match problem {
            Problem::Race { array, first, second, evidence } => {
                let name = self.memories.name(Memory::Shared(*array));
                let meeting = evidence.map(|Witness { first, second, position }| Meeting {
                    threads: [first, second],
                    element: self.shared_element(db, *array, position),
                });
                diagnostics::shared_race(&name, [first, second], &meeting, atomically(tokens, second.span))
            }
            Problem::Unreached { array, first, second, evidence, condition } => {
                let name = self.memories.name(Memory::Shared(*array));
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

    /// The element at a position in the storage of an array.
    pub(super) fn shared_element(&self, db: &dyn Db, array: SharedId, position: i64) -> Element {
        let layout = self.layouts.get(array);
        let index = layout.and_then(|layout| maps::upper(layout, &[position], &settings::poll(db)).ok().flatten());
        index.map_or(Element::Position(position), Element::Index)
    }
}
