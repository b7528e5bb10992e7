//! Loops whose iterator moves on by another distance than 1.
//!
//! `for i in lo..hi step s { … }` becomes a loop over the number of the iteration, `k`, in whose body `i` is `lo + s * k`. So
//! every executor has such loops, and in proofs `i` is that sum. There are `cdiv(hi - lo, s)` iterations.

use smol_str::{SmolStr, format_smolstr};

use super::bindings::Binding;
use super::checker::Checker;
use super::context::Ways;
use super::induction::AtStart;
use super::operand::as_size;
use crate::diagnostics::{self, Expected, WrongStep};
use dims::{CompareOp, Interval, Sym};
use elements::ElementType;
use kernel::raise::{Held, Kept, ScopeMark, ValueId};
use kernel::typed::{BinaryOp, Expr, ExprKind, Statement, StatementKind};
use syntax::span::Span;
use syntax::tree::{self, Name};

/// The most parts of an expression that is repeated rather than kept in a variable.
const MOST_REPEATED: usize = 8;

/// The range of a stepped loop, of which every part is evaluated once.
struct Steps {
    low: Expr,
    high: Expr,
    step: Expr,
}

impl Checker<'_> {
    /// Checks `for i in lo..hi step s { }`.
    pub(super) fn stepped_loop(
        &mut self,
        name: &Name,
        (low, high): (&tree::Expr, &tree::Expr),
        step: &tree::Expr,
        body: &tree::Block,
        span: Span,
    ) -> Option<Vec<Statement>> {
        let low = self.integer(low, &Expected::Integer);
        let high = self.integer(high, &Expected::Integer);
        let step = self.step(step);
        let steps = low.zip(high).zip(step).map(|((low, high), step)| (low, high, step));
        self.numbered_loop(name, steps, body, span)
    }

    /// Checks a loop over the numbers of its iterations, from the ends of its range and its step.
    pub(super) fn numbered_loop(
        &mut self,
        name: &Name,
        steps: Option<(Expr, Expr, Expr)>,
        body: &tree::Block,
        span: Span,
    ) -> Option<Vec<Statement>> {
        let (bound, scope, held) = (self.bindings.len(), self.raiser.begin_scope(), self.raiser.held());
        let mut statements = Vec::new();
        let steps = steps.map(|(low, high, step)| Steps {
            low: self.evaluated(format_smolstr!("{}_first", name.text), low, span, &mut statements),
            high: self.evaluated(format_smolstr!("{}_end", name.text), high, span, &mut statements),
            step: self.evaluated(format_smolstr!("{}_by", name.text), step, span, &mut statements),
        });
        let counted = steps.and_then(|steps| {
            let count = self.iterations(&steps, span)?;
            Some((steps, self.evaluated(format_smolstr!("{}_count", name.text), count, span, &mut statements)))
        });
        let ways = self.ways_to_leave(body, span, &mut statements);
        let (entered, kept) = self.numbered(name, counted, body, ways, span);
        self.behind_loop((bound, scope, held), body, (ways, &kept));
        statements.extend(self.made(entered?, span));
        Some(statements)
    }

    /// Checks a loop whose range begins at a number that is no size, and has a size of numbers, as `i..i + 4`: one over the
    /// numbers of its iterations.
    pub(super) fn counted_loop(
        &mut self,
        name: &Name,
        low: Expr,
        high: Expr,
        count: Sym,
        body: &tree::Block,
        span: Span,
    ) -> Option<Vec<Statement>> {
        let (bound, scope, held) = (self.bindings.len(), self.raiser.begin_scope(), self.raiser.held());
        let mut statements = Vec::new();
        let low = self.evaluated(format_smolstr!("{}_first", name.text), low, span, &mut statements);
        let steps = Steps { low, high, step: Expr::int(1) };
        let ways = self.ways_to_leave(body, span, &mut statements);
        let (entered, kept) = self.numbered(name, Some((steps, Expr::size(&count))), body, ways, span);
        self.behind_loop((bound, scope, held), body, (ways, &kept));
        statements.extend(self.made(entered?, span));
        Some(statements)
    }

    /// Ends what held in a loop alone, given what was before it, and states what it keeps.
    pub(super) fn behind_loop(
        &mut self,
        (bound, scope, held): (usize, ScopeMark, Held),
        body: &tree::Block,
        (ways, kept): (Ways, &[Kept]),
    ) {
        self.raiser.leave(held);
        self.raiser.end_scope(scope);
        self.unbind(bound);
        self.forget_assigned(body);
        self.forget_ways(ways);
        self.hold_behind(kept);
    }

    /// The loop over the numbers of the iterations, if they are known, and what it keeps.
    fn numbered(
        &mut self,
        name: &Name,
        counted: Option<(Steps, Expr)>,
        body: &tree::Block,
        ways: Ways,
        span: Span,
    ) -> (Option<StatementKind>, Vec<Kept>) {
        let mut kept = Vec::new();
        let entered = match counted {
            Some((steps, count)) => {
                kept = self.kept_in_steps(name, &steps, &count, body, (ways, span));
                self.iterate(name, (&steps, count), body, (ways, span), &kept)
            }
            // With an invalid range, uses of the iterator would only repeat the error.
            None => {
                self.forget_assigned(body);
                self.bind(name, Binding::Broken);
                self.body_of_loop(body, None, ways, span);
                None
            }
        };
        (entered, kept)
    }

    /// What the iterations keep of the variables that the body assigns.
    fn kept_in_steps(
        &mut self,
        name: &Name,
        steps: &Steps,
        count: &Expr,
        body: &tree::Block,
        leaving: (Ways, Span),
    ) -> Vec<Kept> {
        let ends = [&Expr::int(0), count].map(|end| (as_size(end), self.raiser.value(end)));
        self.kept_by(body, leaving.0, |aside| {
            match aside.iterate(name, (steps, count.clone()), body, leaving, &[])? {
                StatementKind::For { local, body, .. } => Some((local, ends, body)),
                _ => None,
            }
        })
    }

    /// The loop over the numbers of the iterations.
    fn iterate(
        &mut self,
        name: &Name,
        (steps, count): (&Steps, Expr),
        body: &tree::Block,
        (ways, span): (Ways, Span),
        kept: &[Kept],
    ) -> Option<StatementKind> {
        let number = self.new_local(&format_smolstr!("{}_step", name.text), ElementType::I64, false);
        let zero = Expr::int(0);
        let ends = [&zero, &count].map(|end| (as_size(end), self.raiser.value(end)));
        let [from, to] = [&steps.low, &steps.high].map(|end| self.raiser.value(end));
        self.forget_assigned(body);
        self.forget_ways(ways);
        let low = ends[0].1;
        self.enter_loop(number, ends);
        let of_number = Expr { kind: ExprKind::Local(number), element: ElementType::I64 };
        let is_one = as_size(&steps.step).is_some_and(|step| step == Sym::one());
        let distance = match is_one {
            true => of_number,
            false => Expr::binary(BinaryOp::Multiply, of_number, steps.step.clone()),
        };
        let value = match as_size(&steps.low) {
            Some(low) if low.is_zero() => distance,
            _ => Expr::binary(BinaryOp::Add, steps.low.clone(), distance),
        };
        let iterator = self.new_local(&name.text, ElementType::I64, false);
        self.raiser.declare(iterator, &value);
        let binding = Binding::Local(iterator);
        self.note_meaning(name, &binding);
        self.bind(name, binding);
        let of_iterator = Expr { kind: ExprKind::Local(iterator), element: ElementType::I64 };
        let known = self.raiser.value(&of_iterator);
        self.assume_within(known, [from, to], steps);
        self.context.iterators.push(iterator);
        self.context.numbers.push(number);
        let inner = self.body_of_loop(body, Some(AtStart { kept, iterator: number, low }), ways, span);
        self.context.numbers.pop();
        self.context.iterators.pop();
        let mut statements = self.made(StatementKind::Assign { local: iterator, value }, name.span);
        statements.extend(inner?);
        Some(StatementKind::For { local: number, low: zero, high: count, body: statements })
    }

    /// Assumes that an iterator lies between the ends of its loop, unless that follows from its number.
    fn assume_within(&mut self, iterator: ValueId, [from, to]: [ValueId; 2], steps: &Steps) {
        let sizes = as_size(&steps.low).zip(as_size(&steps.high)).zip(as_size(&steps.step));
        let last = sizes.and_then(|((low, high), step)| {
            let facts = &self.evaluator.facts;
            let count = high.checked_sub(&low).ok()?.cdiv(&step, facts).ok()?;
            let beyond = count.checked_mul(&step).ok()?.checked_add(&low).ok()?;
            let last = beyond.checked_sub(&step).ok()?;
            facts.proves(&last, CompareOp::Lt, &high).then_some(())
        });
        if last.is_some() {
            return;
        }
        self.raiser.assume_comparison(iterator, CompareOp::Ge, from);
        self.raiser.assume_comparison(iterator, CompareOp::Lt, to);
    }

    /// The number of iterations; not positive where there is none.
    fn iterations(&mut self, Steps { low, high, step }: &Steps, span: Span) -> Option<Expr> {
        if let (Some(low), Some(high), Some(step)) = (as_size(low), as_size(high), as_size(step)) {
            let facts = &self.evaluator.facts;
            let count = high.checked_sub(&low).and_then(|distance| distance.cdiv(&step, facts));
            return self.evaluator.settle(span, count).map(|count| Expr::size(&count));
        }
        let binary = |op, left: &Expr, right: Expr| Expr::binary(op, left.clone(), right);
        let all = Interval::between(i64::MIN.into(), i64::MAX.into());
        let numbers = self.distance(low, high);
        if as_size(step) == Some(Sym::one()) && numbers.lies_in(all) {
            return Some(binary(BinaryOp::Subtract, high, low.clone()));
        }
        let last = binary(BinaryOp::Subtract, high, Expr::int(1));
        let distance = binary(BinaryOp::Subtract, &last, low.clone());
        if numbers.minus(Interval::point(1)).lies_in(all) {
            let before_last = Expr::binary(BinaryOp::FloorDivide, distance, step.clone());
            return Some(Expr::binary(BinaryOp::Add, before_last, Expr::int(1)));
        }
        // The distance of two numbers of 64 bits is one without a sign.
        let [distance, by] = [distance, step.clone()].map(|value| value.cast_to(ElementType::U64));
        let before_last = Expr::binary(BinaryOp::Divide, distance, by).cast_to(ElementType::I64);
        let count = Expr::binary(BinaryOp::Add, before_last, Expr::int(1));
        let condition = binary(BinaryOp::Less, low, high.clone());
        let kind = ExprKind::Select(Box::new(condition), Box::new(count), Box::new(Expr::int(0)));
        Some(Expr { kind, element: ElementType::I64 })
    }

    /// The interval of the distance from one number to another, without wrapping.
    pub(super) fn distance(&mut self, from: &Expr, to: &Expr) -> Interval {
        let [from, to] = [from, to].map(|end| {
            let value = self.raiser.value(end);
            self.raiser.numbers(value)
        });
        to.minus(from)
    }

    /// The distance between two iterations, which has to be known to be positive.
    fn step(&mut self, expr: &tree::Expr) -> Option<Expr> {
        let step = self.integer(expr, &Expected::Integer)?;
        if let Some(size) = as_size(&step) {
            let facts = &self.evaluator.facts;
            return match (size.as_constant(), facts.proves(&size, CompareOp::Ge, &Sym::one())) {
                (_, true) => Some(step),
                (Some(number), false) => self.report(diagnostics::loop_step(expr.span, &WrongStep::Number(number))),
                (None, false) => self.report(diagnostics::loop_step(expr.span, &WrongStep::Size(size))),
            };
        }
        let value = self.raiser.value(&step);
        match self.raiser.numbers(value).lo {
            Some(least) if least >= 1 => Some(step),
            _ => self.report(diagnostics::loop_step(expr.span, &WrongStep::Unknown)),
        }
    }

    /// The value that an expression has now: a short one of what never changes is the same everywhere, and any other is kept
    /// in a variable.
    fn evaluated(&mut self, name: SmolStr, value: Expr, span: Span, statements: &mut Vec<Statement>) -> Expr {
        if as_size(&value).is_some() || self.never_changes(&value) {
            return value;
        }
        let local = self.new_local(&name, ElementType::I64, false);
        self.raiser.declare(local, &value);
        statements.extend(self.made(StatementKind::Assign { local, value }, span));
        Expr { kind: ExprKind::Local(local), element: ElementType::I64 }
    }

    /// Whether a short expression has the same value wherever its names are known.
    fn never_changes(&self, expr: &Expr) -> bool {
        let mut parts = 0;
        expr.walk(&mut |_| parts += 1);
        parts <= MOST_REPEATED && !self.may_change(expr)
    }
}
