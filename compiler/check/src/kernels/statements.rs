//! Checks statements.

use std::sync::Arc;

use smol_str::SmolStr;

use super::bindings::Binding;
use super::checker::Checker;
use super::claims::Subject;
use super::expressions::between_brackets;
use super::leaving::first_to_leave;
use super::operand::Operand;
use super::shared::Declaration;
use super::tiles::is_partition;
use crate::diagnostics::{self, Assigned, NotTensor, WrongStep};
use dims::Sym;
use elements::ElementType;
use kernel::typed::{AccessKind, Expr, ExprKind, IteratorRange, Local, Memory, Scope, Statement, StatementKind};
use syntax::span::Span;
use syntax::tree::{self, DomainWord, Name};

/// A variable that a `let` declares.
#[derive(Clone, Copy)]
pub(super) struct Declared<'t> {
    pub(super) name: &'t Name,
    pub(super) mutable: bool,
    /// The type after a colon.
    pub(super) element: Option<&'t Name>,
}

impl Checker<'_> {
    /// The statements of a block; `None` if one of them has an error.
    pub(super) fn block(&mut self, block: &tree::Block) -> Option<Vec<Statement>> {
        self.list(&block.statements)
    }

    /// Statements whose names end with them; `None` if one of them has an error.
    pub(super) fn list(&mut self, statements: &[tree::Statement]) -> Option<Vec<Statement>> {
        let scope = self.raiser.begin_scope();
        self.bindings.open_block();
        let leaving = first_to_leave(statements).unwrap_or(statements.len());
        let (first, rest) = statements.split_at(leaving);
        let mut checked: Vec<Option<Vec<Statement>>> =
            first.iter().map(|statement| self.statement(statement)).collect();
        checked.extend(rest.split_first().map(|(leaving, rest)| self.with_rest(leaving, rest)));
        self.bindings.close_block();
        self.evaluator.scope.truncate(self.bindings.len());
        self.raiser.end_scope(scope);
        let mut statements = Vec::with_capacity(checked.len());
        for statement in checked {
            statements.extend(statement?);
        }
        Some(statements)
    }

    /// Begins to check a statement with this span.
    pub(super) fn begin_statement(&mut self, span: Span) {
        self.tiles.begin_statement(span);
        self.evaluator.db.unwind_if_revision_cancelled();
        self.raiser.begin_statement(&self.evaluator.facts);
        self.context.noted.clear();
    }

    pub(super) fn statement(&mut self, statement: &tree::Statement) -> Option<Vec<Statement>> {
        self.begin_statement(statement.span);
        let (mut needed, checked) = self.with_before(|checker| checker.checked_statement(statement));
        self.tiles.end_statement();
        needed.extend(checked?);
        Some(needed)
    }

    fn checked_statement(&mut self, statement: &tree::Statement) -> Option<Vec<Statement>> {
        let span = statement.span;
        match &statement.kind {
            tree::StatementKind::View { name, source, via, per, masked } => {
                let binding = self.view_or_partition(source, via.as_ref(), per.as_ref(), *masked, span);
                let sound = binding.is_some();
                let binding = binding.unwrap_or(Binding::Broken);
                self.note_meaning(name, &binding);
                self.bind(name, binding);
                sound.then(Vec::new)
            }
            tree::StatementKind::Let { name, mutable, element, shape, value } => {
                let declared = Declared { name, mutable: *mutable, element: element.as_ref() };
                self.declaration(declared, shape.as_deref(), value, span)
            }
            tree::StatementKind::Shared { name, element, shape, layout } => {
                self.shared_statement(&Declaration { name, element, shape, layout, span }).map(|()| Vec::new())
            }
            tree::StatementKind::Define { word, name, value } => {
                self.definition(*word, name, value).map(|()| Vec::new())
            }
            tree::StatementKind::Function(function) => self.local_function(function).map(|()| Vec::new()),
            tree::StatementKind::Assert { value } => self.evaluator.assertion(value).map(|_| Vec::new()),
            tree::StatementKind::For { iterators, domain, step, body } => {
                if let (Some(_), Some(step)) = (domain.domain_call(), step) {
                    self.evaluator.diagnostics.push(diagnostics::loop_step(step.span, &WrongStep::NoRange));
                }
                match domain.domain_call() {
                    Some((DomainWord::Grid, args)) => self.grid_loop(iterators, args, body, span),
                    Some((DomainWord::Threads, args)) => self.threads_loop(iterators, args, body, (span, domain.span)),
                    None => self.for_loop(iterators, domain, step.as_ref(), body, span),
                }
            }
            tree::StatementKind::With { domain, body } => self.with_threads(domain, body),
            tree::StatementKind::If { arms, otherwise } => {
                let otherwise = otherwise.as_ref().map(|block| block.statements.as_slice());
                self.conditional(arms, otherwise, span)
            }
            tree::StatementKind::While { condition, most, body } => {
                self.while_loop(condition, most.as_ref(), body, span)
            }
            tree::StatementKind::Leave(word) => self.leave(*word, span),
            tree::StatementKind::Assign { target, value, word: Some(word), .. } => {
                self.asynchronous(target, value, *word, span)
            }
            tree::StatementKind::Assign { target, op, value, word: None } => {
                self.any_assignment(target, *op, value, span)
            }
            tree::StatementKind::Expr(expr) => self.expression_statement(expr),
        }
    }

    /// What `view v = source via m per unit masked;` declares.
    fn view_or_partition(
        &mut self,
        source: &tree::Expr,
        via: Option<&tree::Expr>,
        per: Option<&tree::Expr>,
        masked: Option<Span>,
        span: Span,
    ) -> Option<Binding> {
        // The parser has reported the source.
        if matches!(source.kind, tree::ExprKind::Error) {
            return None;
        }
        if via.is_none() && is_partition(source) {
            return self.partition(source, None).map(|found| Binding::Partition(Arc::new(found)));
        }
        let mut view = self.view_statement(source, via, per, masked, span)?;
        view.all = Some(self.whole_view(&view, span)?);
        let view = Arc::new(view);
        self.found.record.subjects.push(Subject::View(Arc::clone(&view)));
        Some(Binding::View(view))
    }

    /// `v = value;` of a number or a tile, or of an element.
    fn any_assignment(
        &mut self,
        target: &tree::Expr,
        op: Option<tree::BinaryOp>,
        value: &tree::Expr,
        span: Span,
    ) -> Option<Vec<Statement>> {
        if let tree::ExprKind::Name(name) = &target.kind
            && self.is_tile(target)
        {
            return self.assign_tile(name, target.span, op, value);
        }
        if !self.mentions_tiles(value) {
            return self.assignment(target, op, value, span);
        }
        let (mut statements, found) = self.with_tiles(|checker| checker.assignment(target, op, value, span));
        statements.extend(found?);
        Some(statements)
    }

    pub(super) fn bind(&mut self, name: &Name, binding: Binding) {
        let place = self.bindings.len();
        self.bindings.push(name.text.clone(), name.span, binding);
        self.evaluator.scope.hide(&name.text, place);
    }

    pub(super) fn made(&self, kind: StatementKind, span: Span) -> Vec<Statement> {
        vec![Statement { kind, scope: self.context.scope, span: self.place(span) }]
    }

    /// The value of a `let` in the type after its colon, or else in the one that uses of the variable decide. Whether these may
    /// decide it stands beside the value.
    pub(super) fn let_value(&mut self, declared: Declared<'_>, value: &tree::Expr) -> (Option<Expr>, bool) {
        if matches!(value.kind, tree::ExprKind::List(_)) {
            return (self.report(diagnostics::local_array(value.span)), false);
        }
        let operand = self.operand(value);
        let element = declared.element.map(|word| self.evaluator.element_type(word));
        let Some(operand) = operand else { return (None, false) };
        let is_free = element.is_none() && self.has_free_type(&operand);
        let decided = self.free_types.decided(declared.name.span).filter(|_| is_free).map(|decided| decided.element);
        let value = match (element, decided) {
            (Some(element), _) => element.and_then(|element| self.coerce(operand, element, value.span)),
            (None, Some(decided)) => self.coerce(operand, decided, value.span),
            (None, None) => self.natural(operand, value.span),
        };
        (value, is_free)
    }

    pub(super) fn let_statement(
        &mut self,
        name: &Name,
        mutable: bool,
        value: Option<Expr>,
        span: Span,
    ) -> Option<Vec<Statement>> {
        // The name is bound even if its value has an error, so that its uses are not reported as unknown.
        let element = value.as_ref().map_or(ElementType::I64, |value| value.element);
        let local = self.new_local(&name.text, element, mutable);
        match &value {
            Some(value) if mutable => {
                self.raiser.assign(local, value);
                let range = self.range_of(local);
                self.know_range(local, range);
            }
            Some(value) => self.raiser.declare(local, value),
            None => {}
        }
        // Uses of a value with an error would only repeat the error.
        match value {
            Some(_) => {
                self.note_meaning(name, &Binding::Local(local));
                self.bind(name, Binding::Local(local));
            }
            None => self.bind(name, Binding::Broken),
        }
        Some(self.made(StatementKind::Assign { local, value: value? }, span))
    }

    pub(super) fn assignment(
        &mut self,
        target: &tree::Expr,
        op: Option<tree::BinaryOp>,
        value: &tree::Expr,
        span: Span,
    ) -> Option<Vec<Statement>> {
        match &target.kind {
            tree::ExprKind::Name(name) => self.assign_local(name, target.span, op, value, span),
            tree::ExprKind::Postfix { base, suffixes } => match suffixes.as_slice() {
                [tree::Suffix { kind: tree::SuffixKind::Bracket(indices), .. }] if self.is_tile(base) => {
                    self.element_of_tile(base, indices, op, value, target.span)
                }
                [tree::Suffix { kind: tree::SuffixKind::Bracket(indices), .. }] => {
                    self.once_for_block(base, span, |checker| {
                        checker.store(base, indices, target.span, op, value, span)
                    })
                }
                suffixes if let Some(gaps) = between_brackets(suffixes) => {
                    self.operand(value);
                    self.several_brackets(base, suffixes, gaps, target.span)
                }
                suffixes if let Some((name, brackets)) = self.called_tensor(base, suffixes) => {
                    self.operand(value);
                    self.report(diagnostics::called_tensor(target.span, &name, brackets))
                }
                _ => self.report(diagnostics::not_a_tensor(target.span, &NotTensor::NoElement)),
            },
            tree::ExprKind::Error => None,
            _ => self.report(diagnostics::not_a_tensor(target.span, &NotTensor::NoElement)),
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
        let declared = self.bindings.get(name).cloned();
        let local = match declared {
            Some((_, declaration, Binding::Local(local))) => {
                if self.context.iterators.contains(&local) || self.context.of_grid.contains(&local) {
                    return self.report(diagnostics::immutable_iterator(at, name, declaration));
                }
                if !self.locals.get(local).is_some_and(|local| local.mutable) {
                    return self.report(diagnostics::immutable(at, name, declaration));
                }
                local
            }
            Some((_, declaration, Binding::Defined)) => {
                self.operand(value);
                return self.report(diagnostics::immutable_definition(at, name, declaration));
            }
            // The error in its declaration has been reported.
            Some((_, _, Binding::Broken)) => {
                self.operand(value);
                return None;
            }
            Some((_, declaration, binding)) => {
                let target = self.assigned_whole(&binding);
                return self.report(diagnostics::assigned_whole(at, name, declaration, &target));
            }
            None => {
                self.operand(value);
                return self.unknown_target(name, at, op.is_none());
            }
        };
        let assigned = match self.mentions_tiles(value) {
            true => self.number_for(local, name, value),
            false => self.operand(value),
        };
        let assigned = assigned.and_then(|found| self.assigned_local(local, (op, at), (found, value.span), span));
        if assigned.is_none() {
            // What the variable would have been is not known, so nothing is said of what is done with it.
            self.bindings.replace(name, Binding::Broken);
        }
        assigned
    }

    fn assigned_local(
        &mut self,
        local: Local,
        (op, at): (Option<tree::BinaryOp>, Span),
        (value, value_span): (Operand, Span),
        span: Span,
    ) -> Option<Vec<Statement>> {
        if op.is_none() {
            self.settle_type(local, &value, value_span);
        }
        let element = self.locals.get(local)?.element;
        let value = match op {
            Some(op) => {
                let current = Operand::Typed(Expr { kind: ExprKind::Local(local), element });
                self.assigned(op, current, value, (at, value_span))?
            }
            None => value,
        };
        let element = self.locals.get(local)?.element;
        // Of two variables without a type, neither decides that of the other where they are the same so far.
        let value = match self.could_be(&Operand::Typed(Expr { kind: ExprKind::Local(local), element }), element) {
            true => self.convert(value, element, value_span)?,
            false => self.coerce(value, element, value_span)?,
        };
        self.raiser.assign(local, &value);
        let range = self.range_of(local).and_then(|range| {
            let known = self.locals.get(local)?.range.as_ref()?;
            range.union(known, &self.evaluator.facts)
        });
        self.know_range(local, range);
        Some(self.made(StatementKind::Assign { local, value }, span))
    }

    /// What is assigned as if it were a variable.
    fn assigned_whole(&self, binding: &Binding) -> Assigned {
        match binding {
            Binding::Memory(memory) => Assigned::Elements(self.memories.shape(*memory).len()),
            Binding::ThreadArray(found) => Assigned::Elements(self.memories.shape(Memory::Shared(found.array)).len()),
            Binding::View(view) => Assigned::Elements(view.local_rank),
            Binding::Partition(partition) => Assigned::Tiles(partition.order.len()),
            _ => Assigned::Number,
        }
    }

    /// Where a variable of integers lies that has been given a value, if it lies between two sizes.
    fn range_of(&mut self, local: Local) -> Option<IteratorRange> {
        if !self.locals.get(local)?.element.is_integer() {
            return None;
        }
        let (low, high) = self.raiser.ends_of(local)?;
        let extent = high.checked_sub(&low).and_then(|extent| extent.checked_add(&Sym::one())).ok()?;
        Some(IteratorRange { low, extent })
    }

    fn know_range(&mut self, local: Local, range: Option<IteratorRange>) {
        if let Some(variable) = self.locals.get_mut(local) {
            variable.range = range;
        }
    }

    /// Reads a store to what `base` names, which one thread does where it is the block's.
    pub(super) fn once_for_block(
        &mut self,
        base: &tree::Expr,
        span: Span,
        store: impl FnOnce(&mut Self) -> Option<Vec<Statement>>,
    ) -> Option<Vec<Statement>> {
        if !self.is_of_block(base) {
            return store(self);
        }
        let stored = self.of_elements(&[], &[], store)?;
        Some(vec![self.each(&[], &[], stored, span)?])
    }

    /// Whether one thread stores an element here for the whole block: in a kernel of tiles, outside of loops over threads, what
    /// is not a view of each thread.
    pub(super) fn is_of_block(&self, base: &tree::Expr) -> bool {
        let tree::ExprKind::Name(name) = &base.kind else { return false };
        let is_undivided = match self.binding(name) {
            Some(Binding::Memory(_)) => true,
            Some(Binding::View(view)) => !view.divided,
            _ => false,
        };
        is_undivided && self.works_on_tiles() && self.launch.threads.as_constant() != Some(1)
    }

    /// Whether a whole block works on tiles here: in a kernel of tiles, outside of loops over threads.
    pub(super) fn works_on_tiles(&self) -> bool {
        self.tiles.is_used() && matches!(self.context.scope, Scope::Grid | Scope::Block)
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
        let access = self.access(base, indices, AccessKind::Store, at)?;
        let element = self.memories.element_of(access.memory)?;
        let mut operand = operand?;
        if let Some(op) = op {
            let load = self.access(base, indices, AccessKind::Load, at)?;
            let current = Operand::Typed(Expr { kind: ExprKind::Load(Box::new(load)), element });
            operand = self.assigned(op, current, operand, (at, value.span))?;
        }
        let value = self.coerce(operand, element, value.span)?;
        Some(self.made(StatementKind::Store { access, value, is_async: false }, span))
    }
}
