//! Loops whose iterator moves on by another distance than 1.
//!
//! `for i in lo..hi step s { … }` becomes a loop over the number of the iteration, `k`, in whose body `i` is `lo + s * k`. So
//! every executor has such loops, and in proofs `i` is that sum. There are `cdiv(hi - lo, s)` iterations.

use smol_str::{SmolStr, format_smolstr};

use super::bindings::Binding;
use super::checker::Checker;
use super::looped::{BeforeLoop, Counter, Repeated, Steps};
use super::operand::as_size;
use crate::diagnostics::{self, Expected, WrongStep};
use dims::{CompareOp, Interval, Sym};
use elements::ElementType;
use kernel::raise::ValueId;
use kernel::typed::{BinaryOp, Expr, ExprKind, Local, Statement, StatementKind};
use syntax::span::Span;
use syntax::tree::{self, Name};

/// The most parts of an expression that is repeated rather than kept in a variable.
const MOST_REPEATED: usize = 8;

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
        let around = self.before_loop();
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
        match counted {
            Some((steps, count)) => self.progression(name, &steps, count, (body, span), (around, statements)),
            None => self.repeated(&Repeated { counter: Counter::Named(name), body, span }, None, around, statements),
        }
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
        let around = self.before_loop();
        let mut statements = Vec::new();
        let low = self.evaluated(format_smolstr!("{}_first", name.text), low, span, &mut statements);
        let steps = Steps { low, high, step: Expr::int(1) };
        self.progression(name, &steps, Expr::size(&count), (body, span), (around, statements))
    }

    /// Checks a loop over the numbers of its iterations, which are so many.
    fn progression(
        &mut self,
        name: &Name,
        steps: &Steps,
        count: Expr,
        (body, span): (&tree::Block, Span),
        (around, before): (BeforeLoop, Vec<Statement>),
    ) -> Option<Vec<Statement>> {
        let ends = [&steps.low, &steps.high].map(|end| self.raiser.value(end));
        let looped = Repeated { counter: Counter::Progression { name, steps, ends }, body, span };
        self.repeated(&looped, Some([Expr::int(0), count]), around, before)
    }

    /// Declares the iterator of a loop over the numbers of its iterations, and gives it its value.
    pub(super) fn in_progression(
        &mut self,
        number: Local,
        name: &Name,
        steps: &Steps,
        ends: [ValueId; 2],
    ) -> (Local, Vec<Statement>) {
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
        self.assume_within(known, ends, steps);
        (iterator, self.made(StatementKind::Assign { local: iterator, value }, name.span))
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
