//! Views: tensors or parts of them through maps, and the collectives that share them.

use std::sync::Arc;

use super::bindings::Binding;
use super::checker::Checker;
use super::tiles::PartitionMember;
use super::view::{Dimension, Holder, View};
use crate::diagnostics::{self, NeedsThreads, NotTensor, NotView, Wanted};
use crate::evaluate::open_threads;
use crate::values::Value;
use dims::{Facts, Sym};
use kernel::raise::{Axes, Form, ValueId};
use kernel::typed::Memory;
use maps::threads::Tiling;
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, MaskReason};
use syntax::span::Span;
use syntax::tree;

impl Checker<'_> {
    /// The map after `via`. The launch asks for it first, and the view again, mostly under the same facts.
    pub(super) fn view_map(&mut self, via: &tree::Expr) -> Option<Value> {
        if let Some(known) = self.found.maps.views.known(&via.span, &self.evaluator.facts) {
            return Some(known);
        }
        if let Some(mapping) = self.mapping_of_partition(via) {
            return Some(Value::Map(mapping));
        }
        let errors = self.evaluator.diagnostics.len();
        let map = self.evaluator.expr(via)?;
        if self.evaluator.diagnostics.len() == errors {
            self.found.maps.views.keep(via.span, map.clone());
        }
        Some(map)
    }

    /// The map in `px.mapping`, if `px` is a partition.
    fn mapping_of_partition(&self, via: &tree::Expr) -> Option<Arc<IndexMap>> {
        let tree::ExprKind::Postfix { base, suffixes } = &via.kind else { return None };
        let tree::ExprKind::Name(name) = &base.kind else { return None };
        match (self.binding(name)?, suffixes.as_slice()) {
            (Binding::Partition(partition), [tree::Suffix { kind: tree::SuffixKind::Member(member), .. }])
                if PartitionMember::from_name(&member.text).is_some_and(PartitionMember::is_mapping) =>
            {
                Some(Arc::clone(partition.mapping()))
            }
            _ => None,
        }
    }

    /// Checks `view v = t via m per unit masked;`.
    pub(super) fn view_statement(
        &mut self,
        source: &tree::Expr,
        via: Option<&tree::Expr>,
        per: Option<&tree::Expr>,
        masked: Option<Span>,
        span: Span,
    ) -> Option<View> {
        let Some(via) = via else {
            return self.report(diagnostics::view_needs_via(span));
        };
        let unit = self.unit(per);
        let map = match self.view_map(via) {
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
        if let Some(why) = not_dealt(source.holder, unit, &map) {
            return self.report(diagnostics::not_a_view(via.span, &why));
        }
        let count = self.units(source.holder, unit);
        let count = self.evaluator.settle(via.span, count)?;
        self.check_enough_threads(&source, &map, via.span)?;
        let facts = self.evaluator.facts.clone();
        let replaced = maps::replace_symbol(&map, &open_threads(), &count, &facts);
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
            map: self.found.maps.maps.one(composed),
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

    /// Applies a map without a thread coordinate, which only changes the indices of its source.
    pub(super) fn other_indices(
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
            map: self.found.maps.maps.one(composed),
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

    /// Claims that each lower coordinate of a map stays inside its dimension of the tensor. Otherwise a coordinate that
    /// is too large would reach an element of another row.
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

    /// The map over local index, block id and thread id that reaches all elements of a view.
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

    /// Checks that a map does not distribute elements to more threads than the collective has, which would leave
    /// elements without a thread.
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

    /// The source of a view: a tensor or another view. A map with one lower coordinate sees a tensor as the sequence of
    /// its elements, a map with several sees its dimensions. A map that `deals` distributes it over threads.
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
            Some(Binding::Tile(_)) => {
                self.report(diagnostics::not_a_tensor(source.span, &NotTensor::Tile(name.clone())))
            }
            Some(Binding::ThreadArray(_)) => {
                self.report(diagnostics::not_a_tensor(source.span, &NotTensor::ThreadArray(name.clone())))
            }
            Some(_) => self.report(diagnostics::not_a_tensor(source.span, &NotTensor::Variable(name.clone()))),
            None => self.unknown_local(name, source.span),
        }
    }

    /// Composes a map with its source: `source(map(local…, thread), bound…)`.
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
            // That the offset stays inside the tensor has to be proven, so its mask is dropped here. Other sources keep
            // theirs: the part of a collective ends with its chunk, and a view with its map.
            composed.masks.retain(|mask| mask.reason != MaskReason::LocalExtent);
        }
        Ok(composed)
    }
}

/// Why a map cannot deal the elements of a holder to these units.
fn not_dealt(holder: Holder, unit: Holder, map: &IndexMap) -> Option<NotView> {
    if matches!((holder, unit), (Holder::Collective(_), Holder::Warp)) {
        return Some(NotView::CollectiveByWarps);
    }
    if unit <= holder {
        return Some(NotView::NotSmaller);
    }
    let has_several = map.upper.iter().rev().skip(1).any(|axis| axis.role == AxisRole::Thread);
    has_several.then_some(NotView::SeveralThreads)
}

/// Whether a map gives a tensor's own indices rather than its row-major index. A shared array always has its own
/// indices: an index outside them is no element, even if the storage continues.
fn leads_to_dimensions(source: &View, map: &IndexMap) -> bool {
    source.whole && (map.lower.len() > 1 || source.memory.param().is_none())
}

/// Whether a map distributes elements over threads: its last coordinate is that of a thread.
fn deals_to_threads(map: &IndexMap) -> bool {
    map.upper.last().is_some_and(|axis| axis.role == AxisRole::Thread)
}

fn coordinates(builder: &mut MapBuilder<'_>, axes: std::ops::Range<usize>) -> Result<Vec<Affine>, MapError> {
    axes.map(|axis| builder.coordinate(axis)).collect()
}

/// The lower coordinates of a map, valid only inside its masks and its own lower extents.
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

/// One lower coordinate of a map, with the map's validity.
fn one_lower(map: &IndexMap, position: usize, facts: &Facts) -> Result<IndexMap, MapError> {
    let mut builder = MapBuilder::new(map.upper.clone(), facts);
    let own = coordinates(&mut builder, 0..map.upper.len())?;
    let mut lower = apply_honestly(&mut builder, map, &own)?;
    if position >= lower.len() {
        return Err(MapError::Malformed);
    }
    builder.finish(vec![LowerAxis { value: lower.swap_remove(position), extent: None }])
}
