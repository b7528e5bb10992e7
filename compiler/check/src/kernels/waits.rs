//! The barriers of a kernel, and what is said where none can help.

use std::sync::Arc;

use super::queries::{PlacedKernel, TypedKernel};
use crate::db::Db;
use crate::diagnostics::{self, Diagnostic};
use kernel::effects::{self, Accessed, Problem, Witness};
use kernel::typed::{Kernel, Memory, SharedId};
use maps::threads::MOST_THREADS;

/// The kernel with its barriers.
pub(super) fn placed(db: &dyn Db, typed: &TypedKernel, draft: &Kernel) -> PlacedKernel {
    // Without a block that there can be, nothing is to be said of its threads.
    if draft.launch.threads.as_constant().is_some_and(|threads| threads > MOST_THREADS) {
        return PlacedKernel::default();
    }
    match effects::place(draft, &|| db.unwind_if_revision_cancelled()) {
        Ok(placed) => {
            let mut kernel = Kernel { body: placed.body, ..draft.clone() };
            for (array, unwritten) in kernel.shared.iter_mut().zip(&placed.unwritten) {
                array.cleared = *unwritten;
            }
            PlacedKernel { kernel: Some(Arc::new(kernel)), diagnostics: Vec::new() }
        }
        Err(problems) => {
            let diagnostics = problems.iter().map(|problem| typed.problem(problem)).collect();
            PlacedKernel { kernel: None, diagnostics }
        }
    }
}

impl TypedKernel {
    fn problem(&self, problem: &Problem) -> Diagnostic {
        match problem {
            Problem::Race { array, first, second, witness } => {
                let name = self.memories.name(Memory::Shared(*array));
                let in_one_access = first.span == second.span;
                let found = match witness {
                    Some(Witness { first: one, second: other, position }) => {
                        let accesses = [who(*one, first), who(*other, second)];
                        let element = self.shared_element(*array, *position);
                        diagnostics::shared_race(second.span, &accesses, (&name, &element), in_one_access)
                    }
                    None => diagnostics::shared_race_unproven(
                        second.span,
                        [first.store, second.store],
                        &name,
                        in_one_access,
                    ),
                };
                if in_one_access {
                    return found;
                }
                found.related(first.span, format!("`{name}` is {} here", verb(first)))
            }
            Problem::Unreached { array, first, second, witness, condition } => {
                let name = self.memories.name(Memory::Shared(*array));
                let place = self.condition_places.iter().find(|(statement, _)| statement == condition);
                let condition = place.map_or(condition, |(_, place)| place);
                let threads = witness.map(|witness| (witness.first, witness.second));
                diagnostics::unreached_barrier(second.span, &name, threads)
                    .related(first.span, format!("`{name}` is {} here", verb(first)))
                    .related(*condition, "this is not uniform: threads may see different values")
            }
            Problem::Unsuitable { before, after, threads } => {
                diagnostics::unsuitable_barrier(*after, *threads).related(*before, "this access must be over first")
            }
            Problem::TooMany { after, groups } => diagnostics::too_many_barriers(*after, *groups),
        }
    }

    /// The index that leads to a position in the storage of an array: `[1, 2]`.
    pub(super) fn shared_element(&self, array: SharedId, position: i64) -> String {
        let found = self
            .layouts
            .get(array.0 as usize)
            .and_then(|layout| maps::upper(layout, &[position], &|| false).ok().flatten());
        match found {
            Some(index) => format!("[{}]", index.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")),
            None => format!("at position {position}"),
        }
    }
}

fn who(thread: i64, accessed: &Accessed) -> String {
    format!("thread {thread} {}", if accessed.store { "writes" } else { "reads" })
}

fn verb(accessed: &Accessed) -> &'static str {
    if accessed.store { "written" } else { "read" }
}
