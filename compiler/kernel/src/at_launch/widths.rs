//! Checks that the indices of a kernel fit 64 bits with the sizes of a launch.
//!
//! The checks treat ids, iterators and sizes as unbounded integers, since the size of a tensor has no fixed limit,
//! whereas executors compute in 64 bits. A launch for which the two could differ is refused. Arithmetic on data wraps
//! by definition, and the checks account for that; the same holds for arithmetic that overflows merely because of its
//! constants.

use std::collections::{BTreeMap, BTreeSet};

use super::notation::notation;
use super::problem::LaunchProblem;
use crate::assumed::{Assumed, MadeOf};
use crate::intervals::{Arithmetic, MOST_OF_SYMBOL, below, of_type};
use crate::stack::with_enough;
use crate::table::Table;
use crate::typed::{Access, BinaryOp, Constant, Expr, ExprKind, Kernel, Local, Statement, StatementKind, UnaryOp};
use dims::{Interval, Sym, Symbol};
use elements::ElementType;

/// The expressions that may overflow 64 bits with these sizes, or sizes that are too large to tell.
pub(super) fn beyond_64_bits(kernel: &Kernel, sizes: &BTreeMap<Symbol, i64>) -> Vec<LaunchProblem> {
    let too_large = sizes.iter().filter(|(symbol, size)| kernel.symbols.contains(symbol) && **size > MOST_OF_SYMBOL);
    let too_large: Vec<LaunchProblem> =
        too_large.map(|(symbol, size)| LaunchProblem::SizeTooLarge { symbol: symbol.clone(), size: *size }).collect();
    if !too_large.is_empty() {
        return too_large;
    }
    let locals = kernel.locals.iter().map(|local| Values::data(local.element)).collect();
    let mut widths = Widths { kernel, sizes, locals, changes: Vec::new(), is_of_access: false, problems: Vec::new() };
    widths.statements(&kernel.body);
    kernel.must_fit.iter().for_each(|size| widths.fits(size));
    widths.problems
}

/// The possible values of an expression.
#[derive(Clone, Copy)]
struct Values {
    /// The interval with the sizes of the launch.
    actual: Interval,
    /// What was assumed of it.
    assumed: Assumed,
}

impl Values {
    /// Any value of the type.
    fn data(element: ElementType) -> Self {
        Self { actual: of_type(element), assumed: Assumed::data(element) }
    }
}

struct Widths<'a> {
    kernel: &'a Kernel,
    sizes: &'a BTreeMap<Symbol, i64>,
    /// The values of each variable at the current place; any value of one that a loop around it assigns.
    locals: Table<Local, Values>,
    /// The variables that were given values, each with those that it had before.
    changes: Vec<(Local, Values)>,
    /// Whether the expression computes the element of an access, which the program does not write.
    is_of_access: bool,
    problems: Vec<LaunchProblem>,
}

