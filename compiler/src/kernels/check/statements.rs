//! Statements.

use std::sync::Arc;

use smol_str::SmolStr;

use super::context::{Guard, LoopAxis};
use super::launch::grid_domain;
use super::lower::binary;
use super::operands::{Operand, size};
use super::{Binding, Checker, ElementType, affine};
use crate::diagnostics;
use crate::dims::{CompareOp, Sym};
use crate::kernels::typed::{BinaryOp, Constant, Expr, ExprKind, Local, Scope, Statement, StatementKind, UnaryOp};
use crate::maps::MapBuilder;
use crate::syntax::span::Span;
use crate::syntax::tree::{self, Name};

/// The most `else if` in one statement; each is nested in the one before it.
const MOST_ARMS: usize = 64;

impl Checker<'_> {
    /// The statements of a block; `None` where one of them is wrong.
    pub(super) fn block(&mut self, block: &tree::Block) -> Option<Vec<Statement>> {
        let bound = self.bindings.len();
        let checked: Vec<Option<Vec<Statement>>> =
            block.statements.iter().map(|statement| self.statement(statement)).collect();
        self.bindings.truncate(bound);
        let mut statements = Vec::with_capacity(checked.len());
        for statement in checked {
            statements.extend(statement?);
        }
        Some(statements)
    }

    fn statement(&mut self, statement: &tree::Statement) -> Option<Vec<Statement>> {
        let span = statement.span;
        match &statement.kind {
            tree::StatementKind::View { name, source, via, per, masked } => {
                let view = self.view_statement(source, via.as_ref(), per.as_ref(), *masked, span);
                let sound = view.is_some();
                self.bind(name, view.map_or(Binding::Broken, |view| Binding::View(Arc::new(view))));
                sound.then(Vec::new)
            }
            tree::StatementKind::Let { name, mutable, element, value } => {
                let value = self.let_value(element.as_ref(), value);
                self.let_statement(name, *mutable, value, span)
            }
            tree::StatementKind::Shared { name, .. } => {
                self.report(diagnostics::not_available_yet(name.span, "shared memory"))
            }
            tree::StatementKind::For { iterators, domain, body } => match grid_domain(domain) {
                Some(args) => self.grid_loop(iterators, args, body, span),
                None => self.for_loop(iterators, domain, body, span),
            },
            tree::StatementKind::With { domain, .. } => {
                self.report(diagnostics::not_available_yet(domain.span, "narrowing to some threads"))
            }
            tree::StatementKind::If { arms, otherwise } => self.branches(arms, otherwise.as_ref(), span),
            tree::StatementKind::Assign { target, op, value } => self.assignment(target, *op, value, span),
            tree::StatementKind::Expr(expr) => {
                self.report(diagnostics::not_available_yet(expr.span, "a tile operation"))
            }
        }
    }

    fn bind(&mut self, name: &Name, binding: Binding) {
        self.bindings.push((name.text.clone(), name.span, binding));
    }

    fn made(&self, kind: StatementKind, span: Span) -> Vec<Statement> {
        vec![Statement { kind, scope: self.context.scope.clone(), span }]
    }

    fn let_value(&mut self, element: Option<&Name>, value: &tree::Expr) -> Option<Expr> {
        let operand = self.operand(value);
        match element {
            Some(word) => {
                let element = self.element(word);
                self.coerce(operand?, element?, value.span)
            }
            None => self.natural(operand?, value.span),
        }
    }

    fn let_statement(&mut self, name: &Name, mutable: bool, value: Option<Expr>, span: Span) -> Option<Vec<Statement>> {
        // The name is bound also where its value is wrong, so that its uses are not reported as unknown.
        let element = value.as_ref().map_or(ElementType::I64, |value| value.element);
        let local = self.new_local(&name.text, element, mutable);
        let lasting = value.as_ref().is_some_and(|value| !mutable && self.is_stable(value));
        if let Some(definition) = self.definitions.get_mut(local.0 as usize)
            && lasting
        {
            definition.clone_from(&value);
        }
        self.bind(name, Binding::Local(local));
        Some(self.made(StatementKind::Assign { local, value: value? }, span))
    }

    /// `for (i, j) in grid(n, m) { }`: one iteration for each block.
    fn grid_loop(
        &mut self,
        iterators: &[Name],
        args: &[tree::Argument],
        body: &tree::Block,
        span: Span,
    ) -> Option<Vec<Statement>> {
        let seen = std::mem::replace(&mut self.context.grid_loop_seen, true);
        if seen || self.context.conditions > 0 || !self.context.iterators.is_empty() {
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
        let outer = std::mem::replace(&mut self.context.scope, Scope::Block);
        let inner = self.block(body);
        self.context.scope = outer;
        self.bindings.truncate(bound);
        statements.extend(inner?);
        Some(statements)
    }

    /// `for i in lo..hi { }`
    fn for_loop(
        &mut self,
        iterators: &[Name],
        domain: &tree::Expr,
        body: &tree::Block,
        span: Span,
    ) -> Option<Vec<Statement>> {
        let (tree::ExprKind::Range(low, high), [name]) = (&domain.kind, iterators) else {
            if matches!(domain.kind, tree::ExprKind::Postfix { .. }) {
                return self.report(diagnostics::not_available_yet(domain.span, "a loop over thread collectives"));
            }
            return self.report(diagnostics::bounded_loop(domain.span));
        };
        let low = self.index(low);
        let high = self.index(high);
        let local = self.new_local(&name.text, ElementType::I64, false);
        let bound = self.bindings.len();
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

    /// The iterator becomes an axis over a range that holds all its values; where that range may hold more, the
    /// ends are stated as conditions.
    fn enter_loop(&mut self, local: Local, low: &Expr, high: &Expr) {
        let (first, last) = (affine::as_size(low), affine::as_size(high));
        if let (Some(first), Some(last)) = (&first, &last)
            && let Ok(extent) = last.checked_sub(first)
            && self.evaluator.facts.prove(&extent, CompareOp::Ge, &Sym::zero()).is_proven()
        {
            self.context.loops.push(LoopAxis { local, low: first.clone(), extent: Some(extent) });
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
            self.context.loops.push(LoopAxis { local, low: start, extent });
        }
        let iterator = Expr { kind: ExprKind::Local(local), element: ElementType::I64 };
        for (op, side) in [(CompareOp::Ge, low), (CompareOp::Lt, high)] {
            if self.is_stable(side) {
                self.context.guards.push(Guard { left: iterator.clone(), op, right: side.clone() });
            } else {
                self.context.unstated_conditions += 1;
            }
        }
    }

    /// The largest value of an index expression, where the axes around it say so.
    fn largest_value(&self, expr: &Expr) -> Option<Sym> {
        let mut axes = affine::Axes::new(&self.definitions, &self.context, &self.launch, &[]);
        let form = axes.form(expr);
        let mut builder = MapBuilder::new(axes.upper(), &self.evaluator.facts);
        let value = affine::build(&form, &mut builder).ok()?;
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

    fn branches(
        &mut self,
        arms: &[(tree::Expr, tree::Block)],
        otherwise: Option<&tree::Block>,
        span: Span,
    ) -> Option<Vec<Statement>> {
        let Some(((condition, then), rest)) = arms.split_first() else {
            return match otherwise {
                Some(block) => self.block(block),
                None => Some(Vec::new()),
            };
        };
        if rest.len() > MOST_ARMS {
            return self.report(diagnostics::nesting_too_deep(span, MOST_ARMS));
        }
        self.context.conditions += 1;
        let statements = self.branch(condition, then, rest, otherwise, span);
        self.context.conditions -= 1;
        statements
    }

    fn branch(
        &mut self,
        condition: &tree::Expr,
        then: &tree::Block,
        rest: &[(tree::Expr, tree::Block)],
        otherwise: Option<&tree::Block>,
        span: Span,
    ) -> Option<Vec<Statement>> {
        let checked = self.condition(condition);
        let (guards, unstated) = (self.context.guards.len(), self.context.unstated_conditions);
        if let Some(checked) = &checked {
            self.assume(checked, false);
        }
        let then = self.block(then);
        self.leave(guards, unstated);
        if let Some(checked) = &checked {
            self.assume(checked, true);
        }
        let otherwise = self.branches(rest, otherwise, span);
        self.leave(guards, unstated);
        let kind = StatementKind::If { condition: checked?, then: then?, otherwise: otherwise? };
        Some(self.made(kind, span))
    }

    fn leave(&mut self, guards: usize, unstated: usize) {
        self.context.guards.truncate(guards);
        self.context.unstated_conditions = unstated;
    }

    fn condition(&mut self, condition: &tree::Expr) -> Option<Expr> {
        let operand = self.operand(condition)?;
        self.coerce(operand, ElementType::Bool, condition.span)
    }

    /// Takes a condition, or its opposite, as known from here on. What cannot be stated as a comparison of
    /// integers that stay as they are is only counted.
    fn assume(&mut self, condition: &Expr, negated: bool) {
        match &condition.kind {
            ExprKind::Binary(BinaryOp::And, left, right) if !negated => {
                self.assume(left, false);
                self.assume(right, false);
            }
            ExprKind::Binary(BinaryOp::Or, left, right) if negated => {
                self.assume(left, true);
                self.assume(right, true);
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.assume(inner, !negated),
            ExprKind::Constant(Constant::Bool(_)) => {}
            ExprKind::Binary(op, left, right) => match comparison(*op) {
                Some(op) if left.element.is_integer() && self.is_stable(left) && self.is_stable(right) => {
                    let op = if negated { op.negated() } else { op };
                    let as_index = |side: &Expr| super::operands::cast(side.clone(), ElementType::I64);
                    self.context.guards.push(Guard { left: as_index(left), op, right: as_index(right) });
                }
                _ => self.context.unstated_conditions += 1,
            },
            _ => self.context.unstated_conditions += 1,
        }
    }

    /// Whether the expression has one value as long as its variables are in scope.
    fn is_stable(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Local(local) => self.locals.get(local.0 as usize).is_some_and(|local| !local.mutable),
            ExprKind::Load(_) => false,
            ExprKind::Unary(_, inner) | ExprKind::Cast(inner) => self.is_stable(inner),
            ExprKind::Binary(_, left, right) => self.is_stable(left) && self.is_stable(right),
            ExprKind::Select(condition, then, otherwise) => {
                self.is_stable(condition) && self.is_stable(then) && self.is_stable(otherwise)
            }
            ExprKind::Math(_, args) => args.iter().all(|arg| self.is_stable(arg)),
            ExprKind::Constant(_)
            | ExprKind::Size(_)
            | ExprKind::Scalar(_)
            | ExprKind::BlockId
            | ExprKind::ThreadId => true,
        }
    }

    fn assignment(
        &mut self,
        target: &tree::Expr,
        op: Option<tree::BinaryOp>,
        value: &tree::Expr,
        span: Span,
    ) -> Option<Vec<Statement>> {
        match &target.kind {
            tree::ExprKind::Name(name) => self.assign_local(name, target.span, op, value, span),
            tree::ExprKind::Postfix { base, suffixes } => match suffixes.as_slice() {
                [tree::Suffix { kind: tree::SuffixKind::Bracket(indices), .. }] => {
                    self.store(base, indices, target.span, op, value, span)
                }
                _ => self.report(diagnostics::not_a_tensor(target.span, "this", "no element of a tensor or view")),
            },
            tree::ExprKind::Error => None,
            _ => self.report(diagnostics::not_a_tensor(target.span, "this", "no element of a tensor or view")),
        }
    }

    fn assign_local(
        &mut self,
        name: &SmolStr,
        at: Span,
        op: Option<tree::BinaryOp>,
        value: &tree::Expr,
        span: Span,
    ) -> Option<Vec<Statement>> {
        let declared = self.bindings.iter().rev().find(|(bound, ..)| bound == name).cloned();
        let local = match declared {
            Some((_, declaration, Binding::Local(local))) => {
                let is_iterator = self.context.iterators.contains(&local);
                if is_iterator {
                    return self.report(diagnostics::immutable_iterator(at, name, declaration));
                }
                if !self.locals.get(local.0 as usize).is_some_and(|local| local.mutable) {
                    return self.report(diagnostics::immutable(at, name, declaration));
                }
                local
            }
            Some(_) => {
                return self.report(diagnostics::not_a_tensor(
                    at,
                    name,
                    "not a variable: give the index of an element",
                ));
            }
            None => return self.unknown_local(name, at),
        };
        let element = self.locals.get(local.0 as usize)?.element;
        let value = self.operand(value).map(|operand| (operand, value.span));
        let (value, value_span) = value?;
        let value = match op {
            Some(op) => {
                let current = Operand::Typed(Expr { kind: ExprKind::Local(local), element });
                self.combine(op, current, value, (at, value_span))?
            }
            None => value,
        };
        let value = self.coerce(value, element, value_span)?;
        Some(self.made(StatementKind::Assign { local, value }, span))
    }

    fn store(
        &mut self,
        base: &tree::Expr,
        indices: &[tree::Expr],
        at: Span,
        op: Option<tree::BinaryOp>,
        value: &tree::Expr,
        span: Span,
    ) -> Option<Vec<Statement>> {
        let operand = self.operand(value);
        let access = self.access(base, indices, true, at)?;
        let element = self.params.get(access.tensor.0 as usize)?.element;
        let mut operand = operand?;
        if let Some(op) = op {
            let load = self.access(base, indices, false, at)?;
            let current = Operand::Typed(Expr { kind: ExprKind::Load(Box::new(load)), element });
            operand = self.combine(op, current, operand, (at, value.span))?;
        }
        let value = self.coerce(operand, element, value.span)?;
        Some(self.made(StatementKind::Store { access, value }, span))
    }
}

fn comparison(op: BinaryOp) -> Option<CompareOp> {
    Some(match op {
        BinaryOp::Equal => CompareOp::Eq,
        BinaryOp::NotEqual => CompareOp::Ne,
        BinaryOp::Less => CompareOp::Lt,
        BinaryOp::LessEqual => CompareOp::Le,
        BinaryOp::Greater => CompareOp::Gt,
        BinaryOp::GreaterEqual => CompareOp::Ge,
        _ => return None,
    })
}
