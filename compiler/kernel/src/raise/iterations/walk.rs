//! Follows the statements of a loop's body.

use super::super::raiser::LoopRange;
use super::super::value::{Kind, ValueId};
use super::progress::Moves;
use super::search::{Assumed, Search};
use crate::typed::{BinaryOp, Constant, Expr, ExprKind, Local, Memory, Statement, StatementKind};
use dims::{CompareOp, Sym};
use elements::ElementType;
use maps::Range;

/// After so many conditional statements, of a variable its range is kept alone: a value that is a choice among the values of
/// many of them takes long to look at, again and again.
const MOST_JOINS: usize = 16;

impl Search<'_, '_> {
    /// Follows the body once from the assumed ranges, in the iteration of a number or in any, and notes which ranges each
    /// variable reaches at its end. `None` if the body cannot be followed.
    pub(super) fn round(&mut self, number: Option<i64>) -> Option<()> {
        self.ranges.iter_mut().for_each(|assumed| assumed.kept = [true; 2]);
        self.iteration(number, |search, _, _| {
            for place in 0..search.ranges.len() {
                let reached = search.range_of(search.ranges[place].local);
                let assumed = &mut search.ranges[place];
                // What a loop within the body does not keep says more.
                if assumed.kept == [true; 2] {
                    assumed.reached = reached;
                }
            }
        })
    }

    /// Follows the body once, calls `at_end` with the values of the variables at its beginning and with the range of the
    /// iterator, and takes everything back.
    pub(super) fn iteration(
        &mut self,
        number: Option<i64>,
        at_end: impl FnOnce(&mut Self, &[ValueId], Option<&LoopRange>),
    ) -> Option<()> {
        let (held, scope, before) = (self.raiser.held(), self.raiser.begin_scope(), self.raiser.assignments());
        let contents = self.raiser.contents_changed();
        for local in Statement::assigned(self.looped.body) {
            self.forget(local);
        }
        self.forget_stored(self.looped.body);
        let mut starts = Vec::new();
        for place in 0..self.ranges.len() {
            let Assumed { local, element, range, .. } = self.ranges[place].clone();
            let start = self.raiser.unknown_within(element, range);
            self.raiser.hold_in(local, start);
            starts.push(start);
        }
        if let Some([low, high]) = self.ordered {
            self.raiser.assume_comparison(starts[low], CompareOp::Le, starts[high]);
        }
        let range = self.raiser.begin_iterations(self.looped.iterator, self.looped.ends.clone());
        if let Some(number) = number {
            self.know_iteration(number, range.as_ref());
        }
        let followed = self.statements(self.looped.body);
        if followed.is_some() {
            at_end(self, &starts, range.as_ref());
        }
        self.raiser.take_contents_since(contents);
        self.raiser.leave(held);
        self.raiser.undo(before);
        self.raiser.end_scope(scope);
        followed
    }

    /// Assumes that this is the iteration of a number, from zero on.
    fn know_iteration(&mut self, number: i64, range: Option<&LoopRange>) {
        let Some(LoopRange { low, starts_at_low: true, .. }) = range else { return };
        let Ok(value) = low.checked_add(&Sym::constant(number)) else { return };
        let (iterator, value) =
            (self.raiser.intern(Kind::Iterator(self.looped.iterator), ElementType::I64), self.raiser.size(&value));
        self.raiser.assume_comparison(iterator, CompareOp::Eq, value);
    }

    fn range_of(&mut self, local: Local) -> Range {
        self.raiser.current(local).map_or_else(Range::default, |value| self.raiser.range_here(value))
    }

    fn forget(&mut self, local: Local) {
        if let Some(variable) = self.looped.locals.get(local) {
            self.raiser.forget(local, variable.element);
        }
    }

    /// Forgets what is known of the memory that statements write. What they store is not followed.
    fn forget_stored(&mut self, statements: &[Statement]) {
        let mut written = Vec::new();
        memory_written(statements, &mut written);
        written.into_iter().for_each(|memory| self.raiser.know_contents(memory, None));
    }

    fn statements(&mut self, statements: &[Statement]) -> Option<()> {
        statements.iter().try_for_each(|statement| self.statement(&statement.kind))
    }

    fn statement(&mut self, statement: &StatementKind) -> Option<()> {
        (self.poll)();
        self.steps = self.steps.checked_sub(1)?;
        self.raiser.statement += 1;
        match statement {
            StatementKind::Assign { local, value } => match self.looped.locals.get(*local)?.mutable {
                true => self.raiser.assign(*local, value),
                false => self.raiser.declare(*local, value),
            },
            StatementKind::For { local, low, high, body } => self.inner_loop(*local, [low, high], body)?,
            StatementKind::If { condition, then, otherwise } => self.branches(condition, then, otherwise)?,
            StatementKind::Collective { condition, body, .. } => self.branches(condition, body, &[])?,
            StatementKind::Atomic(atomic) => atomic.result.into_iter().for_each(|local| self.forget(local)),
            StatementKind::Shuffle(shuffle) => self.forget(shuffle.local),
            StatementKind::Store { .. } | StatementKind::Barrier(_) | StatementKind::Copies(_) => {}
            StatementKind::Each(each) => {
                Statement::assigned(&each.per_thread).into_iter().for_each(|local| self.forget(local));
                self.forget_stored(&each.per_thread);
            }
        }
        Some(())
    }

