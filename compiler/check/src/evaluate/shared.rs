//! The layouts of shared arrays.

use std::sync::Arc;

use super::Evaluator;
use crate::diagnostics::{self, Quantity};
use dims::Sym;
use maps::row_major;
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, UpperAxis};
use syntax::span::Span;
use syntax::tree::Expr;

impl Evaluator<'_> {
    /// The number of elements that `shared name : f32[shape] |> layout` stores, and the map from the program's indices
    /// to the position in that storage.
    pub(crate) fn shared_layout(
        &mut self,
        shape: &[Expr],
        layout: &[Expr],
        span: Span,
    ) -> Option<(i64, Arc<IndexMap>)> {
        let extents: Vec<Option<i64>> = shape.iter().map(|extent| self.shared_extent(extent)).collect();
        let extents: Vec<i64> = extents.into_iter().collect::<Option<_>>()?;
        let stored = extents.iter().try_fold(1i64, |product, extent| product.checked_mul(*extent));
        let Some(stored) = stored else {
            return self.report(diagnostics::shared_array_overflow(span));
        };
        let base = row_major(&extents, stored);
        let crate::values::Value::Map(base) = self.map(span, base)? else { return None };
        Some((stored, self.stages(base, span, layout.iter())?))
    }

    fn shared_extent(&mut self, extent: &Expr) -> Option<i64> {
        let value = self.map_size(extent)?;
        match value.as_constant() {
            Some(constant) => Some(constant),
            None => self.report(diagnostics::not_constant(extent.span, Quantity::SharedExtent, &value)),
        }
    }
}

/// Row-major storage for these extents.
fn row_major(extents: &[i64], stored: i64) -> Result<IndexMap, MapError> {
    let axis = |extent: &i64| UpperAxis { extent: Some(Sym::constant(*extent)), role: AxisRole::Local };
    let facts = dims::Facts::empty();
    let mut builder = MapBuilder::new(extents.iter().map(axis).collect(), &facts);
    let strides = row_major::strides_of(extents).into_iter().map(Sym::constant);
    // The terms of the fastest coordinate come first, as in the text of the map.
    let fastest_first = (0..extents.len()).rev().map(|axis| builder.coordinate(axis));
    let coordinates = fastest_first.collect::<Result<Vec<Affine>, MapError>>()?;
    let strides: Vec<Sym> = strides.rev().collect();
    let value = Affine::weighted_sum(&coordinates, &strides)?;
    builder.finish(vec![LowerAxis { value, extent: Some(Sym::constant(stored)) }])
}