impl Widths<'_> {
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(&statement.kind);
        }
    }

    fn statement(&mut self, statement: &StatementKind) {
        match statement {
            StatementKind::Assign { local, value } => {
                let values = self.expr(value);
                self.define(*local, values);
            }
            StatementKind::For { local, low, high, body } => {
                let (low, high) = (self.expr(low), self.expr(high));
                let values = self.iterator(*local, low, high);
                // A loop without iterations computes nothing.
                if values.actual.lo.zip(values.actual.hi).is_none_or(|(lo, hi)| lo <= hi) {
                    self.forget_assigned(body);
                    self.define(*local, values);
                    self.statements(body);
                    self.forget_assigned(body);
                }
            }
            StatementKind::If { condition, then, otherwise } => match self.condition(condition) {
                Some(true) => self.statements(then),
                Some(false) => self.statements(otherwise),
                None => {
                    let (then, otherwise) = (self.branch(then), self.branch(otherwise));
                    self.join(&then, &otherwise, MadeOf::max);
                }
            },
            StatementKind::Each(each) => self.statements(&each.per_thread),
            StatementKind::Collective { condition, body, .. } => {
                self.expr(condition);
                let body = self.branch(body);
                // The lanes that come here have the values of the body, for which more may be assumed than for those before.
                self.join(&body, &BTreeMap::new(), MadeOf::min);
            }
            StatementKind::Store { access, value, .. } => {
                self.access(access);
                self.expr(value);
            }
            StatementKind::Atomic(atomic) => {
                self.access(&atomic.access);
                atomic.operands.iter().for_each(|operand| {
                    self.expr(operand);
                });
                atomic.result.into_iter().for_each(|local| self.forget(local));
            }
            StatementKind::Shuffle(shuffle) => {
                shuffle.expressions(&mut |expr| {
                    self.expr(expr);
                });
                self.forget(shuffle.local);
            }
            // The numbers of barriers are small.
            StatementKind::Barrier(_) | StatementKind::Copies(_) => {}
        }
    }

    /// Whether a condition holds wherever it is evaluated with these sizes, if they decide it. What it then leaves out is never
    /// computed, so it may be of any size.
    fn condition(&mut self, condition: &Expr) -> Option<bool> {
        match &condition.kind {
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let decides = *op == BinaryOp::Or;
                match with_enough(|| self.condition(left)) {
                    Some(left) if left == decides => Some(decides),
                    Some(_) => self.condition(right),
                    None => self.condition(right).filter(|right| *right == decides),
                }
            }
            ExprKind::Binary(op, left, right) if left.element.is_integer() => {
                let (left, right) = (self.expr(left), self.expr(right));
                let is_known = left.assumed.is_exact() && right.assumed.is_exact();
                op.comparison().filter(|_| is_known).and_then(|op| left.actual.compare(op, right.actual))
            }
            _ => {
                self.expr(condition);
                None
            }
        }
    }

    fn define(&mut self, local: Local, values: Values) {
        if let Some(known) = self.locals.get_mut(local) {
            self.changes.push((local, std::mem::replace(known, values)));
        }
    }

    /// A variable may have any value of its type.
    fn forget(&mut self, local: Local) {
        let element = self.kernel.locals.get(local).map_or(ElementType::I64, |variable| variable.element);
        self.define(local, Values::data(element));
    }

    /// The same for the variables that statements assign.
    fn forget_assigned(&mut self, statements: &[Statement]) {
        Statement::assigned(statements).into_iter().for_each(|local| self.forget(local));
    }

    /// Executes statements that may be left out: returns the values that they give to variables, which have those from before again.
    fn branch(&mut self, statements: &[Statement]) -> BTreeMap<Local, Values> {
        let mark = self.changes.len();
        self.statements(statements);
        let mut given = BTreeMap::new();
        for (local, before) in self.changes.split_off(mark).into_iter().rev() {
            if let Some(now) = self.locals.get_mut(local) {
                given.entry(local).or_insert(*now);
                *now = before;
            }
        }
        given
    }

    /// Gives variables the values of one of two branches. What they are made of is that of the branches together.
    fn join(
        &mut self,
        one: &BTreeMap<Local, Values>,
        other: &BTreeMap<Local, Values>,
        made_of: impl Fn(MadeOf, MadeOf) -> MadeOf,
    ) {
        let locals: BTreeSet<Local> = one.keys().chain(other.keys()).copied().collect();
        for local in locals {
            let Some(before) = self.locals.get(local).copied() else { continue };
            let [one, other] = [one, other].map(|given| given.get(&local).copied().unwrap_or(before));
            let assumed = Assumed {
                made_of: made_of(one.assumed.made_of, other.assumed.made_of),
                small: one.assumed.small.union(other.assumed.small),
            };
            self.define(local, Values { actual: one.actual.union(other.actual), assumed });
        }
    }

    /// The values of an iterator: within the bounds of its loop and within the range that the checks rely on.
    fn iterator(&mut self, local: Local, low: Values, high: Values) -> Values {
        let ends = Interval { lo: low.actual.lo, hi: below(high.actual).hi };
        let range = self.kernel.locals.get(local).and_then(|variable| variable.range.as_ref());
        let Some(range) = range else {
            return Values { actual: ends, ..Values::data(ElementType::I64) };
        };
        let (first, count) = (self.size(&range.low), self.size(&range.extent));
        let small = first.assumed.small.plus(below(count.assumed.small));
        Values {
            actual: ends.intersect(first.actual.plus(below(count.actual))),
            assumed: Assumed { made_of: MadeOf::Sizes, small },
        }
    }

    fn access(&mut self, access: &Access) {
        for coordinate in &access.coordinates {
            self.expr(coordinate);
        }
        let around = std::mem::replace(&mut self.is_of_access, true);
        access.expressions(&mut |expr| {
            self.expr(expr);
        });
        self.is_of_access = around;
    }

    /// Reports a size that the checks rely on and that does not fit.
    fn fits(&mut self, size: &Sym) {
        let value = size.evaluate_wide(&|symbol| self.sizes.get(symbol).copied());
        if !value.as_ref().is_ok_and(|value| i64::try_from(*value).is_ok()) {
            let (index, sizes) = (size.to_string(), self.sizes.clone());
            self.problem(LaunchProblem::IndexTooLarge { index, value: value.unwrap_or(i128::MAX), sizes });
        }
    }

    fn size(&mut self, size: &Sym) -> Values {
        match size.evaluate(&|symbol| self.sizes.get(symbol).copied()) {
            Ok(value) => {
                Values { actual: Interval::point(value.into()), assumed: Assumed::size(size, &self.kernel.facts) }
            }
            Err(_) => {
                self.fits(size);
                Values::data(ElementType::I64)
            }
        }
    }

    /// The values of an id below a number of blocks or threads.
    fn below(&mut self, count: &Sym) -> Values {
        Values { actual: below(self.size(count).actual), assumed: Assumed::below(count, &self.kernel.facts) }
    }

    /// The values of an expression. Reports every part that may overflow 64 bits and must not.
    fn expr(&mut self, expr: &Expr) -> Values {
        // Long chains of operands are nested deeply.
        with_enough(|| self.expr_of_kind(expr))
    }

    fn expr_of_kind(&mut self, expr: &Expr) -> Values {
        let element = expr.element;
        match &expr.kind {
            ExprKind::Constant(Constant::Int(value)) if element != ElementType::U64 => {
                let value = i128::from(*value);
                Values { actual: Interval::point(value), assumed: Assumed::constant(value) }
            }
            ExprKind::Constant(_) | ExprKind::Scalar(_) => Values::data(element),
            ExprKind::Size(size) => self.size(size),
            ExprKind::Local(local) => self.locals.get(*local).copied().unwrap_or(Values::data(element)),
            ExprKind::BlockId => self.below(&self.kernel.launch.blocks),
            ExprKind::ThreadId => self.below(&self.kernel.launch.threads),
            ExprKind::Load(access) => {
                self.access(access);
                Values::data(element)
            }
            ExprKind::Unary(UnaryOp::Not, inner) | ExprKind::Bits(inner) => {
                self.expr(inner);
                Values::data(element)
            }
            ExprKind::Unary(UnaryOp::Negate, inner) => {
                let inner = self.expr(inner);
                self.computed(expr, &Arithmetic::Negate(inner))
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                self.computed(expr, &Arithmetic::Binary(*op, left, right))
            }
            ExprKind::Select(condition, then, otherwise) => {
                self.expr(condition);
                let (then, otherwise) = (self.expr(then), self.expr(otherwise));
                self.computed(expr, &Arithmetic::Choice(then, otherwise))
            }
            ExprKind::Cast(inner) => {
                let (from, inner) = (inner.element, self.expr(inner));
                let assumed = inner.assumed.to_be_cast(from);
                self.computed(expr, &Arithmetic::Cast(Values { assumed, ..inner }))
            }
            ExprKind::Math(function, arguments) => {
                let arguments = arguments.iter().map(|argument| self.expr(argument)).collect();
                self.computed(expr, &Arithmetic::Math(*function, arguments))
            }
        }
    }

    /// The values of an operation, from those of its operands.
    fn computed(&mut self, expr: &Expr, operation: &Arithmetic<Values>) -> Values {
        let actual = operation.interval(expr.element, |operand| Some(operand.actual));
        let Some(actual) = actual else { return Values::data(expr.element) };
        let small = operation.interval(expr.element, |operand| Some(operand.assumed.small));
        let assumed = Assumed::of_result(operation.made_of(|operand| operand.assumed.made_of), small, expr.element);
        let all = of_type(expr.element);
        if actual.lies_in(all) {
            return Values { actual, assumed };
        }
        // The program does not write the place of an access, so it has to fit whatever it is made of.
        let is_place = self.is_of_access && small.is_some_and(|small| small.lies_in(all));
        let may_wrap = operation.may_leave_its_type() && !matches!(operation, Arithmetic::Cast(_));
        if expr.element == ElementType::I64 && may_wrap && (assumed.is_exact() || is_place) {
            self.report(expr, actual);
        }
        Values { actual: all, assumed }
    }

    fn report(&mut self, expr: &Expr, exact: Interval) {
        let far = exact.hi.filter(|hi| *hi > i64::MAX.into()).or(exact.lo).unwrap_or(i128::MAX);
        let (index, sizes) = (notation(expr, self.kernel), self.sizes.clone());
        self.problem(LaunchProblem::IndexTooLarge { index, value: far, sizes });
    }

    fn problem(&mut self, problem: LaunchProblem) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}
