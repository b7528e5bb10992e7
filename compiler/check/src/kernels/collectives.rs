//! Loops over thread collectives: `for w in threads(8, cuda_warp) { }`, `with threads(0..4, cuda_warp) { }`.
//!
//! Each is a step of the tiling of the scope around it. The id of a thread determines whether it has an iteration and
//! which, so a loop becomes a condition and a variable.

use super::bindings::Binding;
use super::checker::Checker;
use super::meaning::CollectiveLoop;
use crate::diagnostics::{self, NeedsThreads};
use elements::ElementType;
use kernel::collectives;
use kernel::typed::{CollectiveId, Constant, Expr, Scope, Statement, StatementKind};
use maps::threads::{Notation, Tiling};
use syntax::span::Span;
use syntax::tree::{self, Argument, Block, DomainWord, Name};

impl Checker<'_> {
    /// Checks `for w in threads(n, unit) { }`: a collective of its own executes each iteration, all at the same time.
    /// The spans are those of the statement and of `threads(n, unit)`.
    pub(super) fn threads_loop(
        &mut self,
        iterators: &[Name],
        args: &[Argument],
        body: &Block,
        (statement, span): (Span, Span),
    ) -> Option<Vec<Statement>> {
        let [name] = iterators else {
            let rows = self.threads_in_rows(iterators, args, span, body);
            return self.report(diagnostics::threads_iterators(span, iterators.len(), rows));
        };
        let counted = match args {
            [Argument { name: None, value }]
                if matches!(value.kind, tree::ExprKind::Int(_) | tree::ExprKind::Chain { .. }) && !is_range(value) =>
            {
                self.report(diagnostics::threads_without_unit(span, value.span))
            }
            [Argument { value, .. }, _] if is_range(value) => {
                self.report(diagnostics::range_in_threads_loop(value.span, Span::new(statement.start, span.start)))
            }
            [Argument { value, .. }, _] if let Some((computed, place)) = self.computed_in_run(value) => {
                self.report(diagnostics::computed_threads(place, &computed))
            }
            _ => Some(()),
        };
        let around = counted.and_then(|()| self.threads_of_scope(span));
        let stepped = around.and_then(|around| {
            let fresh = Self::fresh_iterator(&around, name);
            let tiling = self.evaluator.threads_loop(&around, name, &fresh, args, span, self.block_size)?;
            Some((around, tiling))
        });
        let bound = self.bindings.len();
        let Some((around, tiling)) = stepped else {
            // The name is bound nevertheless, so that its uses are not reported as unknown.
            self.bind(name, Binding::Broken);
            self.body_of_unknown_threads(body);
            self.unbind(bound);
            return None;
        };
        let value = collectives::iterator(&tiling, tiling.iterators().len().saturating_sub(1));
        self.enter(around, tiling, span, |checker| {
            let mut statements = checker.let_statement(name, false, Some(value), name.span)?;
            if let Some(&Binding::Local(local)) = checker.binding(&name.text) {
                checker.context.iterators.push(local);
            }
            let outer = checker.context.collectives.len();
            if let (Some(&Binding::Local(local)), Scope::Threads(id)) =
                (checker.binding(&name.text), checker.context.scope)
            {
                checker.context.collectives.push((local, id));
            }
            let inner = checker.at_once("threads", body, span);
            checker.context.collectives.truncate(outer);
            checker.context.iterators.pop();
            checker.unbind(bound);
            statements.extend(inner?);
            Some(statements)
        })
    }

    /// Checks `with threads(lo..hi, unit) { }`, which only some of the threads execute.
    pub(super) fn with_threads(&mut self, domain: &tree::Expr, body: &Block) -> Option<Vec<Statement>> {
        let is_range = |args: &[Argument]| matches!(args, [Argument { value, .. }, _] if is_range(value));
        let Some((DomainWord::Threads, args)) = domain.domain_call().filter(|(_, args)| is_range(args)) else {
            self.body_of_unknown_threads(body);
            return self.report(diagnostics::with_domain(domain.span));
        };
        let around = self.threads_of_scope(domain.span);
        let stepped = around.and_then(|around| {
            let tiling = self.evaluator.with_threads(&around, args, domain.span, self.block_size)?;
            Some((around, tiling))
        });
        let Some((around, tiling)) = stepped else {
            self.body_of_unknown_threads(body);
            return None;
        };
        self.enter(around, tiling, domain.span, |checker| checker.of_some_threads(body))
    }

    /// Checks the body of a loop with an error, as far as it does not depend on the threads.
    fn body_of_unknown_threads(&mut self, body: &Block) {
        let outer = std::mem::replace(&mut self.context.unknown_threads, true);
        self.at_once("threads", body, body.span);
        self.context.unknown_threads = outer;
    }

    /// Checks the statements that the threads of a step execute.
    fn enter(
        &mut self,
        around: Tiling,
        tiling: Tiling,
        span: Span,
        body: impl FnOnce(&mut Self) -> Option<Vec<Statement>>,
    ) -> Option<Vec<Statement>> {
        let condition = collectives::condition(&around, &tiling);
        let id = self.collectives.push(tiling.clone());
        self.found.record.collectives.push(CollectiveLoop { span, around, tiling });
        let mut branch = self.raiser.begin_branch();
        if let Some(condition) = &condition {
            self.raiser.assume(condition, false);
        }
        let outer = std::mem::replace(&mut self.context.scope, Scope::Threads(id));
        let body = body(self);
        self.context.scope = outer;
        self.raiser.other_branch(&mut branch);
        self.raiser.end_branch(condition.as_ref(), branch);
        let always = || Expr::constant(Constant::Bool(true), ElementType::Bool);
        let condition = condition.unwrap_or_else(always);
        Some(self.made(StatementKind::Collective { collective: id, condition, body: body? }, span))
    }

    /// The name of an iterator in the tiling. It is made unique, since a loop around this one may use the same name.
    fn fresh_iterator(around: &Tiling, name: &Name) -> String {
        let mut fresh = name.text.to_string();
        while around.iterator(&fresh).is_some() {
            fresh.push('\'');
        }
        fresh
    }

    /// The threads that run the scope: those of one cluster, since clusters cannot synchronise.
    fn threads_of_scope(&mut self, span: Span) -> Option<Tiling> {
        if self.context.unknown_threads {
            return None;
        }
        if let Scope::Threads(collective) = self.context.scope {
            return self.collective(collective).cloned();
        }
        let Some(threads) = self.launch.threads.as_constant() else {
            let threads = self.launch.threads.clone();
            return self.report(diagnostics::open_block(span, None, &threads));
        };
        // Otherwise the launch clauses have an error, which has been reported.
        Tiling::new(self.launch.cluster, threads).ok().map(|tiling| tiling.written_as(Notation::Loops))
    }

    /// The tiling of a collective.
    pub(super) fn collective(&self, id: CollectiveId) -> Option<&Tiling> {
        self.collectives.get(id)
    }

    /// The rank of a thread within its collective.
    pub(super) fn lane(&self, collective: CollectiveId) -> Expr {
        match self.collective(collective) {
            Some(tiling) => collectives::lane(tiling),
            None => Expr::int(0),
        }
    }

    /// Reports a statement that needs other threads than those of a collective.
    pub(super) fn wrong_collective<T>(&mut self, id: CollectiveId, what: &NeedsThreads, span: Span) -> Option<T> {
        let found = self.found.record.collectives.get(id)?;
        let found = diagnostics::wrong_collective(span, what, &found.tiling, found.span);
        self.report(found)
    }
}

fn is_range(expr: &tree::Expr) -> bool {
    matches!(expr.kind, tree::ExprKind::Range(..))
}
