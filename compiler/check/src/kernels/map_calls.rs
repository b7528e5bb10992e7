//! Maps that are called with numbers of a run: `s[swizzle(i, j)]`.
//!
//! The value is the formula of the map. Nothing is claimed of it: where it is an index, the access is proven like any other.

use std::sync::Arc;

use super::checker::Checker;
use super::operand::Operand;
use crate::diagnostics::{self, Coordinates, Expected, NoNumber};
use crate::values::Value;
use maps::IndexMap;
use syntax::span::Span;
use syntax::tree::{self, Argument, Suffix, SuffixKind};

impl Checker<'_> {
    /// The map that is called last in `base` with its suffixes, and the arguments of that call.
    pub(super) fn called_map<'t>(
        &mut self,
        base: &tree::Expr,
        suffixes: &'t [Suffix],
    ) -> Option<(Arc<IndexMap>, &'t [Argument])> {
        let (Suffix { kind: SuffixKind::Call(args), .. }, before) = suffixes.split_last()? else {
            return None;
        };
        let tree::ExprKind::Name(name) = &base.kind else { return None };
        if self.binding(name).is_some() || !self.is_of_file(name) {
            return None;
        }
        let mut inside = Vec::new();
        before.iter().for_each(|suffix| suffix.kind.each_inside(|inner| inside.push(inner)));
        if inside.into_iter().any(|inner| self.mentions_kernel(inner)) {
            return None;
        }
        let called = match before {
            [] => base.clone(),
            [.., last] => tree::Expr {
                kind: tree::ExprKind::Postfix { base: Box::new(base.clone()), suffixes: before.to_vec() },
                span: base.span.to(last.span),
            },
        };
        // What is no map is reported by whatever reads it.
        let reported = self.evaluator.diagnostics.len();
        let value = self.evaluator.expr(&called);
        self.evaluator.diagnostics.truncate(reported);
        match value {
            Some(Value::Map(map)) => Some((map, args)),
            _ => None,
        }
    }

    /// The lower coordinate of a map at some numbers.
    pub(super) fn map_at(&mut self, map: &IndexMap, args: &[Argument], span: Span) -> Option<Operand> {
        if map.upper.len() != args.len() {
            let (expected, found) = (map.upper.len(), args.len());
            return self.report(diagnostics::coordinate_count(span, expected, found, Coordinates::Layout));
        }
        if map.lower.len() != 1 {
            return self.report(diagnostics::no_number_of_map(span, &NoNumber::Coordinates(map.lower.len())));
        }
        if !map.masks.is_empty() {
            return self.report(diagnostics::no_number_of_map(span, &NoNumber::Masked));
        }
        let mut axes = Vec::with_capacity(args.len());
        for arg in args {
            axes.push(Some(self.integer(&arg.value, &Expected::IntegerIndex)?));
        }
        let (value, _) = self.expressions(map, &axes, span)?;
        Some(Operand::Typed(value))
    }
}
