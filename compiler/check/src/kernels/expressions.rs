//! Expressions in kernels.

use smol_str::SmolStr;

use super::bindings::Binding;
use super::checker::Checker;
use super::operand::Operand;
use crate::diagnostics::{self, Actual, Expected, NotTensor, Wanted};
use crate::values::Value;
use elements::ElementType;
use kernel::typed::{AccessKind, Constant, Expr, ExprKind, Memory};
use syntax::span::Span;
use syntax::tree::{self, Suffix, SuffixKind};

impl Checker<'_> {
    /// Checks an expression; constants keep a free type.
    pub(super) fn operand(&mut self, expr: &tree::Expr) -> Option<Operand> {
        self.evaluator.db.unwind_if_revision_cancelled();
        if self.mentions_tiles(expr) {
            return self.number_of_tiles(expr);
        }
        if !self.mentions_kernel(expr) && !self.computes(expr) {
            return match self.unknown_word(expr) {
                Some(diagnostic) => self.evaluator.report_once(diagnostic),
                None => self.outer(expr),
            };
        }
        match &expr.kind {
            tree::ExprKind::Name(name) => self.variable(name, expr.span),
            tree::ExprKind::Paren(inner) => self.operand(inner),
            tree::ExprKind::Prefix { ops, operand } => self.prefix(ops, operand),
            tree::ExprKind::Chain { first, rest } => self.chain(first, rest),
            tree::ExprKind::Postfix { base, suffixes } => self.postfix(base, suffixes, expr.span),
            tree::ExprKind::If { arms, otherwise } => self.choice(arms, otherwise),
            tree::ExprKind::Error => None,
            tree::ExprKind::Block(block) => {
                let value = self.value_of_block(block)?;
                self.number_in(value, expr.span)
            }
            tree::ExprKind::Via(..) => self.report(diagnostics::via_alone(expr.span)),
            _ => self.report(diagnostics::type_mismatch(expr.span, &Expected::NumberOrTruth, &Actual::Other)),
        }
    }

    /// An expression of the file's scope: a constant or a size.
    fn outer(&mut self, expr: &tree::Expr) -> Option<Operand> {
        match self.evaluator.expr(expr)? {
            Value::Int(value) => {
                self.context.seen_symbols.extend(value.symbols());
                self.raiser.learn(&self.evaluator.facts);
                Some(Operand::Int(value))
            }
            Value::Unsigned(value) => Some(Operand::Unsigned(value)),
            Value::Float(value) => Some(Operand::Float(value)),
            Value::Bool(value) => Some(Operand::Typed(Expr::constant(Constant::Bool(value), ElementType::Bool))),
            Value::Truth(truth) => match truth.for_every_size() {
                Some(value) => Some(Operand::Typed(Expr::constant(Constant::Bool(value), ElementType::Bool))),
                None => self.report(diagnostics::not_constant_condition(expr.span, &truth)),
            },
            other => self.report(diagnostics::wrong_type(expr.span, Wanted::NumberOrTruth, &other)),
        }
    }

    fn postfix(&mut self, base: &tree::Expr, suffixes: &[Suffix], span: Span) -> Option<Operand> {
        if let Some((map, args)) = self.called_map(base, suffixes) {
            return self.map_at(&map, args, span);
        }
        match (&base.kind, suffixes) {
            (tree::ExprKind::Name(name), [Suffix { kind: SuffixKind::Call(args), .. }])
                if self.binding(name).is_none() =>
            {
                self.call(name, args, base.span, span)
            }
            (kind, _) if !matches!(kind, tree::ExprKind::Name(_)) && self.mentions_broken(base) => None,
            (_, [Suffix { kind: SuffixKind::Bracket(indices), .. }]) => {
                let access = self.access(base, indices, AccessKind::Load, span)?;
                let element = self.memories.element_of(access.memory)?;
                Some(Operand::Typed(Expr { kind: ExprKind::Load(Box::new(access)), element }))
            }
            (_, [Suffix { kind: SuffixKind::Bracket(_), .. }, ..]) if let Some(gaps) = between_brackets(suffixes) => {
                self.several_brackets(base, suffixes, gaps, span)
            }
            _ if let Some((name, brackets)) = self.called_tensor(base, suffixes) => {
                self.report(diagnostics::called_tensor(span, &name, brackets))
            }
            (tree::ExprKind::Name(name), [Suffix { kind: SuffixKind::Member(member), .. }, rest @ ..])
                if let Some(Binding::Partition(partition)) = self.binding(name).cloned() =>
            {
                let args = match rest {
                    [Suffix { kind: SuffixKind::Call(args), .. }] => Some(args.as_slice()),
                    _ => None,
                };
                self.size_of_partition(&partition, member, args, span).map(Operand::Int)
            }
            (tree::ExprKind::Name(name), _) if matches!(self.binding(name), Some(Binding::Broken)) => None,
            (tree::ExprKind::Name(name), [first, ..]) if let Some(binding) = self.binding(name) => {
                let is_number = matches!(binding, Binding::Local(_) | Binding::Scalar(_) | Binding::Given(_));
                let member = match &first.kind {
                    SuffixKind::Member(member) => Some(member.text.as_str()),
                    SuffixKind::Call(_) | SuffixKind::Bracket(_) => None,
                };
                self.report(diagnostics::member_in_kernel(span, name, member, is_number))
            }
            (tree::ExprKind::Name(name), [Suffix { kind: SuffixKind::Member(member), .. }, ..])
                if !self.is_of_file(name) =>
            {
                let own = self.bindings.names().map(SmolStr::as_str);
                let nearest = crate::spelling::nearest(name, own).map(str::to_owned);
                let member = Some((member.text.as_str(), member.span));
                self.report(diagnostics::unknown_local(base.span, name, nearest.as_deref(), member))
            }
            (tree::ExprKind::Name(name), _) if !self.is_of_file(name) => self.unknown_local(name, base.span),
            _ => self.report(diagnostics::type_mismatch(span, &Expected::NumberOrTruth, &Actual::Other)),
        }
    }

    /// The tensor in `y(i)`, and the span of the brackets.
    pub(super) fn called_tensor(&self, base: &tree::Expr, suffixes: &[Suffix]) -> Option<(SmolStr, Span)> {
        match (&base.kind, suffixes) {
            (tree::ExprKind::Name(name), [Suffix { kind: SuffixKind::Call(_), span }]) => {
                let is_tensor =
                    matches!(self.binding(name), Some(Binding::Memory(_) | Binding::ThreadArray(_) | Binding::View(_)));
                is_tensor.then(|| (name.clone(), *span))
            }
            _ => None,
        }
    }

    /// Reports `y[i][j]`, in which a comma would replace each of the `gaps`.
    pub(super) fn several_brackets<T>(
        &mut self,
        base: &tree::Expr,
        suffixes: &[Suffix],
        gaps: Vec<Span>,
        span: Span,
    ) -> Option<T> {
        let tree::ExprKind::Name(name) = &base.kind else {
            return self.report(diagnostics::not_a_tensor(base.span, &NotTensor::Expression));
        };
        let rank = match self.binding(name) {
            Some(Binding::View(view)) => view.local_rank,
            Some(Binding::Memory(memory)) => self.memories.shape(*memory).len(),
            Some(Binding::ThreadArray(found)) => self.memories.shape(Memory::Shared(found.array)).len(),
            Some(Binding::Broken) => return None,
            Some(_) => return self.report(diagnostics::not_a_tensor(base.span, &NotTensor::Variable(name.clone()))),
            None => return self.unknown_local(name, base.span),
        };
        let indices = suffixes.iter().map(|suffix| match &suffix.kind {
            SuffixKind::Bracket(indices) => indices.len(),
            _ => 0,
        });
        let found: usize = indices.sum();
        self.report(match found == rank {
            true => diagnostics::several_brackets(span, gaps),
            false => diagnostics::wrong_index_count(span, name, rank, found),
        })
    }
}

/// The places between the pairs of brackets of `y[i][j]`; `None` if there are other suffixes.
pub(super) fn between_brackets(suffixes: &[Suffix]) -> Option<Vec<Span>> {
    let all = suffixes.iter().all(|suffix| matches!(suffix.kind, SuffixKind::Bracket(_)));
    let gap = |pair: &[Suffix]| Span::new(pair[0].span.end.saturating_sub(1), pair[1].span.start + 1);
    (all && suffixes.len() > 1).then(|| suffixes.windows(2).map(gap).collect())
}
