//! Views: a tensor or a part of it through a map, and who has it together.

use std::sync::Arc;

use super::claims::Dimension;
use super::holders::Holder;
use super::{Binding, Checker, Memory};
use crate::diagnostics::{self, NeedsThreads, NotTensor, NotView, Planned, Wanted};
use crate::evaluate::THREADS;
use crate::values::Value;
use dims::{Facts, Sym, Symbol};
use kernel::raise::{Axes, Form, ValueId};
use kernel::typed::Expr;
use maps::threads::Tiling;
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, MaskReason};
use syntax::span::Span;
use syntax::tree;

/// A way to a tensor's elements.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct View {
    /// The tensor at the end of it.
    pub(super) memory: Memory,
    /// Upper: `local_rank` coordinates that the program gives, then the `bound` ones. Lower: one row-major element index.
    pub(super) map: Arc<IndexMap>,
    pub(super) local_rank: usize,
    /// What the coordinates after the local ones are.
    pub(super) bound: Vec<Expr>,
    /// Whose threads have it together.
    pub(super) holder: Holder,
    /// Whether it is only a part of its tensor: its holder's own.
    pub(super) divided: bool,
    /// Whether it is the tensor itself, without a map in between.
    pub(super) whole: bool,
    /// Whether each of the tensor's own indices is shown to stay inside its dimension, so that no access needs to be.
    pub(super) inside: bool,
    /// What shows that: each index must stay inside its dimension.
    pub(super) dimensions: Vec<Dimension>,
    /// The view that it is made from.
    pub(super) source: Option<Arc<View>>,
    /// All elements that it gives its threads, over local index, block id and thread id; of a named view only.
    pub(super) all: Option<IndexMap>,
}

