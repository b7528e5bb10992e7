//! Lowers a typed kernel to loops, in one pass.

mod expressions;

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::access::{Access, AccessId};
use super::node::{LoopId, Node, ValueId};
use super::values::Values;
use super::{Atomic, For, List, Loops, MOST_CONDITIONS, Merge, Shuffle, Step, StepKind};
use crate::intervals::{below, of_size};
use crate::table::Table;
use crate::typed::{
    self, AccessKind, BinaryOp, Constant, IteratorRange, Kernel, Lanes, Local, Memory, Scope, Statement, StatementKind,
    Taken, Waiting,
};
use dims::Interval;
use elements::ElementType;
use maps::{Affine, IndexMap};
use syntax::span::Span;

/// The most conditions around an access that are kept: the innermost ones, and one more to show that there are
/// others.
pub(crate) const MOST_GUARDS: usize = MOST_CONDITIONS + 1;

/// A kernel as loops; `poll` is called for each statement and expression, and may unwind to cancel the work.
pub fn lower<'k>(kernel: &'k Kernel, poll: &dyn Fn()) -> Loops<'k> {
    let mut values = Values::new(kernel);
    let locals = kernel
        .locals
        .iter()
        .map(|local| values.made(Node::Constant(Constant::zero(local.element)), local.element))
        .collect();
    let mut lowering = Lowering {
        kernel,
        values,
        locals,
        changes: Vec::new(),
        merges: Vec::new(),
        accesses: Vec::new(),
        same: FxHashMap::default(),
        loads: FxHashMap::default(),
        guards: Vec::new(),
        holding: Vec::new(),
        within_guards: 0,
        masked: 0,
        loops: Vec::new(),
        made: Vec::new(),
        next: 0,
        poll,
    };
    let body = lowering.list(&kernel.body, Scope::Block);
    let Lowering { values, accesses, merges, .. } = lowering;
    Loops { values, accesses, merges, body }
}

/// The key of equal accesses, which have the same conflicts.
type Class = (Memory, AccessKind, Arc<IndexMap>, Vec<ValueId>, Rc<[(ValueId, bool)]>, Rc<[LoopId]>);

/// The key of equal loads; for memory that the kernel may write it includes the statement and the position in it.
type Loaded = (Memory, Arc<IndexMap>, Place, Option<(usize, Span)>);

/// The parts of an [`Access`] that locate its element.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Place {
    coordinates: Vec<ValueId>,
    offset: ValueId,
    mask: Option<ValueId>,
    tested: Option<ValueId>,
    unconditional: bool,
}

struct Lowering<'k, 'c> {
    kernel: &'k Kernel,
    values: Values<'k>,
    /// The current value of each variable.
    locals: Table<Local, ValueId>,
    /// The values of variables before each assignment, in the order of the assignments.
    changes: Vec<(Local, ValueId)>,
    merges: Vec<Merge>,
    accesses: Vec<Access>,
    same: FxHashMap<Class, AccessId>,
    loads: FxHashMap<Loaded, AccessId>,
    guards: Vec<(ValueId, bool)>,
    /// The conditions known to hold here.
    holding: Vec<ValueId>,
    /// The number of conditions around the statement.
    within_guards: usize,
    /// The number of masked accesses around the expression.
    masked: u32,
    loops: Vec<LoopId>,
    /// The accesses of the statement so far.
    made: Vec<AccessId>,
    /// The number of the next statement.
    next: usize,
    poll: &'c dyn Fn(),
}

