//! Loops.

use super::context::{Guard, LoopAxis};
use super::lower::binary;
use super::operands::size;
use super::{Binding, Checker, affine};
use crate::diagnostics;
use dims::{CompareOp, Sym};
use elements::ElementType;
use kernel::forms;
use kernel::typed::{BinaryOp, Expr, ExprKind, IteratorRange, Local, Scope, Statement, StatementKind};
use maps::MapBuilder;
use syntax::span::Span;
use syntax::tree::{self, Name};

impl Checker<'_> {
    /// `for (i, j) in grid(n, m) { }`: one iteration for each block.
    pub(super) fn grid_loop(
        &mut self,
        iterators: &[Name],
        args: &[tree::Argument],
        body: &tree::Block,
        span: Span,
    ) -> Option<Vec<Statement>> {
        let seen = std::mem::replace(&mut self.context.grid_loop_seen, true);
        let narrowed = matches!(self.context.scope, Scope::Threads(_));
        if seen || narrowed || self.context.conditions > 0 || !self.context.iterators.is_empty() {
            return self.report(diagnostics::grid_inside(span));
        }
        if iterators.len() > args.len() && args.len() == 1 {
            return self.report(diagnostics::not_available_yet(span, "a grid over an index space"));
        }
        if iterators.len() != args.len() {
            return self.report(diagnostics::wrong_index_count(span, "grid", args.len(), iterators.len()));
        }
        let sizes: Vec<Option<Sym>> = args.iter().map(|arg| self.evaluator.map_size(&arg.value)).collect();
        let sizes = sizes.into_iter().collect::<Option<Vec<_>>>()?;
        let mut statements = Vec::new();
        let mut rest = Expr { kind: ExprKind::BlockId, element: ElementType::I64 };
        if self.launch.cluster > 1 {
            rest = binary(BinaryOp::FloorDivide, rest, size(&Sym::constant(self.launch.cluster)));
        }
        let mut digits = Vec::with_capacity(sizes.len());
        for (position, extent) in sizes.iter().enumerate().rev() {
            let digit =
                if position == 0 { rest.clone() } else { binary(BinaryOp::FloorRemainder, rest.clone(), size(extent)) };
            if position > 0 {
                rest = binary(BinaryOp::FloorDivide, rest, size(extent));
            }
            digits.push(digit);
        }
        let bound = self.bindings.len();
        for (name, digit) in iterators.iter().zip(digits.into_iter().rev()) {
            statements.extend(self.let_statement(name, false, Some(digit), name.span)?);
        }
        let scope = if self.launch.cluster > 1 { Scope::Cluster } else { Scope::Block };
        let outer = std::mem::replace(&mut self.context.scope, scope);
        let inner = self.block(body);
        self.context.scope = outer;
        self.bindings.truncate(bound);
        statements.extend(inner?);
        Some(statements)
    }

    /// `for i in lo..hi { }`
    pub(super) fn for_loop(
        &mut self,
        iterators: &[Name],
        domain: &tree::Expr,
        body: &tree::Block,
        span: Span,
    ) -> Option<Vec<Statement>> {
        let (low, high, name) = match (&domain.kind, iterators) {
            (tree::ExprKind::Range(low, high), [name]) => (low, high, name),
            (tree::ExprKind::Error, _) => return None,
            (tree::ExprKind::Postfix { base, suffixes }, [_]) if self.is_python_range(base) => {
                return self.report(diagnostics::called_range(domain.span, base.span, suffixes));
            }
            (tree::ExprKind::Postfix { .. }, _) => {
                return self.report(diagnostics::not_available_yet(domain.span, "a loop over thread collectives"));
            }
            _ => return self.report(diagnostics::bounded_loop(domain.span)),
        };
        self.condition_places.push((span, domain.span));
        let low = self.index(low);
        let high = self.index(high);
        let local = self.new_local(&name.text, ElementType::I64, false);
        let bound = self.bindings.len();
        self.note_meaning(name, &Binding::Local(local));
        self.bind(name, Binding::Local(local));
        let (loops, guards) = (self.context.loops.len(), self.context.guards.len());
        let unstated = self.context.unstated_conditions;
        if let (Some(low), Some(high)) = (&low, &high) {
            self.enter_loop(local, low, high);
        }
        self.context.iterators.push(local);
        let inner = self.block(body);
        self.context.iterators.pop();
        self.context.unstated_conditions = unstated;
        self.context.loops.truncate(loops);
        self.context.guards.truncate(guards);
        self.bindings.truncate(bound);
        let kind = StatementKind::For { local, low: low?, high: high?, body: inner? };
        Some(self.made(kind, span))
    }

    /// Whether a loop is over `range(…)`, which nothing declares.
    fn is_python_range(&self, base: &tree::Expr) -> bool {
        let (db, item) = (self.evaluator.db, self.evaluator.item);
        matches!(&base.kind, tree::ExprKind::Name(name) if name == "range"
            && self.binding(name).is_none()
            && crate::names::lookup(db, item.file(db), name.clone()).is_none())
    }

    /// The iterator becomes an axis over a range that holds all its values; where that range may hold more, the
    /// ends are stated as conditions.
    fn enter_loop(&mut self, local: Local, low: &Expr, high: &Expr) {
        let (first, last) = (affine::as_size(low), affine::as_size(high));
        if let (Some(first), Some(last)) = (&first, &last)
            && let Ok(extent) = last.checked_sub(first)
            && self.evaluator.facts.prove(&extent, CompareOp::Ge, &Sym::zero()).is_proven()
        {
            self.push_axis(local, first.clone(), Some(extent));
            return;
        }
        let start = match first {
            Some(first) => Some(first),
            None => self.never_negative(low).then(Sym::zero),
        };
        if let Some(start) = start {
            let most = last.or_else(|| self.largest_value(high));
            let extent = most.and_then(|most| most.checked_sub(&start).ok());
            // An extent that might be negative says nothing.
            let extent =
                extent.filter(|extent| self.evaluator.facts.prove(extent, CompareOp::Ge, &Sym::zero()).is_proven());
            self.push_axis(local, start, extent);
        }
        let iterator = Expr { kind: ExprKind::Local(local), element: ElementType::I64 };
        for (op, side) in [(CompareOp::Ge, low), (CompareOp::Lt, high)] {
            if self.is_stable(side) {
                self.know(Guard { left: iterator.clone(), op, right: side.clone() });
            } else {
                self.context.unstated_conditions += 1;
            }
        }
    }

    fn push_axis(&mut self, local: Local, low: Sym, extent: Option<Sym>) {
        if let (Some(variable), Some(extent)) = (self.locals.get_mut(local.0 as usize), &extent) {
            variable.range = Some(IteratorRange { low: low.clone(), extent: extent.clone() });
        }
        self.context.loops.push(LoopAxis { local, low, extent });
    }

    /// The largest value of an index expression, where the axes around it say so.
    fn largest_value(&self, expr: &Expr) -> Option<Sym> {
        let mut axes = affine::Axes::new(&self.definitions, &self.context, &self.launch, &[]);
        let form = axes.form(expr);
        let mut builder = MapBuilder::new(axes.upper(), &self.evaluator.facts);
        let value = forms::build(&form, &mut builder).ok()?;
        builder.range(&value).high
    }

    /// An integer expression as an `i64`.
    pub(super) fn index(&mut self, expr: &tree::Expr) -> Option<Expr> {
        let operand = self.operand(expr)?;
        let typed = self.natural(operand, expr.span)?;
        if !typed.element.is_integer() {
            let found = format!("`{}`", typed.element);
            return self.report(diagnostics::type_mismatch(expr.span, "an integer", &found));
        }
        Some(super::operands::cast(typed, ElementType::I64))
    }
}
