//! Loops whose neighbouring elements are loaded and stored as vectors.
//!
//! A loop of a known number of iterations takes several at a time. Before them every access that is proven to reach
//! aligned vectors (T8) is loaded into an array, then the iterations run on the arrays one by one in their order, and
//! then the arrays that they wrote are stored. So nothing but the moment of an access changes, and that only for
//! tensors of which nothing else in the loop can tell: a tensor that is written is accessed in one way only.

mod forms;
mod occurrences;
mod reached;
mod substitute;
mod write;

use std::collections::{BTreeMap, BTreeSet};

use super::emitter::Emitter;
use dims::Sym;
use elements::ElementType;
use kernel::typed::{Access, Constant, Expr, ExprKind, Kernel, Local, Memory, Statement, StatementKind};
use occurrences::{Occurrence, occurrences};
use proofs::Budget;
use proofs::memory::{ElementSize, vector_width};
use reached::{Loop, definitions};

pub(super) use write::Vectors;

/// The most bytes of one tensor that a thread holds at a time, so that its registers are enough.
const MOST_BYTES: i64 = 64;
/// The most points of a map of known size that are gone through for one access.
const MOST_POINTS: u64 = 1 << 16;

/// How a loop is written with vectors.
struct Plan<'k> {
    /// The number of iterations.
    count: i64,
    /// How many of them are taken at a time.
    step: i64,
    groups: Vec<Group<'k>>,
    /// Whether the body needs the iterator for more than these accesses.
    uses_iterator: bool,
}

/// The accesses of a loop that reach the same element in each iteration.
struct Group<'k> {
    access: &'k Access,
    element: ElementType,
    /// How many elements a vector has.
    width: i64,
    is_loaded: bool,
    is_stored: bool,
    /// Whether what happens in the loop happens only where the mask holds. Otherwise it is enough that the stores of
    /// vectors do.
    needs_mask: bool,
}

/// Whether two accesses reach the same elements under the same condition.
fn is_same(left: &Access, right: &Access) -> bool {
    left.memory == right.memory
        && left.offset == right.offset
        && left.mask == right.mask
        && left.coordinates == right.coordinates
        && left.map == right.map
}

impl<'k> Plan<'k> {
    /// The plan for a loop; `None` where nothing in it is a vector.
    fn of(emitter: &Emitter<'_>, local: Local, [low, high]: [&Expr; 2], body: &'k [Statement]) -> Option<Plan<'k>> {
        let count = known(high).filter(|_| known(low) == Some(0))?;
        let all = occurrences(body)?;
        if count < 2 || all.is_empty() {
            return None;
        }
        let here = surroundings(emitter.kernel, local, count, body, emitter.locals.keys().copied());
        let mut groups = groups(&all, emitter.kernel);
        for group in &mut groups {
            group.width = here.width(group);
        }
        groups.retain(|group| group.width > 1);
        let largest = groups.iter().map(|group| ElementSize::from(group.element).bytes()).max()?;
        let step = groups.iter().map(|group| group.width).max()?.min(MOST_BYTES / largest);
        for group in &mut groups {
            group.width = group.width.min(step);
        }
        let mut plan = Plan { count, step, groups, uses_iterator: true };
        plan.decide_masks(&all);
        plan.uses_iterator = plan.uses(local, body, &all);
        Some(plan)
    }

    /// Whether the body needs a variable for more than the accesses that are taken as vectors.
    fn uses(&self, local: Local, body: &[Statement], all: &[Occurrence<'k>]) -> bool {
        let mut uses = 0;
        Statement::walk_expressions(body, &mut |expr| uses += usize::from(expr.kind == ExprKind::Local(local)));
        let mut of_vectors = 0;
        for found in all {
            let Some(group) = self.group(found.access) else { continue };
            let mask = found.access.mask.as_ref().filter(|_| !(found.is_store && group.needs_mask));
            for expr in mask.into_iter().chain([&found.access.offset]) {
                expr.locals(&mut |own| of_vectors += usize::from(own == local));
            }
        }
        uses > of_vectors
    }

    fn group(&self, access: &Access) -> Option<&Group<'k>> {
        self.groups.iter().find(|group| is_same(group.access, access))
    }

    /// A store to an array needs no mask where nobody reads the array after it, and where its value can be computed
    /// without the mask: all it reads are arrays.
    fn decide_masks(&mut self, all: &[Occurrence<'k>]) {
        let needs_mask = |group: &Group<'k>| {
            let mut own = all.iter().filter(|found| is_same(found.access, group.access));
            let stores: BTreeSet<usize> =
                own.clone().filter(|found| found.is_store).map(|found| found.statement).collect();
            let first = stores.first().copied();
            let is_read_after = own.any(|found| !found.is_store && Some(found.statement) > first);
            let reads_other = |found: &Occurrence<'k>| {
                !found.is_store && stores.contains(&found.statement) && self.group(found.access).is_none()
            };
            first.is_some() && (is_read_after || all.iter().any(reads_other))
        };
        let needed: Vec<bool> = self.groups.iter().map(needs_mask).collect();
        for (group, needs_mask) in self.groups.iter_mut().zip(needed) {
            group.needs_mask = needs_mask;
        }
    }
}

