//! Expressions in kernels.

use smol_str::SmolStr;

use super::bindings::Binding;
use super::checker::Checker;
use super::constants::{Folded, is_of_sizes};
use super::context::Division;
use super::integers::Shifted;
use super::operand::{Operand, as_size};
use crate::diagnostics::{self, Actual, Diagnostic, Expected, NotTensor, Wanted};
use crate::evaluate::{complement, is_of_bits};
use crate::values::Value;
use dims::{CompareOp, Sym};
use elements::ElementType;
use kernel::typed::{AccessKind, BinaryOp, Constant, Expr, ExprKind, Memory, UnaryOp};
use syntax::span::Span;
use syntax::tree::{self, PrefixOp, Suffix, SuffixKind};

impl Checker<'_> {
    /// Whether a function is called that only kernels have. Other functions also apply to sizes outside kernels.
    fn is_call_of_kernel(&self, base: &tree::Expr, suffixes: &[Suffix]) -> bool {
        let called = matches!(suffixes, [Suffix { kind: SuffixKind::Call(_), .. }, ..]);
        let is_own = |name: &str| !is_of_sizes(name) && self.is_function(name) || self.function_named(name).is_some();
        matches!(&base.kind, tree::ExprKind::Name(name) if called && is_own(name))
    }

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

    /// Whether the expression uses a name of the kernel, or a feature that only kernels have.
    pub(super) fn mentions_kernel(&self, expr: &tree::Expr) -> bool {
        match &expr.kind {
            tree::ExprKind::Name(name) => {
                self.binding(name).is_some()
                    || name.contains('-') && name.split('-').any(|part| self.binding(part).is_some())
            }
            tree::ExprKind::Postfix { base, suffixes } if self.is_call_of_kernel(base, suffixes) => true,
            tree::ExprKind::Unit { .. }
            | tree::ExprKind::ReshapeMap(_)
            | tree::ExprKind::Group(_)
            | tree::ExprKind::Launch(_) => false,
            _ => {
                let mut found = false;
                expr.each_inside(|inner| found = found || self.mentions_kernel(inner));
                found
            }
        }
    }

    /// The diagnostic for a word that neither the kernel nor the file declares.
    pub(super) fn unknown_word(&self, expr: &tree::Expr) -> Option<Diagnostic> {
        let (name, span, called) = match &expr.kind {
            tree::ExprKind::Name(name) => (name, expr.span, false),
            tree::ExprKind::Postfix { base, suffixes } => {
                match (&base.kind, suffixes.first().map(|suffix| &suffix.kind)) {
                    (tree::ExprKind::Name(name), Some(SuffixKind::Call(_))) => (name, base.span, true),
                    (tree::ExprKind::Name(name), _) => (name, base.span, false),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let known = |word: &str| self.is_of_file(word);
        let own = self.binding(name).is_some() || called && self.is_function(name);
        let is_word = crate::evaluate::is_function(name) || crate::evaluate::float_constant(name).is_some();
        if own || known(name) || name.split('-').all(known) || is_word {
            return None;
        }
        if called {
            return Some(self.unknown_called(name, span));
        }
        let own = self.bindings.names().map(SmolStr::as_str);
        Some(diagnostics::unknown_local(span, name, crate::spelling::nearest(name, own), member_of(expr)))
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

    fn variable(&mut self, name: &SmolStr, span: Span) -> Option<Operand> {
        let typed = match self.binding(name).cloned() {
            Some(Binding::Scalar(param)) => {
                let element = self.memories.params.get(param)?.element;
                Expr { kind: ExprKind::Scalar(param), element }
            }
            Some(Binding::Local(local)) => {
                let element = self.locals.get(local)?.element;
                Expr { kind: ExprKind::Local(local), element }
            }
            Some(
                Binding::Memory(_)
                | Binding::ThreadArray(_)
                | Binding::View(_)
                | Binding::Partition(_)
                | Binding::Tile(_),
            ) => {
                let (expected, found) = (Expected::ElementOf(name.clone()), Actual::WholeOf(name.clone()));
                return self.report(diagnostics::type_mismatch(span, &expected, &found));
            }
            Some(Binding::Given(operand)) => return Some(operand),
            Some(Binding::Broken) => return None,
            Some(Binding::Defined) | None => return self.hyphenated(name, span),
        };
        Some(Operand::Typed(typed))
    }

    /// Checks `n-i` as a subtraction if both parts are declared.
    fn hyphenated(&mut self, name: &SmolStr, span: Span) -> Option<Operand> {
        let mut parts = name.split('-').map(SmolStr::new);
        let first = parts.next()?;
        let rest: Vec<SmolStr> = parts.collect();
        if rest.is_empty() {
            return self.unknown_local(name, span);
        }
        let part = |text: SmolStr| tree::Expr { kind: tree::ExprKind::Name(text), span };
        let mut left = self.operand(&part(first))?;
        for text in rest {
            let right = self.operand(&part(text))?;
            left = self.combine(tree::BinaryOp::Subtract, left, right, (span, span))?;
        }
        Some(left)
    }

    /// Reports a name that neither the kernel nor the file declares.
    pub(super) fn unknown_local<T>(&mut self, name: &SmolStr, span: Span) -> Option<T> {
        if self.evaluator.diagnostics.iter().any(|found| diagnostics::is_unknown_name(found, name)) {
            return None;
        }
        let own = self.bindings.names().map(SmolStr::as_str);
        let nearest = crate::spelling::nearest(name, own).map(str::to_owned);
        self.evaluator.report_once(diagnostics::unknown_local(span, name, nearest.as_deref(), None))
    }

    /// Reports an assignment to an undeclared name. `is_first` says that it could be the declaration.
    pub(super) fn unknown_target<T>(&mut self, name: &SmolStr, span: Span, is_first: bool) -> Option<T> {
        if self.is_size(name) {
            return self.report(diagnostics::immutable_size(span, name));
        }
        let is_near = crate::spelling::nearest(name, self.bindings.names().map(SmolStr::as_str)).is_some();
        if !is_first || is_near {
            return self.unknown_local(name, span);
        }
        self.evaluator.report_once(diagnostics::undeclared(span, name))
    }

    fn prefix(&mut self, ops: &[(PrefixOp, Span)], operand: &tree::Expr) -> Option<Operand> {
        let inner = self.operand(operand)?;
        self.prefixed(ops, inner, operand.span)
    }

    /// Applies prefix operators to an operand.
    pub(super) fn prefixed(&mut self, ops: &[(PrefixOp, Span)], mut inner: Operand, at: Span) -> Option<Operand> {
        for (op, span) in ops.iter().rev() {
            inner = match (op, inner.unmasked()) {
                (PrefixOp::Complement, Operand::Int(value)) => {
                    let inverted = complement(&value);
                    Operand::of_bits(self.evaluator.settle(*span, inverted)?)
                }
                (PrefixOp::Negate, Operand::Int(value)) => {
                    let negated = value.checked_neg();
                    Operand::Int(self.evaluator.settle(*span, negated)?)
                }
                (PrefixOp::Negate, Operand::Float(value)) => Operand::Float(-value),
                (PrefixOp::Complement, Operand::Bits(bits)) => Self::inverted_bits(*bits),
                (_, other) => {
                    self.computed_with([(&other, at)], span.to(at))?;
                    let value = self.natural(other, at)?;
                    Operand::Typed(self.typed_prefix(*op, value, *span)?)
                }
            };
        }
        Some(inner)
    }

    fn typed_prefix(&mut self, op: PrefixOp, value: Expr, span: Span) -> Option<Expr> {
        let element = value.element;
        let expected = match op {
            PrefixOp::Negate if element.is_signed() => return Some(Expr::unary(UnaryOp::Negate, value)),
            PrefixOp::Not if element == ElementType::Bool => return Some(Expr::unary(UnaryOp::Not, value)),
            // Every bit differs from those of the number of ones alone, so no digit of the difference borrows: proofs know
            // differences well.
            PrefixOp::Complement if element.is_integer() => {
                let ones = self.coerce(Operand::Mask(-1), element, span)?;
                return Some(Expr::binary(BinaryOp::Subtract, ones, value));
            }
            PrefixOp::Negate => Expected::SignedNumber,
            PrefixOp::Not => Expected::Type(ElementType::Bool),
            PrefixOp::Complement => Expected::Integer,
        };
        self.report(diagnostics::wrong_prefix(span, op, &expected, element))
    }

    /// Applies an operator of the kernel.
    pub(super) fn combine(
        &mut self,
        op: tree::BinaryOp,
        left: Operand,
        right: Operand,
        spans: (Span, Span),
    ) -> Option<Operand> {
        let span = spans.0.to(spans.1);
        self.computed_with([(&left, spans.0), (&right, spans.1)], span)?;
        if op == tree::BinaryOp::Divide {
            let number = |operand: &Operand| match operand {
                Operand::Int(value) => value.as_constant(),
                _ => None,
            };
            let operands = [(spans.0, number(&left)), (spans.1, number(&right))];
            self.context.division = Some(Division { span, operands });
        }
        let (left, right) = match self.folded(op, left, right, span)? {
            Folded::Value(value) => return Some(value),
            Folded::Operands(left, right) => (left, right),
        };
        let Some(written) = BinaryOp::written(op) else {
            return self.report(diagnostics::type_mismatch(span, &Expected::Operator, &Actual::Operator(op)));
        };
        if let Some(compared) = self.compared(written, &left, &right) {
            return Some(Operand::Typed(compared));
        }
        if let Some(bits) = self.free_bits(written, &left, &right, spans) {
            return Some(bits);
        }
        let (left, right) = match written {
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => match self.shifted(written, left, right, spans.0) {
                Shifted::Is(shifted) => return Some(shifted),
                Shifted::Open(left, right) => (left, right),
            },
            _ => (left, right),
        };
        let (left, right) = self.unify(left, right, spans)?;
        let element = left.element;
        let number = element != ElementType::Bool;
        let allowed = match written {
            BinaryOp::Equal | BinaryOp::NotEqual => true,
            BinaryOp::And | BinaryOp::Or => !number,
            _ if is_of_bits(op) => element.is_integer(),
            _ => number,
        };
        if !allowed && is_of_bits(op) {
            return self.report(diagnostics::bits_of_others(span, op, element));
        }
        if !allowed {
            let expected = if number { Expected::Truths } else { Expected::Numbers };
            return self.report(diagnostics::type_mismatch(span, &expected, &Actual::Type(element)));
        }
        let op = match written {
            BinaryOp::Divide | BinaryOp::Remainder if right.kind == ExprKind::Constant(Constant::Int(0)) => {
                return self.report(diagnostics::division_by_zero(span));
            }
            BinaryOp::Divide | BinaryOp::Remainder => self.division(written, &left, &right),
            _ => written,
        };
        let element = if op.gives_bool() { ElementType::Bool } else { element };
        let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
        Some(Operand::Typed(Expr { kind, element }))
    }

    /// Division truncates. For indices that are never negative and a positive size, that is floor division.
    fn division(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> BinaryOp {
        let facts = &self.evaluator.facts;
        let is_positive = |divisor: Sym| facts.proves(&divisor, CompareOp::Ge, &Sym::one());
        let positive = as_size(right).is_some_and(is_positive);
        if left.element != ElementType::I64 || !positive {
            return op;
        }
        let value = self.context.left.take().unwrap_or_else(|| self.raiser.value(left));
        if !self.raiser.is_never_negative(value) {
            return op;
        }
        if op == BinaryOp::Divide { BinaryOp::FloorDivide } else { BinaryOp::FloorRemainder }
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

    /// Whether an expression says a name whose declaration is wrong, which has been reported: what it would have been is not
    /// known, so nothing is said of what is done with it.
    pub(super) fn mentions_broken(&self, expr: &tree::Expr) -> bool {
        match &expr.kind {
            tree::ExprKind::Name(name) => matches!(self.binding(name), Some(Binding::Broken)),
            _ => {
                let mut found = false;
                expr.each_inside(|inner| found = found || self.mentions_broken(inner));
                found
            }
        }
    }

    /// Whether a name is a size: a `dim` of the file or a number of the kernel's brackets.
    pub(super) fn is_size(&self, name: &str) -> bool {
        let (db, item) = (self.evaluator.db, self.evaluator.item);
        self.evaluator.generics.declares(name) || crate::names::is_size(db, item.file(db), name)
    }

    /// Whether the file, or a file that it uses, declares a name.
    pub(super) fn is_of_file(&self, name: &str) -> bool {
        let (db, item) = (self.evaluator.db, self.evaluator.item);
        let own = self.evaluator.generics.declares(name) || self.evaluator.scope.get(name).is_some();
        own || crate::names::lookup(db, item.file(db), name.into()).is_some()
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

/// The member behind the first word of an expression, with its span.
fn member_of(expr: &tree::Expr) -> Option<(&str, Span)> {
    match &expr.kind {
        tree::ExprKind::Postfix { suffixes, .. } => match suffixes.first().map(|suffix| &suffix.kind)? {
            SuffixKind::Member(member) => Some((member.text.as_str(), member.span)),
            _ => None,
        },
        _ => None,
    }
}

/// The places between the pairs of brackets of `y[i][j]`; `None` if there are other suffixes.
pub(super) fn between_brackets(suffixes: &[Suffix]) -> Option<Vec<Span>> {
    let all = suffixes.iter().all(|suffix| matches!(suffix.kind, SuffixKind::Bracket(_)));
    let gap = |pair: &[Suffix]| Span::new(pair[0].span.end.saturating_sub(1), pair[1].span.start + 1);
    (all && suffixes.len() > 1).then(|| suffixes.windows(2).map(gap).collect())
}