impl<'k> Lowering<'k, '_> {
    fn list(&mut self, statements: &'k [Statement], scope: Scope) -> List {
        let steps = statements.iter().map(|statement| self.step(statement, scope)).collect();
        List { scope, steps }
    }

    fn step(&mut self, statement: &'k Statement, scope: Scope) -> Step {
        (self.poll)();
        let number = self.next;
        self.next += 1;
        self.within_guards = self.guards.len();
        let own = |lowering: &mut Self| std::mem::take(&mut lowering.made);
        let step = |accesses, kind, after| Step { number, span: statement.span, accesses, kind, after };
        match &statement.kind {
            StatementKind::Assign { local, value } => {
                let value = self.value(value);
                self.set(*local, value);
                step(own(self), StepKind::Assign { local: Some(*local), value }, Vec::new())
            }
            StatementKind::Store { access, value, is_async } => {
                let place = self.place(access);
                // The value is evaluated only where the store happens.
                let holding = self.holding.len();
                place.mask.into_iter().for_each(|mask| self.hold(mask));
                let value = self.value(value);
                self.holding.truncate(holding);
                let kind = if *is_async { AccessKind::Copy } else { AccessKind::Store };
                let access = self.access(access, kind, place);
                step(own(self), StepKind::Store { access, value }, Vec::new())
            }
            StatementKind::Atomic(atomic) => {
                let kind = StepKind::Atomic(self.atomic(atomic));
                step(own(self), kind, Vec::new())
            }
            StatementKind::Shuffle(shuffle) => {
                let kind = StepKind::Shuffle(self.shuffle(shuffle, number));
                step(own(self), kind, Vec::new())
            }
            StatementKind::If { condition, then, otherwise } => {
                let condition = self.value(condition);
                let accesses = own(self);
                let (kind, after) = self.branch(condition, (then, otherwise), scope);
                step(accesses, kind, after)
            }
            StatementKind::Collective { collective, condition, body } => {
                let condition = self.value(condition);
                let accesses = own(self);
                let (kind, after) = self.collective(condition, body, Scope::Threads(*collective));
                step(accesses, kind, after)
            }
            StatementKind::Each(each) => {
                let always = self.values.made(Node::Constant(Constant::Bool(true)), ElementType::Bool);
                let (kind, after) = self.branch(always, (&each.per_thread, &[]), scope);
                step(own(self), kind, after)
            }
            StatementKind::For { local, low, high, body } => {
                let ends = [self.value(low), self.value(high)];
                let accesses = own(self);
                let (kind, after) = self.count(*local, ends, body, scope);
                step(accesses, kind, after)
            }
            StatementKind::Copies(order) => step(own(self), StepKind::Copies(*order), Vec::new()),
            StatementKind::Barrier(barrier) => {
                let number = match &barrier.waiting {
                    Waiting::Block => None,
                    Waiting::Warp { first, .. } => Some(self.value(first)),
                    Waiting::Warps { id, .. } => Some(self.value(id)),
                };
                step(own(self), StepKind::Barrier { barrier: barrier.clone(), number }, Vec::new())
            }
        }
    }

    fn atomic(&mut self, atomic: &typed::Atomic) -> Atomic {
        let typed::Atomic { operation, ref access, ref operands, result, order, scope } = *atomic;
        let place = self.place(access);
        let holding = self.holding.len();
        place.mask.into_iter().for_each(|mask| self.hold(mask));
        let operands = operands.iter().map(|operand| self.value(operand)).collect();
        self.holding.truncate(holding);
        let access = self.access(access, AccessKind::Atomic(operation), place);
        let result = result.map(|local| {
            let element = self.kernel.locals.get(local).map_or(ElementType::I64, |local| local.element);
            let value = self.values.within(Node::Load(access), element, self.loops.clone());
            self.set(local, value);
            (local, value)
        });
        Atomic { operation, access, operands, result, order, scope }
    }

    fn shuffle(&mut self, shuffle: &typed::Shuffle, statement: usize) -> Shuffle {
        let typed::Shuffle { local, ref value, ref taken, together, ref lanes } = *shuffle;
        let (element, taken) = match taken {
            Taken::Lane { lane, number } => (value.element, Taken::Lane { lane: *lane, number: self.value(number) }),
            Taken::Votes => (ElementType::U32, Taken::Votes),
        };
        let (value, first) = (self.value(value), self.value(&lanes.first));
        let result = self.values.within(Node::Shuffled(statement), element, self.loops.clone());
        self.set(local, result);
        Shuffle { local, result, value, taken, together, lanes: Lanes { mask: lanes.mask, first } }
    }

    fn set(&mut self, local: Local, value: ValueId) {
        let before = std::mem::replace(&mut self.locals[local], value);
        self.changes.push((local, before));
    }

    fn held(&self, local: Local) -> ValueId {
        self.locals[local]
    }

    /// The variables that were assigned since a mark, each with its value at the mark.
    fn changed_since(&self, mark: usize) -> Vec<(Local, ValueId)> {
        let mut changed: Vec<(Local, ValueId)> = self.changes[mark..].to_vec();
        // The sort is stable, so the first change of each variable is kept.
        changed.sort_by_key(|(local, _)| *local);
        changed.dedup_by_key(|(local, _)| *local);
        changed.retain(|(local, _)| self.is_variable(*local));
        changed
    }

    /// Whether a variable is mutable: an immutable one is visible only where it has its one value.
    fn is_variable(&self, local: Local) -> bool {
        self.kernel.is_variable(local)
    }

    /// Lowers code that is evaluated only where a condition has the given truth.
    fn under<T>(&mut self, condition: ValueId, holds: bool, lower: impl FnOnce(&mut Self) -> T) -> T {
        let holding = self.holding.len();
        if holds {
            self.hold(condition);
        }
        self.guards.push((condition, holds));
        let lowered = lower(self);
        self.guards.pop();
        self.holding.truncate(holding);
        lowered
    }

    /// Records that a condition holds. Its conjuncts are expanded only where a mask is tested, since a long chain of
    /// conditions nests.
    fn hold(&mut self, condition: ValueId) {
        self.holding.push(condition);
    }

    /// The part of a mask that is not known to hold.
    fn tested(&mut self, mask: ValueId) -> Option<ValueId> {
        let mut known: FxHashSet<ValueId> = FxHashSet::default();
        let mut holding = self.holding.clone();
        while let Some(condition) = holding.pop() {
            if known.insert(condition)
                && let Some(Node::Binary(BinaryOp::And, left, right)) = self.values.node(condition)
            {
                holding.extend([*left, *right]);
            }
        }
        let is_true = |id: ValueId| self.values.node(id) == Some(&Node::Constant(Constant::Bool(true)));
        let near = self.holding.iter().rev().take(MOST_GUARDS).flat_map(|id| self.values.conjuncts(*id));
        let near: Vec<ValueId> = near.take(MOST_GUARDS).collect();
        let is_known = |id: ValueId| known.contains(&id) || near.iter().any(|known| self.values.implies(*known, id));
        let open = self.values.conjuncts(mask);
        let open: Vec<ValueId> = open.into_iter().filter(|id| !is_true(*id) && !is_known(*id)).collect();
        open.into_iter()
            .reduce(|left, right| self.values.made(Node::Binary(BinaryOp::And, left, right), ElementType::Bool))
    }

    fn collective(
        &mut self,
        condition: ValueId,
        then: &'k [Statement],
        scope: Scope,
    ) -> (StepKind, Vec<(Local, ValueId)>) {
        let mark = self.changes.len();
        let body = self.under(condition, true, |lowering| lowering.list(then, scope));
        let changed = self.changed_since(mark);
        let after = changed.into_iter().filter_map(|(local, before)| self.join(local, before, condition)).collect();
        (StepKind::Collective { condition, body }, after)
    }

    fn branch(
        &mut self,
        condition: ValueId,
        (then, otherwise): (&'k [Statement], &'k [Statement]),
        scope: Scope,
    ) -> (StepKind, Vec<(Local, ValueId)>) {
        let mark = self.changes.len();
        let then = self.under(condition, true, |lowering| lowering.list(then, scope));
        let changed = self.changed_since(mark);
        let theirs: Vec<(Local, ValueId)> = changed.iter().map(|(local, _)| (*local, self.held(*local))).collect();
        for (local, before) in &changed {
            self.set(*local, *before);
        }
        let mark = self.changes.len();
        let otherwise = self.under(condition, false, |lowering| lowering.list(otherwise, scope));
        let mut paths = theirs;
        for (local, before) in self.changed_since(mark) {
            if !paths.iter().any(|(known, _)| *known == local) {
                paths.push((local, before));
            }
        }
        paths.sort_by_key(|(local, _)| *local);
        let after = paths.into_iter().filter_map(|(local, value)| self.join(local, value, condition)).collect();
        (StepKind::Branch { condition, then, otherwise }, after)
    }

    /// Merges a variable where this path joins another one, on which it has the value `other`; `None` if both values
    /// are the same.
    fn join(&mut self, local: Local, other: ValueId, condition: ValueId) -> Option<(Local, ValueId)> {
        let mine = self.held(local);
        let met = (mine != other).then(|| self.merge(local, vec![other, mine], vec![condition]))?;
        self.set(local, met);
        Some((local, met))
    }

    fn merge(&mut self, local: Local, values: Vec<ValueId>, conditions: Vec<ValueId>) -> ValueId {
        let element = self.kernel.locals.get(local).map_or(ElementType::I64, |local| local.element);
        let number = self.merges.len() as u32;
        self.merges.push(Merge { local, values, conditions });
        let known = self.kernel.locals.get(local).and_then(|local| local.range.as_ref());
        let range = known.map(|IteratorRange { low, extent }| {
            let facts = self.values.facts();
            let (first, count) = (of_size(low, facts), of_size(extent, facts));
            Interval { lo: first.lo, hi: first.plus(below(count)).hi }
        });
        self.values.merged(number, element, range, self.loops.clone())
    }

    fn count(
        &mut self,
        local: Local,
        ends: [ValueId; 2],
        body: &'k [Statement],
        scope: Scope,
    ) -> (StepKind, Vec<(Local, ValueId)>) {
        let [low, _] = ends;
        let iterations = self.iterations(ends);
        let (id, iterator) = self.values.iterator(ends);
        let outer = self.held(local);
        let assigned = Statement::assigned(body).into_iter().filter(|local| self.is_variable(*local));
        let assigned: Vec<Local> = assigned.collect();
        self.loops.push(id);
        // At the start of an iteration a variable has its value from before the loop or from the previous iteration.
        let mut heads = Vec::with_capacity(assigned.len());
        let first = self.merges.len();
        for local in assigned {
            let before = self.held(local);
            let head = self.merge(local, vec![before], vec![low]);
            self.set(local, head);
            heads.push((local, head));
        }
        self.set(local, iterator);
        let ending = self.kernel.ending(body).and_then(|local| {
            let (_, head) = heads.iter().find(|(head, _)| *head == local)?;
            Some(*head)
        });
        // What is in a loop without iterations is never executed.
        let body = match iterations {
            (_, Some(most)) if most <= 0 => {
                let never = self.values.made(Node::Constant(Constant::Bool(false)), ElementType::Bool);
                self.under(never, true, |lowering| lowering.list(body, scope))
            }
            _ => self.list(body, scope),
        };
        self.loops.pop();
        let mut after = Vec::with_capacity(heads.len());
        for (place, (local, head)) in heads.iter().enumerate() {
            let left = self.held(*local);
            if let Some(merge) = self.merges.get_mut(first + place) {
                merge.values.push(left);
            }
            let last = self.merge(*local, vec![*head], ends.to_vec());
            self.set(*local, last);
            after.push((*local, last));
        }
        self.set(local, outer);
        (StepKind::For(For { id, local, iterator, ends, iterations, heads, ending, body }), after)
    }

    /// The least trip count of a loop, and the greatest if it is known.
    fn iterations(&self, [low, high]: [ValueId; 2]) -> (i128, Option<i128>) {
        let form = |id: ValueId| self.values.form(id);
        let count = form(high).zip(form(low)).and_then(|(high, low)| high.checked_sub(&low).ok());
        let Interval { lo, hi } = match count.as_ref().and_then(Affine::as_constant) {
            Some(count) => self.values.facts().range(count),
            None => self.values.range(high).minus(self.values.range(low)),
        };
        (lo.unwrap_or(0).max(0), hi)
    }
}
