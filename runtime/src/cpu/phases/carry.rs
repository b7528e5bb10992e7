//! What a stretch takes from those before it: values that are computed again, and variables kept in arrays.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dims::Sym;
use elements::ElementType;
use kernel::typed::{
    Access, Expr, ExprKind, Kernel, Local, LocalVariable, Memory, SharedArray, SharedId, Statement, StatementKind,
};
use maps::{Affine, AxisRole, IndexMap, LowerAxis, Term, TermId, UpperAxis};
use syntax::span::Span;

use super::members::Members;
use super::split::{assign, read, statement};
use super::stable::Stable;
use super::uses::Uses;
use super::{ArrayLength, BlockArray, Ends, Phase, Stretch, Uniform};
use crate::cpu::usage::Usage;

type Locals = BTreeSet<Local>;

/// Makes every stretch a program of its own. Gives the arrays of a block; those of variables are added to the kernel.
pub fn carry(kernel: &mut Kernel, stable: &Stable, phases: &mut Vec<Phase>) -> Vec<BlockArray> {
    let mut liveness = Liveness { stable, after: Vec::new(), kept: Locals::new() };
    let at_start = liveness.list(phases, &Locals::new());
    let Liveness { after, kept, .. } = liveness;
    let own = kernel.shared.iter().map(|array| BlockArray {
        element: array.element,
        length: ArrayLength::Elements(array.length),
        cleared: array.cleared,
    });
    let mut arrays: Vec<BlockArray> = own.collect();
    let mut places = BTreeMap::new();
    for local in kept {
        let Some(variable) = kernel.locals.get(local.0 as usize) else { continue };
        let element = variable.element;
        places.insert(local, (SharedId(arrays.len() as u32), element));
        // A variable that was never assigned is 0.
        arrays.push(BlockArray { element, length: ArrayLength::PerThread, cleared: at_start.contains(&local) });
        kernel.shared.push(array_of_threads(&kernel.launch.threads, variable));
    }
    let map = map_of_threads(&kernel.launch.threads);
    let (threads, locals) = (kernel.launch.threads.as_constant(), kernel.locals.len());
    let mut carrier = Carrier { stable, after, places, map, threads, locals, counters: Vec::new() };
    carrier.list(phases);
    arrays
}

/// Finds out which variables are still read after each stretch.
struct Liveness<'k> {
    stable: &'k Stable,
    /// For each stretch, the last one first, the variables that are read after it.
    after: Vec<Locals>,
    /// The variables that a stretch assigns for a later one.
    kept: Locals,
}

impl Liveness<'_> {
    /// Goes backwards through phases after which some variables are read; gives those that are read before them.
    fn list(&mut self, phases: &[Phase], after: &Locals) -> Locals {
        let mut live = after.clone();
        for phase in phases.iter().rev() {
            live = match phase {
                Phase::Threads(stretch) => self.stretch(stretch, live),
                Phase::Loop { ends, body, .. } => {
                    // The next iteration follows as well as what stands after the loop.
                    live.extend(self.thread_variables(&uses_of(body).exposed));
                    live.extend(self.list(body, &live));
                    match ends {
                        Ends::Uniform(..) => live,
                        Ends::Widest { stretch, .. } => self.stretch(stretch, live),
                    }
                }
                Phase::If { then, otherwise, .. } => {
                    let mut before = self.list(otherwise, &live);
                    before.extend(self.list(then, &live));
                    before
                }
            };
        }
        live
    }

    fn stretch(&mut self, stretch: &Stretch, after: Locals) -> Locals {
        let uses = Uses::of(&stretch.body);
        self.kept.extend(uses.assigned.intersection(&after));
        let mut before: Locals = after.difference(&uses.surely).copied().collect();
        before.extend(self.thread_variables(&uses.exposed));
        self.after.push(after);
        before
    }

    /// Those that each thread has its own value of, which cannot be computed again.
    fn thread_variables(&self, locals: &Locals) -> Locals {
        let own = |local: &&Local| !self.stable.contains(**local) && !self.stable.is_counter(**local);
        locals.iter().filter(own).copied().collect()
    }
}

