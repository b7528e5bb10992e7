//! Lists of numbers in comparisons with tensors.

use super::super::RunChecker;
use crate::diagnostics::Misfit;
use dims::Sym;
use kernel::run::{TensorExpr, TensorExprKind};
use syntax::span::Span;

impl RunChecker<'_> {
    /// A list of numbers, or of lists of the same shape.
    pub(super) fn list(&mut self, parts: Vec<TensorExpr>, span: Span) -> Option<TensorExpr> {
        let Some(first) = parts.first() else {
            return self.misfit(span, &Misfit::EmptyList);
        };
        let inner = first.shape.clone();
        if parts.iter().any(|part| part.shape != inner) {
            return self.misfit(span, &Misfit::UnequalRows);
        }
        let length = Sym::constant(i64::try_from(parts.len()).ok()?);
        let mut elements = Vec::with_capacity(parts.len());
        for part in parts {
            match part.kind {
                TensorExprKind::List(own) => elements.extend(own),
                _ if part.shape.is_empty() => elements.push(part),
                _ => return self.misfit(span, &Misfit::TensorInList),
            }
        }
        Some(TensorExpr { kind: TensorExprKind::List(elements), shape: std::iter::once(length).chain(inner).collect() })
    }
}
