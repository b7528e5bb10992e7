//! Whole tensors as views, by their dimensions or as the sequence of their elements.

use std::sync::Arc;

use super::checker::Checker;
use super::view::{Holder, View};
use dims::{Facts, Sym};
use kernel::typed::{Memory, Scope};
use maps::row_major;
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, UpperAxis};
use syntax::span::Span;

impl Checker<'_> {
    pub(super) fn flat_view(&mut self, memory: Memory, span: Span) -> Option<View> {
        let size = (maps::shapes::Shape { dims: self.memories.shape(memory) }).size();
        let size = self.evaluator.settle(span, size)?;
        let upper = vec![UpperAxis { extent: Some(size), role: AxisRole::Local }];
        let map = identity(upper, &self.evaluator.facts, &[Sym::one()]);
        let map = self.built(span, map)?;
        let map = self.found.maps.maps.one(map);
        Some(self.whole(memory, map, 1))
    }

    /// A view of a tensor that is indexed directly: `x[i, j]`.
    pub(super) fn direct_view(&mut self, memory: Memory, span: Span) -> Option<View> {
        if memory.param().is_none() {
            return self.shared_view(memory);
        }
        let map = match self.found.maps.direct.known(&memory, &self.evaluator.facts) {
            Some(known) => known,
            None => {
                let map = self.map_of_dimensions(memory, span)?;
                self.found.maps.direct.keep(memory, Arc::clone(&map));
                map
            }
        };
        let rank = map.upper.len();
        Some(self.whole(memory, map, rank))
    }

    /// The map from the indices of a tensor to the row-major index.
    fn map_of_dimensions(&mut self, memory: Memory, span: Span) -> Option<Arc<IndexMap>> {
        let shape = self.memories.shape(memory);
        let strides = self.evaluator.settle(span, row_major::strides(&shape))?;
        let upper = shape.iter().map(|dim| UpperAxis { extent: Some(dim.clone()), role: AxisRole::Local }).collect();
        let map = identity(upper, &self.evaluator.facts, &strides);
        let map = self.built(span, map)?;
        Some(self.found.maps.maps.one(map))
    }

    /// A view of a whole tensor, which the threads of the scope share.
    pub(super) fn whole(&self, memory: Memory, map: Arc<IndexMap>, local_rank: usize) -> View {
        let holder = match self.context.scope {
            Scope::Grid => Holder::Grid,
            Scope::Cluster => Holder::Cluster,
            Scope::Block => Holder::Block,
            Scope::Threads(collective) => Holder::Collective(collective),
        };
        View {
            memory,
            map,
            local_rank,
            bound: Vec::new(),
            holder,
            divided: false,
            whole: true,
            inside: false,
            dimensions: Vec::new(),
            source: None,
            all: None,
        }
    }
}

/// `Σ coordinate · stride`, also for coordinates outside their extents: that they are inside remains to be proven, and a
/// coordinate of extent 1 must not become the constant 0 before.
pub(super) fn identity(upper: Vec<UpperAxis>, facts: &Facts, strides: &[Sym]) -> Result<IndexMap, MapError> {
    let unbounded = upper.iter().map(|axis| UpperAxis { extent: None, role: axis.role }).collect();
    let mut builder = MapBuilder::new(unbounded, facts);
    let value = Affine::weighted_sum(&builder.coordinates()?, strides)?;
    Ok(IndexMap { upper, ..builder.finish(vec![LowerAxis { value, extent: None }])? })
}
