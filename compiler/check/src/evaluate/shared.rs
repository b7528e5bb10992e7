//! The layouts of shared arrays.

use std::sync::Arc;

use super::evaluator::Evaluator;
use crate::diagnostics::{self, Quantity};
use dims::{Facts, Sym};
use maps::row_major;
use maps::shapes::Shape;
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, MaskReason, UpperAxis};
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
    ) -> Option<(Sym, Arc<IndexMap>)> {
        let extents: Vec<Option<Sym>> = shape.iter().map(|extent| self.extent_of_shared(extent)).collect();
        let extents = Shape { dims: extents.into_iter().collect::<Option<Vec<Sym>>>()? };
        let Ok(stored) = extents.size() else {
            return self.report(diagnostics::shared_array_overflow(span));
        };
        let base = self.row_major_layout(&extents.dims, &stored, span)?;
        if layout.is_empty() {
            return Some((stored, base));
        }
        let map = self.stages(base, span, layout.iter())?;
        // The extent of a lower coordinate is a condition too, which implies the masks. They are what accesses test, so they stand without
        // it.
        let lower = map.lower.iter().map(|axis| LowerAxis { value: axis.value.clone(), extent: None }).collect();
        let free = IndexMap { lower, ..IndexMap::clone(&map) };
        if proofs::in_bounds(&free, std::slice::from_ref(&stored), &self.facts, &self.budget().for_proofs()).is_proven()
        {
            let has_masks = !free.masks.is_empty();
            return Some((stored, if has_masks { Arc::new(free) } else { map }));
        }
        let within = within_storage(&free, &stored, &self.facts.clone());
        let crate::values::Value::Map(map) = self.map(span, within)? else { return None };
        Some((stored, map))
    }

    /// An extent of a shared array, which the sizes may decide.
    fn extent_of_shared(&mut self, extent: &Expr) -> Option<Sym> {
        let size = self.map_size(extent)?;
        if self.facts.range(&size).hi.is_some_and(|most| most < 1) {
            return self.report(diagnostics::zero_size_for_all(extent.span, &size));
        }
        Some(size)
    }

    /// The extents of an array of each thread, which are known while the file is checked.
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
    pub(crate) fn row_major_layout(&mut self, extents: &[Sym], stored: &Sym, span: Span) -> Option<Arc<IndexMap>> {
        let base = row_major(extents, stored, &self.facts.clone());
        let crate::values::Value::Map(base) = self.map(span, base)? else { return None };
        Some(base)
    }
}

/// The map with the places that a layout leaves without an element of the `stored` ones, such as those of a pad, masked: a read there
/// gives 0, and a store stores nothing.
fn within_storage(map: &IndexMap, stored: &Sym, facts: &Facts) -> Result<IndexMap, MapError> {
    let mut builder = MapBuilder::new(map.upper.clone(), facts);
    let coordinates = builder.coordinates()?;
    let lower = builder.apply(map, &coordinates)?;
    for LowerAxis { value, .. } in &lower {
        builder.mask(value, Some(&Sym::zero()), Some(stored), MaskReason::Padding)?;
    }
    builder.finish(lower)
}

/// Row-major storage for these extents.
fn row_major(extents: &[Sym], stored: &Sym, facts: &Facts) -> Result<IndexMap, MapError> {
    let axis = |extent: &Sym| UpperAxis { extent: Some(extent.clone()), role: AxisRole::Local };
    let mut builder = MapBuilder::new(extents.iter().map(axis).collect(), facts);
    // The terms of the fastest coordinate come first, as in the text of the map.
    let fastest_first = (0..extents.len()).rev().map(|axis| builder.coordinate(axis));
    let coordinates = fastest_first.collect::<Result<Vec<Affine>, MapError>>()?;
    let strides: Vec<Sym> = row_major::strides(extents)?.into_iter().rev().collect();
    let value = Affine::weighted_sum(&coordinates, &strides)?;
    builder.finish(vec![LowerAxis { value, extent: Some(stored.clone()) }])
}
