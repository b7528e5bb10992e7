//! The barriers of a kernel, and what is said where none can help.

use smol_str::SmolStr;

use super::Checker;
use crate::diagnostics::{self, Diagnostic};
use kernel::effects::{self, Accessed, Problem, Witness};
use kernel::typed::{Kernel, Memory, SharedId, Statement};
use maps::threads::MOST_THREADS;

impl Checker<'_> {
    /// The body with its barriers.
    pub(super) fn with_barriers(&mut self, body: Vec<Statement>) -> Option<Vec<Statement>> {
        // Without a block that there can be, nothing is to be said of its threads.
        if self.launch.threads.as_constant().is_some_and(|threads| threads > MOST_THREADS) {
            return None;
        }
        let kernel = Kernel {
            name: SmolStr::default(),
            symbols: Vec::new(),
            facts: self.evaluator.facts.clone(),
            params: self.params.clone(),
            launch: self.launch.clone(),
            collectives: self.collectives.clone(),
            shared: self.shared.clone(),
            locals: self.locals.clone(),
            body,
            obligations: Vec::new(),
        };
        let db = self.evaluator.db;
        match effects::place(&kernel, &|| db.unwind_if_revision_cancelled()) {
            Ok(placed) => {
                for (array, unwritten) in self.shared.iter_mut().zip(&placed.unwritten) {
                    array.cleared = *unwritten;
                }
                Some(placed.body)
            }
            Err(problems) => {
                let found: Vec<Diagnostic> = problems.iter().map(|problem| self.problem(problem)).collect();
                self.evaluator.diagnostics.extend(found);
                None
            }
        }
    }

    fn problem(&self, problem: &Problem) -> Diagnostic {
        match problem {
            Problem::Race { array, first, second, witness } => {
                let name = self.memory_name(Memory::Shared(*array));
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
                let name = self.memory_name(Memory::Shared(*array));
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
