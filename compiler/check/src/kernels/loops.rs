//! Checks loops over the grid and sequential loops.

use super::bindings::Binding;
use super::checker::Checker;
use super::looped::{Counter, Repeated};
use super::operand::as_size;

use crate::diagnostics::{self, Actual, Expected, Planned, WrongLaunch};
use dims::{CompareOp, Interval, Sym};
use elements::ElementType;
use kernel::typed::{BinaryOp, Expr, Scope, Statement};
use syntax::span::Span;
use syntax::tree::{self, Name};

impl Checker<'_> {
    /// Checks `for (i, j) in grid(n, m) { }`, with one iteration for each block or cluster.
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
        let sizes = self.grid_sizes(args, None)?;
        if iterators.len() != sizes.len() {
            return self.report(diagnostics::grid_iterators(span, sizes.len(), iterators.len()));
        }
        self.check_blocks(&sizes, span)?;
        let mut statements = Vec::new();
        let mut number = Expr::block_id();
        if self.launch.cluster > 1 {
            number = Expr::binary(BinaryOp::FloorDivide, number, Expr::size(&Sym::constant(self.launch.cluster)));
        }
        let (bound, held) = (self.bindings.len(), self.raiser.held());
        self.assume_blocks(&sizes);
        for (name, digit) in iterators.iter().zip(Expr::digits(number, &sizes)) {
            statements.extend(self.let_statement(name, false, Some(digit), name.span)?);
            if let Some(Binding::Local(local)) = self.binding(&name.text) {
                let local = *local;
                self.context.of_grid.push(local);
            }
        }
        let scope = if self.launch.cluster > 1 { Scope::Cluster } else { Scope::Block };
        let outer = std::mem::replace(&mut self.context.scope, scope);
        let inner = self.at_once("grid", body, span);
        self.context.scope = outer;
        self.raiser.leave(held);
        self.unbind(bound);
        statements.extend(inner?);
        Some(statements)
    }

    /// Assumes what says that there are blocks: where a size of the grid is 0, as `N / 2` may be, nothing is executed.
    fn assume_blocks(&mut self, sizes: &[Sym]) {
        self.raiser.learn(&self.evaluator.facts);
        let one = self.raiser.size(&Sym::one());
        for size in sizes {
            if !self.evaluator.facts.proves(size, CompareOp::Ge, &Sym::one()) {
                let size = self.raiser.size(size);
                self.raiser.assume_comparison(size, CompareOp::Ge, one);
            }
        }
    }

    /// Checks that the launch has a block, or a cluster, for each iteration: it was decided before the views were read.
    fn check_blocks(&mut self, sizes: &[Sym], span: Span) -> Option<()> {
        let cluster = self.launch.cluster;
        let needed = sizes.iter().try_fold(Sym::one(), |product, size| product.checked_mul(size));
        let needed = self.evaluator.settle(span, needed)?;
        let blocks = self.evaluator.settle(span, needed.checked_mul(&Sym::constant(cluster)))?;
        if self.launch.blocks == blocks {
            return Some(());
        }
        let why = WrongLaunch::GridLoop { blocks: &self.launch.blocks, cluster, needed: &blocks };
        let found = diagnostics::launch_clause(span, &why);
        self.report(found)
    }

    /// Checks `for i in lo..hi { }`, and the same with a step.
    pub(super) fn for_loop(
        &mut self,
        iterators: &[Name],
        domain: &tree::Expr,
        step: Option<&tree::Expr>,
        body: &tree::Block,
        span: Span,
    ) -> Option<Vec<Statement>> {
        let (low, high, name) = match (&domain.kind, iterators) {
            _ if let Some(word) = changed_range(domain) => {
                return self.report(diagnostics::changed_range(domain.span, word));
            }
            (tree::ExprKind::Range(low, high), [name]) => {
                if let (tree::ExprKind::Int(Some(from)), tree::ExprKind::Int(Some(to))) = (&low.kind, &high.kind)
                    && to < from
                {
                    self.evaluator.diagnostics.push(diagnostics::empty_range(domain.span, *from, *to));
                }
                (low, high, name)
            }
            (tree::ExprKind::Error, _) => return None,
            (tree::ExprKind::Postfix { base, suffixes }, [_]) if self.is_python_range(base) => {
                return self.report(diagnostics::called_range(domain.span, base.span, suffixes));
            }
            (tree::ExprKind::Postfix { .. }, _) if self.unknown_word(domain).is_none() => {
                return self.report(diagnostics::not_available_yet(domain.span, Planned::CollectiveLoop));
            }
            _ => return self.report(diagnostics::bounded_loop(domain.span)),
        };
        self.found.record.condition_places.push((span, domain.span));
        if let Some(step) = step {
            return self.stepped_loop(name, (low, high), step, body, span);
        }
        let low = self.integer(low, &Expected::Integer);
        let high = self.integer(high, &Expected::Integer);
        if let (Some(low), Some(high)) = (&low, &high)
            && let Some(count) = self.counted(low, high)
        {
            return self.counted_loop(name, low.clone(), high.clone(), count, body, span);
        }
        if let (Some(low), Some(high)) = (&low, &high)
            && self.is_part(low, high)
        {
            return self.numbered_loop(name, Some((low.clone(), high.clone(), Expr::int(1))), body, span);
        }
        // The bounds are evaluated once, before the body assigns anything.
        let around = self.before_loop();
        let looped = Repeated { counter: Counter::Named(name), body, span };
        self.repeated(&looped, low.zip(high).map(|(low, high)| [low, high]), around, Vec::new())
    }

    /// The number of iterations of a loop whose range begins at no size, if its ends are a size apart: `i..i + 4`. Neither end
    /// wraps then.
    fn counted(&mut self, low: &Expr, high: &Expr) -> Option<Sym> {
        if as_size(low).is_some() {
            return None;
        }
        let [from, to] = [low, high].map(|end| self.raiser.value(end));
        let count = self.raiser.distance(from, to)?;
        self.evaluator.facts.proves(&count, CompareOp::Ge, &Sym::zero()).then_some(count)
    }

    /// Whether a range begins at no size and has at most a size of numbers: `b * P..min(b * P + P, N)`. The difference of its ends
    /// does not wrap then.
    fn is_part(&mut self, low: &Expr, high: &Expr) -> bool {
        let [from, to] = [low, high].map(|end| self.raiser.value(end));
        as_size(low).is_none() && self.raiser.is_at_most_a_size_beyond(from, to) && {
            let numbers = self.distance(low, high);
            numbers.lies_in(Interval::between(i64::MIN.into(), i64::MAX.into()))
        }
    }

    /// Whether the domain of a loop is `range(…)` of Python, and not a declared name.
    fn is_python_range(&self, base: &tree::Expr) -> bool {
        matches!(&base.kind, tree::ExprKind::Name(name) if name == "range"
            && self.binding(name).is_none()
            && !self.is_of_file(name))
    }

    /// Checks an expression that must be an integer, as `expected` says, and converts it to `i64`.
    pub(super) fn integer(&mut self, expr: &tree::Expr, expected: &Expected) -> Option<Expr> {
        let operand = self.operand(expr)?;
        let typed = self.natural(operand, expr.span)?;
        if !typed.element.is_integer() {
            return self.report(diagnostics::type_mismatch(expr.span, expected, &Actual::Type(typed.element)));
        }
        Some(typed.cast_to(ElementType::I64))
    }
}

/// The member of a range in `(0..n).step_by(2)`, or without parentheses in `0..n.rev()`.
fn changed_range(domain: &tree::Expr) -> Option<&str> {
    let asked = if let tree::ExprKind::Range(_, high) = &domain.kind { high } else { domain };
    let tree::ExprKind::Postfix { base, suffixes } = &asked.kind else { return None };
    let [tree::Suffix { kind: tree::SuffixKind::Member(member), .. }, ..] = suffixes.as_slice() else { return None };
    let is_range =
        matches!(&base.kind, tree::ExprKind::Paren(inner) if matches!(inner.kind, tree::ExprKind::Range(..)));
    (is_range || matches!(member.text.as_str(), "rev" | "step_by")).then_some(&member.text)
}
