//! The barriers of a kernel, and what is said where none can help.

use super::Checker;
use crate::diagnostics::{self, Diagnostic};
use kernel::barriers::{self, Block, Problem, Touch};
use kernel::typed::{Memory, SharedId, Statement};

impl Checker<'_> {
    /// The body with its barriers.
    pub(super) fn with_barriers(&mut self, body: Vec<Statement>) -> Option<Vec<Statement>> {
        let threads = self.launch.threads.as_constant().and_then(|threads| u32::try_from(threads).ok());
        let block = Block {
            // Without shared arrays nobody waits, so it does not matter how many threads there are.
            threads: if self.shared.is_empty() { 0 } else { threads.unwrap_or(0) },
            cluster: self.launch.cluster,
            one_cluster: self.launch.blocks.as_constant() == Some(self.launch.cluster),
            locals: self.locals.len(),
            collectives: &self.collectives,
            shared: &self.shared,
        };
        match barriers::place(body, &block) {
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
            Problem::Conflict { array, element, first, second } => {
                let name = self.memory_name(Memory::Shared(*array));
                let who =
                    |touch: &Touch| format!("thread {} {}", touch.thread, if touch.store { "writes" } else { "reads" });
                let accesses = [who(first), who(second)];
                let in_one_access = first.span == second.span;
                let found = match element.map(|element| self.shared_element(*array, element)) {
                    Some(element) => diagnostics::shared_race(second.span, &accesses, (&name, &element), in_one_access),
                    None => diagnostics::shared_race_unproven(second.span, &accesses, &name, in_one_access),
                };
                if in_one_access {
                    return found;
                }
                found.related(first.span, format!("`{name}` is {} here", verb(first)))
            }
            Problem::Unreached { array, first, second, condition } => {
                let name = self.memory_name(Memory::Shared(*array));
                let place = self.condition_places.iter().find(|(statement, _)| statement == condition);
                let condition = place.map_or(condition, |(_, place)| place);
                diagnostics::unreached_barrier(second.span, &name, first.thread, second.thread)
                    .related(first.span, format!("`{name}` is {} here", verb(first)))
                    .related(*condition, "not all threads see this alike")
            }
            Problem::Unsuitable { before, after, threads } => {
                diagnostics::unsuitable_barrier(*after, *threads).related(*before, "this access must be over first")
            }
            Problem::TooMany { after, groups } => diagnostics::too_many_barriers(*after, *groups),
        }
    }

    /// The index that leads to a position in the storage of an array: `[1, 2]`.
    pub(super) fn shared_element(&self, array: SharedId, position: usize) -> String {
        let found = self.layouts.get(array.0 as usize).and_then(|layout| {
            let slot = i64::try_from(position).ok()?;
            maps::upper(layout, &[slot], &|| false).ok().flatten()
        });
        match found {
            Some(index) => format!("[{}]", index.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")),
            None => format!("at position {position}"),
        }
    }
}

fn verb(touch: &Touch) -> &'static str {
    if touch.store { "written" } else { "read" }
}