/// The use of variables in phases, in order.
fn uses_of(phases: &[Phase]) -> Uses {
    let mut uses = Uses::default();
    for phase in phases {
        match phase {
            Phase::Threads(stretch) => uses.then(&Uses::of(&stretch.body)),
            Phase::Loop { ends, body, .. } => {
                if let Ends::Widest { stretch, .. } = ends {
                    uses.then(&Uses::of(&stretch.body));
                }
                uses.perhaps(&uses_of(body));
            }
            Phase::If { then, otherwise, .. } => uses.either(&uses_of(then), &uses_of(otherwise)),
        }
    }
    uses
}

/// Adds to each stretch what it takes from others and leaves to them.
struct Carrier<'k> {
    stable: &'k Stable,
    /// For each stretch, the last one first, the variables that are read after it.
    after: Vec<Locals>,
    /// The arrays of variables.
    places: BTreeMap<Local, (SharedId, ElementType)>,
    map: Arc<IndexMap>,
    /// How many threads a block has, where that is known.
    threads: Option<i64>,
    /// How many variables the kernel has.
    locals: usize,
    /// The iterators of the block's loops around the current place.
    counters: Vec<Local>,
}

impl Carrier<'_> {
    fn list(&mut self, phases: &mut Vec<Phase>) {
        for phase in phases.iter_mut() {
            match phase {
                Phase::Threads(stretch) => self.stretch(stretch),
                Phase::Loop { counter, ends, body } => {
                    match ends {
                        Ends::Uniform(low, high) => {
                            self.uniform(low);
                            self.uniform(high);
                        }
                        Ends::Widest { stretch, .. } => self.stretch(stretch),
                    }
                    self.counters.push(*counter);
                    self.list(body);
                    self.counters.pop();
                }
                Phase::If { condition, then, otherwise } => {
                    self.uniform(condition);
                    self.list(then);
                    self.list(otherwise);
                }
            }
        }
        phases.retain(|phase| !matches!(phase, Phase::Threads(stretch) if stretch.body.is_empty()));
    }

    fn uniform(&self, uniform: &mut Uniform) {
        uniform.usage = Usage::of(&uniform.before, self.locals, &self.counters);
    }

    fn stretch(&mut self, stretch: &mut Stretch) {
        // As many were found as there are stretches, in the opposite order.
        let after = self.after.pop().unwrap_or_default();
        self.drop_unread(&mut stretch.body);
        let mut body = std::mem::take(&mut stretch.body);
        // Threads that do not take part have nothing to leave.
        let guard = match body.as_mut_slice() {
            [Statement { kind: StatementKind::If { condition, then, otherwise }, .. }] if otherwise.is_empty() => {
                let (condition, then) = (condition.clone(), std::mem::take(then));
                body = then;
                match Members::of(&condition, self.stable, self.threads) {
                    Some(Members { range, .. }) if range.is_empty() => return,
                    Some(Members { range, rest }) => {
                        stretch.threads = Some(range).filter(|range| self.threads != Some(range.end - range.start));
                        rest
                    }
                    None => Some(condition),
                }
            }
            _ => None,
        };
        let uses = Uses::of(&body);
        let mut whole = Uses::default();
        guard.iter().for_each(|guard| whole.read(guard));
        let asked = whole.exposed.clone();
        whole.then(&uses);
        let mut taken = uses.exposed.clone();
        taken.extend(uses.assigned.intersection(&after).filter(|local| !uses.surely.contains(local)));
        let mut statements = self.stable.assignments(whole.exposed.iter().copied());
        statements.extend(asked.iter().filter_map(|local| self.load(*local)));
        let loads: Vec<Statement> = taken.difference(&asked).filter_map(|local| self.load(*local)).collect();
        let stores = uses.assigned.intersection(&after).filter_map(|local| self.store(*local));
        body.splice(0..0, loads);
        body.extend(stores);
        match guard {
            Some(condition) => {
                statements.push(statement(StatementKind::If { condition, then: body, otherwise: Vec::new() }));
            }
            None => statements.extend(body),
        }
        self.sink(&mut statements);
        stretch.usage = Usage::of(&statements, self.locals, &self.counters);
        stretch.body = statements;
    }

    /// Moves index arithmetic into the loop that follows it, if that is all that follows: its loop and the one over the
    /// threads can then change places.
    fn sink(&self, statements: &mut Vec<Statement>) {
        let Some((Statement { kind: StatementKind::For { low, high, body, .. }, .. }, before)) =
            statements.split_last_mut()
        else {
            return;
        };
        let mut ends = Locals::new();
        for end in [low, high] {
            end.locals(&mut |local| ends.extend([local]));
        }
        let sinks = |statement: &Statement| match &statement.kind {
            StatementKind::Assign { local, .. } => self.stable.contains(*local) && !ends.contains(local),
            _ => false,
        };
        if before.iter().all(sinks) {
            body.splice(0..0, before.iter().cloned());
            statements.drain(..statements.len() - 1);
        }
    }

    /// Takes away assignments of what nobody reads here: whoever reads it later computes it again.
    fn drop_unread(&self, statements: &mut Vec<Statement>) {
        let mut reads: BTreeMap<Local, usize> = BTreeMap::new();
        Statement::walk_expressions(statements, &mut |expr| {
            if let ExprKind::Local(local) = expr.kind {
                *reads.entry(local).or_default() += 1;
            }
        });
        let list = match statements.as_mut_slice() {
            [Statement { kind: StatementKind::If { then, otherwise, .. }, .. }] if otherwise.is_empty() => then,
            _ => statements,
        };
        for place in (0..list.len()).rev() {
            let StatementKind::Assign { local, value } = &list[place].kind else { continue };
            if !self.stable.contains(*local) || reads.get(local).is_some_and(|&count| count > 0) {
                continue;
            }
            value.locals(&mut |read| {
                if let Some(count) = reads.get_mut(&read) {
                    *count -= 1;
                }
            });
            list.remove(place);
        }
        let emptied = list.is_empty();
        if emptied {
            statements.clear();
        }
    }

    fn access(&self, array: SharedId) -> Access {
        let thread = Expr { kind: ExprKind::ThreadId, element: ElementType::I64 };
        Access {
            memory: Memory::Shared(array),
            map: self.map.clone(),
            coordinates: vec![thread.clone()],
            offset: thread,
            mask: None,
            span: Span::default(),
        }
    }

    /// Gives a variable the value that an earlier stretch has left.
    fn load(&self, local: Local) -> Option<Statement> {
        let &(array, element) = self.places.get(&local)?;
        Some(assign(local, Expr { kind: ExprKind::Load(Box::new(self.access(array))), element }))
    }

    /// Leaves the value of a variable to later stretches.
    fn store(&self, local: Local) -> Option<Statement> {
        let &(array, element) = self.places.get(&local)?;
        Some(statement(StatementKind::Store { access: self.access(array), value: read(local, element) }))
    }
}

/// The declaration of a variable's array. [`BlockArray::length`] says how long it is.
fn array_of_threads(threads: &Sym, variable: &LocalVariable) -> SharedArray {
    let length = threads.as_constant().unwrap_or(1).max(1);
    SharedArray {
        name: variable.name.clone(),
        element: variable.element,
        shape: vec![length],
        length,
        cleared: false,
        span: Span::default(),
    }
}

/// From a thread's id to its element.
fn map_of_threads(threads: &Sym) -> Arc<IndexMap> {
    let value = Affine { constant: Sym::zero(), terms: vec![(TermId(0), Sym::one())] };
    Arc::new(IndexMap {
        upper: vec![UpperAxis { extent: Some(threads.clone()), role: AxisRole::Thread }],
        terms: vec![Term::Coordinate(0)],
        lower: vec![LowerAxis { value, extent: Some(threads.clone()) }],
        masks: Vec::new(),
    })
}
