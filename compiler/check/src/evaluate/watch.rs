//! The values of expressions that somebody asks for, noted while their item is evaluated.

use rustc_hash::FxHashMap;

use crate::values::Value;
use syntax::span::Span;
use syntax::tree::Expr;

/// The expressions, each with its latest value.
#[derive(Clone)]
pub(crate) struct Watch(FxHashMap<Span, Option<Value>>);

impl Watch {
    /// Expressions by their tokens.
    pub(crate) fn new(spans: &[Span]) -> Watch {
        Watch(spans.iter().map(|span| (*span, None)).collect())
    }

    /// Notes the value of an expression, if somebody asks for it.
    pub(super) fn note(&mut self, expr: &Expr, value: &Value) {
        if let Some(found) = self.0.get_mut(&expr.span) {
            *found = Some(value.clone());
        }
    }

    /// The value of an expression, once.
    pub(crate) fn take(&mut self, span: Span) -> Option<Value> {
        self.0.get_mut(&span)?.take()
    }
}