    fn branches(&mut self, condition: &Expr, then: &[Statement], otherwise: &[Statement]) -> Option<()> {
        if let Some(goes_on) = self.goes_on {
            let is_of_going_on = matches!(&condition.kind, ExprKind::Local(local) if *local == goes_on);
            if is_of_going_on || ends_loop(otherwise, goes_on) {
                self.raiser.assume(condition, false);
                return self.statements(then);
            }
            if ends_loop(then, goes_on) {
                self.raiser.assume(condition, true);
                return self.statements(otherwise);
            }
        }
        let mut branch = self.raiser.begin_branch();
        self.raiser.assume(condition, false);
        let scope = self.raiser.begin_scope();
        let first = self.statements(then);
        self.raiser.end_scope(scope);
        self.raiser.other_branch(&mut branch);
        self.raiser.assume(condition, true);
        let scope = self.raiser.begin_scope();
        let second = self.statements(otherwise);
        self.raiser.end_scope(scope);
        self.raiser.end_branch(Some(condition), branch);
        self.joins += 1;
        if self.joins.is_multiple_of(MOST_JOINS) {
            self.keep_ranges();
        }
        first.and(second)
    }

    /// Makes the carried variables unknown but for their ranges.
    fn keep_ranges(&mut self) {
        for local in self.looped.carried {
            let range = self.range_of(*local);
            if let Some(value) = self.raiser.current(*local) {
                let element = self.raiser.element(value);
                let value = self.raiser.unknown_within(element, range);
                self.raiser.hold_in(*local, value);
            }
        }
    }

    /// A loop within the body. A carried variable that it assigns has to keep its range in it, too.
    fn inner_loop(&mut self, local: Local, ends: [&Expr; 2], body: &[Statement]) -> Option<()> {
        let (held, scope) = (self.raiser.held(), self.raiser.begin_scope());
        let ends = ends.map(|end| (as_size(end), self.raiser.value(end)));
        let assigned = Statement::assigned(body);
        self.forget_stored(body);
        let before = self.current(&assigned);
        self.keep(&assigned);
        let starts = self.current(&assigned);
        let is_exact = ends.iter().all(|(end, _)| end.is_some());
        let range = self.raiser.begin_iterations(local, ends);
        let followed = self.statements(body);
        let at_end = self.current(&assigned);
        // Where the ranges are not kept, nothing is known of the variables behind the loop.
        self.keep(&assigned);
        self.raiser.leave(held);
        self.raiser.end_scope(scope);
        self.keep(&assigned);
        if let Some(extent) = range.and_then(|range| range.extent).filter(|_| is_exact) {
            for (place, local) in assigned.iter().enumerate() {
                let values = [before[place], starts[place], at_end[place]];
                if let [Some(before), Some(start), Some(end)] = values {
                    self.move_on(*local, before, [start, end], &extent);
                }
            }
        }
        followed
    }

    fn current(&self, locals: &[Local]) -> Vec<Option<ValueId>> {
        locals.iter().map(|local| self.raiser.current(*local)).collect()
    }

    /// Makes a variable what a number of iterations make of it, where nothing is assumed of it and each of them moves it by the
    /// same distance.
    fn move_on(&mut self, local: Local, before: ValueId, [start, end]: [ValueId; 2], iterations: &Sym) {
        let is_free = |assumed: &Assumed| assumed.local == local && assumed.range == Range::default();
        if !self.ranges.iter().any(is_free) {
            return;
        }
        let [start, end] = [start, end].map(|value| self.raiser.plainly(value));
        let distance = match self.raiser.moves_of(end, start) {
            Some(Moves { least, most, .. }) if least == most => least.checked_mul(iterations),
            _ => return,
        };
        if let Ok(distance) = distance {
            let distance = self.raiser.size(&distance);
            let element = self.raiser.element(before);
            let moved = self.raiser.intern(Kind::Binary(BinaryOp::Add, before, distance), element);
            self.raiser.hold_in(local, moved);
        }
    }

    /// Makes variables unknown but for the ranges that are assumed of them, which are noted to be kept or not here.
    fn keep(&mut self, assigned: &[Local]) {
        for local in assigned {
            let place = self.ranges.iter().position(|assumed| assumed.local == *local);
            let Some(place) = place else {
                self.forget(*local);
                continue;
            };
            let reached = self.range_of(*local);
            let range = self.ranges[place].range.clone();
            let kept = self.raiser.is_within(&reached, &range);
            let assumed = &mut self.ranges[place];
            if kept != [true; 2] && assumed.kept == [true; 2] {
                assumed.kept = kept;
                assumed.reached = reached;
            }
            let element = assumed.element;
            let value = self.raiser.unknown_within(element, range);
            self.raiser.hold_in(*local, value);
        }
    }
}

/// Whether statements, if they are executed, make the variable false that says whether a loop goes on.
pub(super) fn ends_loop(statements: &[Statement], goes_on: Local) -> bool {
    statements.iter().any(|statement| {
        matches!(&statement.kind, StatementKind::Assign { local, value } if *local == goes_on
            && value.kind == ExprKind::Constant(Constant::Bool(false)))
    })
}

fn memory_written(statements: &[Statement], found: &mut Vec<Memory>) {
    Statement::walk(statements, &mut |statement| match &statement.kind {
        StatementKind::Store { access, .. } => found.push(access.memory),
        StatementKind::Atomic(atomic) => found.push(atomic.access.memory),
        StatementKind::Each(each) => memory_written(&each.per_thread, found),
        _ => {}
    });
}

fn as_size(expr: &Expr) -> Option<Sym> {
    match &expr.kind {
        ExprKind::Size(size) => Some(size.clone()),
        ExprKind::Constant(Constant::Int(value)) => Some(Sym::constant(*value)),
        _ => None,
    }
}