impl Checker<'_> {
    /// `view v = t via m per unit masked;`
    pub(super) fn view_statement(
        &mut self,
        source: &tree::Expr,
        via: Option<&tree::Expr>,
        per: Option<&tree::Expr>,
        masked: Option<Span>,
        span: Span,
    ) -> Option<View> {
        let Some(via) = via else {
            if matches!(&source.kind, tree::ExprKind::Postfix { .. }) {
                return self.report(diagnostics::not_available_yet(source.span, Planned::Partition));
            }
            return self.report(diagnostics::view_needs_via(span));
        };
        let unit = self.unit(per);
        let map = match self.evaluator.expr(via) {
            Some(Value::Map(map)) => Some(map),
            Some(other) => self.report(diagnostics::wrong_type(via.span, Wanted::Map, &other)),
            None => None,
        };
        let deals = map.as_ref().is_none_or(|map| deals_to_threads(map));
        let source = self.view_source(source, deals, map.as_ref().map_or(1, |map| map.lower.len()));
        let (source, unit, map) = (source?, unit?, map?);
        if map.lower.len() != source.local_rank {
            let why = NotView::Rank { lower: map.lower.len(), source: source.local_rank };
            return self.report(diagnostics::not_a_view(via.span, &why));
        }
        if !deals {
            return self.other_indices(&source, &map, per.is_some(), masked.is_some(), via.span);
        }
        if matches!((source.holder, unit), (Holder::Collective(_), Holder::Warp)) {
            return self.report(diagnostics::not_a_view(via.span, &NotView::CollectiveByWarps));
        }
        if unit <= source.holder {
            return self.report(diagnostics::not_a_view(via.span, &NotView::NotSmaller));
        }
        if map.upper.iter().rev().skip(1).any(|axis| axis.role == AxisRole::Thread) {
            return self.report(diagnostics::not_a_view(via.span, &NotView::SeveralThreads));
        }
        let count = self.units(source.holder, unit);
        let count = self.evaluator.settle(via.span, count)?;
        self.check_enough_threads(&source, &map, via.span)?;
        let facts = self.evaluator.facts.clone();
        let replaced = maps::replace_symbol(&map, &Symbol::new(THREADS, u32::MAX), &count, &facts);
        let map = self.built(via.span, replaced)?;
        let dimensions = self.claims_of_lower(&source, &map, masked.is_some(), via.span)?;
        let position = self.unit_position(source.holder, unit);
        let composed = self.through(&source, &map, masked.is_some());
        let composed = self.built(via.span, composed)?;
        let mut bound = vec![position];
        bound.extend(source.bound.iter().cloned());
        let local_rank = map.upper.len() - 1;
        Some(View {
            memory: source.memory,
            map: self.maps.one(composed),
            local_rank,
            bound,
            holder: unit,
            divided: true,
            whole: false,
            inside: source.inside || leads_to_dimensions(&source, &map),
            dimensions,
            source: Some(source),
            all: None,
        })
    }

    /// A map without threads gives what it is applied to other indices, for whoever holds it.
    fn other_indices(
        &mut self,
        source: &Arc<View>,
        map: &IndexMap,
        per_unit: bool,
        masked: bool,
        span: Span,
    ) -> Option<View> {
        if per_unit {
            return self.report(diagnostics::not_a_view(span, &NotView::NoThread));
        }
        let dimensions = self.claims_of_lower(source, map, masked, span)?;
        let composed = self.through(source, map, masked);
        let composed = self.built(span, composed)?;
        let View { memory, bound, holder, divided, .. } = &**source;
        let (memory, bound, holder, divided) = (*memory, bound.clone(), *holder, *divided);
        let inside = source.inside || leads_to_dimensions(source, map);
        Some(View {
            memory,
            map: self.maps.one(composed),
            local_rank: map.upper.len(),
            bound,
            holder,
            divided,
            whole: false,
            inside,
            dimensions,
            source: Some(Arc::clone(source)),
            all: None,
        })
    }

    /// A map with several lower coordinates leads to a tensor's own indices, and each must lie inside its dimension: in
    /// the row-major index, one that is too large would be another row's element. It is asked of the whole map.
    fn claims_of_lower(&mut self, source: &View, map: &IndexMap, masked: bool, span: Span) -> Option<Vec<Dimension>> {
        let mut claims = Vec::new();
        let facts = self.raiser.facts_here();
        let Some(facts) = facts.filter(|_| !masked && leads_to_dimensions(source, map)) else { return Some(claims) };
        for (position, axis) in source.map.upper.iter().enumerate() {
            let Some(extent) = axis.extent.clone() else { continue };
            let lower = one_lower(map, position, &self.evaluator.facts);
            let map = self.built(span, lower)?;
            claims.push(Dimension { memory: source.memory, map, position, extent, facts: facts.clone(), span });
        }
        Some(claims)
    }

    /// All elements that a view gives its threads, over local index, block id and thread id.
    pub(super) fn whole_view(&mut self, view: &View, span: Span) -> Option<IndexMap> {
        let free = &view.map.upper[..view.local_rank];
        let mut axes = Axes::new(&mut self.raiser, free);
        let bound: Vec<ValueId> = view.bound.iter().map(|expr| self.raiser.value(expr)).collect();
        let forms: Vec<Form> = bound.into_iter().map(|value| axes.form(&mut self.raiser, value)).collect();
        let (facts, raiser) = (&self.evaluator.facts, &self.raiser);
        let whole = maps::with_coordinates(&view.map, axes.upper(), facts, |builder| {
            let locals = (0..view.local_rank).map(|position| builder.coordinate(position)).collect::<Vec<_>>();
            let bound = forms.iter().map(|form| axes.build(raiser, form, builder));
            locals.into_iter().chain(bound).collect()
        });
        self.built(span, whole)
    }

    /// A map that deals to more threads than a collective has would leave elements that no thread has.
    fn check_enough_threads(&mut self, source: &View, map: &IndexMap, span: Span) -> Option<()> {
        let Holder::Collective(collective) = source.holder else { return Some(()) };
        let needed = map.upper.last().and_then(|axis| axis.extent.as_ref()).and_then(Sym::as_constant);
        let Some(needed) =
            needed.filter(|needed| Some(*needed) > self.collective(collective).map(Tiling::leaf_threads))
        else {
            return Some(());
        };
        self.wrong_collective(collective, &NeedsThreads::Map(needed), span)
    }

    /// Reports why a map could not be built.
    pub(super) fn built<T>(&mut self, span: Span, result: Result<T, MapError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(MapError::Arithmetic(error)) => self.evaluator.settle(span, Err(error)),
            Err(error) => self.report(diagnostics::map_construction(span, &error)),
        }
    }

    /// A tensor, or a view. A tensor is the flat sequence of its elements for a map with one lower coordinate, and is
    /// indexed by its own dimensions for one with several. A map that `deals` to threads divides it.
    fn view_source(&mut self, source: &tree::Expr, deals: bool, lower_rank: usize) -> Option<Arc<View>> {
        let tree::ExprKind::Name(name) = &source.kind else {
            return self.report(diagnostics::not_a_tensor(source.span, &NotTensor::Expression));
        };
        match self.binding(name).cloned() {
            Some(Binding::Memory(memory)) => {
                let view = match (memory, lower_rank) {
                    (Memory::Shared(_), 1) => self.flat_shared_view(memory, source.span)?,
                    (Memory::Param(_), 1) => self.flat_view(memory, source.span)?,
                    _ => self.direct_view(memory, source.span)?,
                };
                Some(Arc::new(view))
            }
            Some(Binding::View(view)) if deals && view.holder == Holder::Thread => {
                self.report(diagnostics::not_a_view(source.span, &NotView::OfOneThread))
            }
            Some(Binding::View(view)) => Some(view),
            Some(Binding::Broken) => None,
            Some(_) => self.report(diagnostics::not_a_tensor(source.span, &NotTensor::Variable(name.clone()))),
            None => self.unknown_local(name, source.span),
        }
    }

    /// The map into the source's tensor: `source(map(local…, thread), bound…)`.
    fn through(&self, source: &View, map: &IndexMap, masked: bool) -> Result<IndexMap, MapError> {
        let mut upper = map.upper.clone();
        upper.extend(source.map.upper.iter().skip(source.local_rank).cloned());
        let mut builder = MapBuilder::new(upper, &self.evaluator.facts);
        let own = coordinates(&mut builder, 0..map.upper.len())?;
        let bound = coordinates(&mut builder, map.upper.len()..map.upper.len() + source.bound.len())?;
        let mut between = apply_honestly(&mut builder, map, &own)?;
        if masked {
            for (index, axis) in between.iter().zip(&source.map.upper) {
                builder.mask(index, Some(&Sym::zero()), axis.extent.as_ref(), MaskReason::TensorBound)?;
            }
        }
        between.extend(bound);
        let lower = builder.apply(&source.map, &between)?;
        let lower = lower.into_iter().map(|axis| LowerAxis { value: axis.value, extent: None }).collect();
        let mut composed = builder.finish(lower)?;
        if source.whole {
            // Whether the offset stays inside the tensor is a claim to prove, not a condition to assume. A share
            // of a collective, however, ends where its chunk does, and a view where its map does.
            composed.masks.retain(|mask| mask.reason != MaskReason::LocalExtent);
        }
        Ok(composed)
    }
}

