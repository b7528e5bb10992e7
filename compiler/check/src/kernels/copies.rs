//! Asynchronous copies: `async s[i] = x[j];`.

use super::bindings::Binding;
use super::checker::Checker;
use crate::diagnostics::{self, WrongAsync};
use kernel::typed::{Constant, Expr, ExprKind, Memory, ParamKind, Residence, Statement, StatementKind};
use syntax::span::Span;
use syntax::tree;

impl Checker<'_> {
    /// Checks a copy, which is an assignment of an element of a tensor that nobody writes to one of a shared array.
    pub(super) fn asynchronous(
        &mut self,
        target: &tree::Expr,
        value: &tree::Expr,
        word: Span,
        span: Span,
    ) -> Option<Vec<Statement>> {
        if self.tiles.is_used() {
            let name = match &target.kind {
                tree::ExprKind::Name(name) => Some(name).filter(|name| self.binding(name).is_none()),
                _ => None,
            };
            let is_new = name.is_some();
            if let Some(text) = name.cloned() {
                // Its uses would only repeat the error.
                self.bind(&tree::Name { text, span: target.span }, Binding::Broken);
            }
            return self.report(diagnostics::wrong_async(word, &WrongAsync::Tiles { is_new }));
        }
        let mut statements = self.assignment(target, None, value, span)?;
        // What its parts need stands before.
        let Some(StatementKind::Store { access, value: stored, is_async }) =
            statements.last_mut().map(|last| &mut last.kind)
        else {
            return self.report(diagnostics::wrong_async(target.span, &WrongAsync::Target));
        };
        let array = self.memories.shared_array(access.memory);
        if array.is_none_or(|array| array.held != Residence::Shared) {
            return self.report(diagnostics::wrong_async(target.span, &WrongAsync::Target));
        }
        match copied(stored) {
            Some(memory) if self.is_only_read(memory) => *is_async = true,
            Some(memory) => {
                let name = self.memories.name(memory);
                return self.report(diagnostics::wrong_async(value.span, &WrongAsync::Written { name: &name }));
            }
            None => return self.report(diagnostics::wrong_async(value.span, &WrongAsync::Value)),
        }
        Some(statements)
    }

    /// Whether a memory is a tensor that the kernel does not write.
    fn is_only_read(&self, memory: Memory) -> bool {
        let kind = self.memories.param(memory).map(|param| &param.kind);
        matches!(kind, Some(ParamKind::Tensor { mutable: false, .. }))
    }
}

/// The memory of which a value is an element, or zero where a condition does not hold.
fn copied(value: &Expr) -> Option<Memory> {
    match &value.kind {
        ExprKind::Load(access) => Some(access.memory),
        ExprKind::Select(_, value, otherwise) => match (&value.kind, &otherwise.kind) {
            (ExprKind::Load(access), ExprKind::Constant(zero)) if *zero == Constant::zero(otherwise.element) => {
                Some(access.memory)
            }
            _ => None,
        },
        _ => None,
    }
}
