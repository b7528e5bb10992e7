//! Names in the expressions of kernels: what they mean, and what is said of those that mean nothing.

use smol_str::SmolStr;

use super::bindings::Binding;
use super::checker::Checker;
use super::constants::is_of_sizes;
use super::operand::Operand;
use crate::diagnostics::{self, Actual, Diagnostic, Expected};
use kernel::typed::{Expr, ExprKind};
use syntax::span::Span;
use syntax::tree::{self, Suffix, SuffixKind};

impl Checker<'_> {
    /// Whether a function is called that only kernels have. Other functions also apply to sizes outside kernels.
    fn is_call_of_kernel(&self, base: &tree::Expr, suffixes: &[Suffix]) -> bool {
        let called = matches!(suffixes, [Suffix { kind: SuffixKind::Call(_), .. }, ..]);
        let is_own = |name: &str| !is_of_sizes(name) && self.is_function(name) || self.function_named(name).is_some();
        matches!(&base.kind, tree::ExprKind::Name(name) if called && is_own(name))
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

    pub(super) fn variable(&mut self, name: &SmolStr, span: Span) -> Option<Operand> {
        let typed = match self.binding(name).cloned() {
            Some(Binding::Scalar(param)) => {
                let element = self.memories.params.get(param)?.element;
                Expr { kind: ExprKind::Scalar(param), element }
            }
            Some(Binding::Local(local)) => {
                let element = self.locals.get(local)?.element;
                Expr { kind: ExprKind::Local(local), element }
            }
            Some(Binding::Partition(partition)) => return self.whole_partition(name, &partition, span),
            Some(Binding::Memory(_) | Binding::ThreadArray(_) | Binding::View(_) | Binding::Tile(_)) => {
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