/// What is known around a loop.
fn surroundings<'k>(
    kernel: &'k Kernel,
    iterator: Local,
    count: i64,
    body: &[Statement],
    visible: impl Iterator<Item = Local>,
) -> Loop<'k> {
    let assigned = body.iter().filter_map(|statement| match &statement.kind {
        StatementKind::Assign { local, .. } => Some(*local),
        _ => None,
    });
    let mut iterators = BTreeSet::new();
    Statement::walk(&kernel.body, &mut |statement| {
        if let StatementKind::For { local, .. } = &statement.kind {
            iterators.insert(*local);
        }
    });
    Loop {
        kernel,
        iterator,
        count,
        assigned: assigned.collect(),
        definitions: definitions(kernel),
        around: visible.filter(|local| iterators.contains(local)).collect(),
    }
}

/// The accesses that can be taken before and after the iterations instead of in them.
fn groups<'k>(all: &[Occurrence<'k>], kernel: &Kernel) -> Vec<Group<'k>> {
    let mut groups: Vec<Group<'k>> = Vec::new();
    let mut ways: BTreeMap<Memory, usize> = BTreeMap::new();
    for found in all {
        let memory = found.access.memory;
        let Some(element) = kernel.element(memory) else { continue };
        let known = groups.iter().position(|group| is_same(group.access, found.access));
        if known.is_none() {
            *ways.entry(memory).or_default() += 1;
            let access = found.access;
            groups.push(Group { access, element, width: 1, is_loaded: false, is_stored: false, needs_mask: false });
        }
        let place = known.unwrap_or(groups.len().saturating_sub(1));
        if let Some(group) = groups.get_mut(place) {
            group.is_loaded |= !found.is_store;
            group.is_stored |= found.is_store;
        }
    }
    let written: BTreeSet<Memory> =
        all.iter().filter(|found| found.is_store).map(|found| found.access.memory).collect();
    groups.retain(|group| {
        let memory = group.access.memory;
        // What is reached through another access may be the same element, and must be seen in order.
        let is_alone = !written.contains(&memory) || ways.get(&memory) == Some(&1);
        is_alone && all.iter().any(|found| found.is_certain && is_same(found.access, group.access))
    });
    groups
}

impl Loop<'_> {
    /// How many elements of successive iterations are proven to be a vector.
    fn width(&self, group: &Group<'_>) -> i64 {
        let access = group.access;
        if !self.is_settled(&access.offset) || access.mask.as_ref().is_some_and(|mask| !self.is_settled(mask)) {
            return 1;
        }
        let Some(map) = self.reached(access) else { return 1 };
        let budget = Budget { points: MOST_POINTS, ..Budget::default() };
        let found = vector_width(&map, group.element.into(), &self.kernel.facts, &budget);
        let mut width = found.map_or(1, |found| found.width);
        while self.count % width != 0 {
            width /= 2;
        }
        width
    }
}

/// The value of an expression that is a known size.
fn known(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Constant(Constant::Int(value)) => Some(*value),
        ExprKind::Size(size) => Sym::as_constant(size),
        _ => None,
    }
}
