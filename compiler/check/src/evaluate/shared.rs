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
        let extents = self.extents_of_array(shape, Quantity::SharedExtent)?;
        let stored = extents.iter().try_fold(1i64, |product, extent| product.checked_mul(*extent));
        let Some(stored) = stored else {
            return self.report(diagnostics::shared_array_overflow(span));
        };
        let base = self.row_major_layout(&extents, stored, span)?;
        Some((stored, self.stages(base, span, layout.iter())?))
    }

    /// The extents of an array, which are known while the file is checked.
    pub(crate) fn extents_of_array(&mut self, shape: &[Expr], quantity: Quantity) -> Option<Vec<i64>> {
        let extents: Vec<Option<i64>> = shape.iter().map(|extent| self.constant_extent(extent, quantity)).collect();
        extents.into_iter().collect()
    }

    fn constant_extent(&mut self, extent: &Expr, quantity: Quantity) -> Option<i64> {
        let value = self.map_size(extent)?;
        match value.as_constant() {
            Some(constant) => Some(constant),
            None => self.report(diagnostics::not_constant(extent.span, quantity, &value)),
        }
    }

    /// The map from the indices of an array with these extents to the positions of its `stored` elements.
    pub(crate) fn row_major_layout(&mut self, extents: &[i64], stored: i64, span: Span) -> Option<Arc<IndexMap>> {
        let base = row_major(extents, stored);
        let crate::values::Value::Map(base) = self.map(span, base)? else { return None };
        Some(base)
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