/// Whether a map leads to a tensor's own indices and not to its row-major index. A shared array has no other index than
/// its own: what lies beyond one is no element, even where its storage goes on.
fn leads_to_dimensions(source: &View, map: &IndexMap) -> bool {
    source.whole && (map.lower.len() > 1 || source.memory.param().is_none())
}

/// Whether a map deals elements out to threads: its last coordinate is a thread's.
fn deals_to_threads(map: &IndexMap) -> bool {
    map.upper.last().is_some_and(|axis| axis.role == AxisRole::Thread)
}

fn coordinates(builder: &mut MapBuilder<'_>, axes: std::ops::Range<usize>) -> Result<Vec<Affine>, MapError> {
    axes.map(|axis| builder.coordinate(axis)).collect()
}

/// The values of a map's lower coordinates, valid only where the map says so: inside its own lower extents too.
fn apply_honestly(
    builder: &mut MapBuilder<'_>,
    map: &IndexMap,
    coordinates: &[Affine],
) -> Result<Vec<Affine>, MapError> {
    let mut map = map.clone();
    for mask in map.masks.iter_mut().filter(|mask| mask.reason == MaskReason::LocalExtent) {
        mask.reason = MaskReason::Padding;
    }
    let lower = builder.apply(&map, coordinates)?;
    for axis in lower.iter().filter(|axis| axis.extent.is_some()) {
        builder.mask(&axis.value, Some(&Sym::zero()), axis.extent.as_ref(), MaskReason::Padding)?;
    }
    Ok(lower.into_iter().map(|axis| axis.value).collect())
}

/// One lower coordinate of a map, valid where the whole map is.
fn one_lower(map: &IndexMap, position: usize, facts: &Facts) -> Result<IndexMap, MapError> {
    let mut builder = MapBuilder::new(map.upper.clone(), facts);
    let own = coordinates(&mut builder, 0..map.upper.len())?;
    let mut lower = apply_honestly(&mut builder, map, &own)?;
    if position >= lower.len() {
        return Err(MapError::Malformed);
    }
    builder.finish(vec![LowerAxis { value: lower.swap_remove(position), extent: None }])
}
