//! Checks accesses (`xs[i]`, `x[i, j]`) and collects the claims to prove about them.

use std::sync::Arc;

use smol_str::SmolStr;

use super::bindings::{Binding, ThreadArray};
use super::checker::Checker;
use super::claims::{AccessRecord, Below, Subject};
use super::lower::{Lowering, storage_offset};
use super::raised::{Around, Composed};
use super::reached::Coordinate;
use super::remembered::Same;
use super::view::View;
use crate::diagnostics::{self, Advice, Expected, FlatIndex, Indexed, NotTensor, NotView, TilePlace};
use dims::{Facts, Sym};
use kernel::raise::{Axes, ValueId};
use kernel::storage::is_dense;
use kernel::typed::{Access, AccessKind, BinaryOp, Claim, Expr, Memory, ParamKind, Residence};
use maps::shapes::Shape;
use maps::{IndexMap, MaskReason};
use syntax::span::Span;
use syntax::tree;

/// The most accesses nested in each other's indices. An index is part of the map, the offset and the mask of its
/// access, so each level doubles the size of the inner accesses.
const MOST_NESTED: usize = 8;

/// The coordinates at which a view is evaluated: those of the program, and those that are bound to the view.
pub(super) struct Coordinates {
    pub(super) exprs: Vec<Expr>,
    pub(super) values: Vec<ValueId>,
}

/// What an access is of.
pub(super) struct Accessed<'w> {
    pub(super) view: Arc<View>,
    /// The view again if the program names it.
    pub(super) named: Option<Arc<View>>,
    /// The name in the program.
    pub(super) word: &'w SmolStr,
}

/// The computation of an access.
pub(super) struct Lowered {
    /// The offset in elements, in row-major order.
    offset: Expr,
    /// The condition under which the element exists; `None` means always.
    mask: Option<Expr>,
}

impl Checker<'_> {
    /// Checks the access `target[indices]`.
    pub(super) fn access(
        &mut self,
        name: &tree::Expr,
        indices: &[tree::Expr],
        kind: AccessKind,
        span: Span,
    ) -> Option<Access> {
        let tree::ExprKind::Name(word) = &name.kind else {
            return self.report(diagnostics::not_a_tensor(name.span, &NotTensor::Expression));
        };
        let (view, named) = self.accessed(word, name.span)?;
        self.check_kind(word, kind, name.span)?;
        let coordinates = self.indices(indices, word, view.local_rank, span)?;
        if kind.writes() {
            self.check_mutable(view.memory, name.span)?;
        }
        self.access_at(&Accessed { view, named, word }, coordinates, kind, span)
    }

    /// Checks the access of what a word names at these coordinates of the program.
    pub(super) fn access_at(
        &mut self,
        Accessed { view, named, word }: &Accessed<'_>,
        coordinates: Vec<Expr>,
        kind: AccessKind,
        span: Span,
    ) -> Option<Access> {
        let of_tile = self.tiles.transfer.is_some_and(Advice::is_of_partition);
        let mut exprs = coordinates.clone();
        exprs.extend(view.bound.iter().cloned());
        let values: Vec<ValueId> = exprs.iter().map(|expr| self.raiser.value(expr)).collect();
        let all = Coordinates { exprs, values };
        let facts = self.raiser.facts_here().filter(|_| !self.context.left_early);
        let mut claims = Vec::new();
        if let Some(facts) = &facts {
            claims = self.claims_of_coordinates(view, &all.values, word, named.is_some(), facts, span)?;
        }
        let composed = self.composed(Around::Conditions, view, &all.values, span)?;
        if let Some(facts) = facts.clone() {
            // If indices inside the view's dimensions imply that the element is inside the tensor, nothing else has to
            // be proven.
            if !view.inside {
                claims.push(self.claim_of_element(view, named.is_some(), &composed, facts, span)?);
            }
        }
        let [unconditional, without_data, indices] = self.other_maps(view, &all.values, &composed, span)?;
        let memory = view.memory;
        let executed = facts.is_some() && !self.context.unknown_threads;
        let is_of_thread = self.memories.shared_array(memory).is_some_and(|array| array.held == Residence::Registers);
        if executed && !of_tile && !is_of_thread {
            let own = &all.values[..coordinates.len()];
            self.note_shared_access(view, named.is_some(), own, &composed, kind.writes(), self.place(span));
        }
        let owner = self.owner(view, &all.values[..coordinates.len()], &composed);
        let (composed, Lowered { offset, mask }) = self.without_own_conditions(view, &all, composed, span)?;
        let coordinates = all.values[..coordinates.len()].to_vec();
        let mut access = AccessRecord {
            memory,
            kind,
            composed,
            unconditional,
            indices,
            without_data,
            view: named.clone(),
            coordinates,
            owner,
            span: self.place(span),
            claims,
            executed,
            tile: self.tiles.accessed_tile().cloned(),
            select: self.context.select.clone(),
            of_tile,
            of_block: self.tiles.is_for_block(),
            alternatives: Vec::new(),
            pointwise: None,
            scattered: None,
        };
        access.pointwise = self.pointwise(&access, &all.values);
        access.alternatives = self.alternatives(&access, view, &all.values);
        self.found.record.subjects.push(Subject::Access(Box::new(access)));
        let offset = self.storage(memory, offset, span)?;
        Some(Access { memory, map: view.map.clone(), coordinates: all.exprs, offset, mask, span: self.place(span) })
    }

    /// What a word in front of `[…]` names: the view, and again if it is named by the program.
    fn accessed(&mut self, word: &SmolStr, span: Span) -> Option<(Arc<View>, Option<Arc<View>>)> {
        match self.binding(word).cloned() {
            // Indices inside their dimensions imply that the element is inside the tensor.
            Some(Binding::Memory(memory)) => {
                Some((Arc::new(View { inside: true, ..self.direct_view(memory, span)? }), None))
            }
            Some(Binding::View(view)) => {
                if view.divided && view.holder != super::view::Holder::Thread {
                    return self.report(diagnostics::not_a_view(span, &NotView::SharedByThreads));
                }
                Some((view.clone(), Some(view)))
            }
            Some(Binding::ThreadArray(ThreadArray { array, .. })) => {
                let view = self.direct_view(Memory::Shared(array), span)?;
                Some((Arc::new(View { inside: true, ..view }), None))
            }
            Some(Binding::Broken) => None,
            Some(Binding::Partition(_)) => self.report(diagnostics::tile_place(span, TilePlace::Partition)),
            Some(_) => self.report(diagnostics::not_a_tensor(span, &NotTensor::Variable(word.clone()))),
            None if self.is_of_file(word) => {
                self.report(diagnostics::not_a_tensor(span, &NotTensor::Constant(word.clone())))
            }
            None => self.unknown_local(word, span),
        }
    }

    /// The further maps of an access, where there are any: without conditions, without those on data, and to coordinates.
    fn other_maps(
        &mut self,
        view: &View,
        values: &[ValueId],
        composed: &Composed,
        span: Span,
    ) -> Option<[Option<Arc<Composed>>; 3]> {
        let unconditional = match self.raiser.has_no_conditions() {
            true => None,
            false => Some(self.composed(Around::Nothing, view, values, span)?),
        };
        let of_data =
            unconditional.as_ref().is_some_and(|all| all.map.upper.len() < composed.map.upper.len() || !composed.exact);
        let without_data = match of_data {
            true => Some(self.composed(Around::WithoutData, view, values, span)?),
            false => None,
        };
        let indices = match view.map.upper.len() > 1 && self.is_mutable(view.memory) {
            true => Some(self.coordinate_map(view, values, span)?),
            false => None,
        };
        Some([unconditional, without_data, indices])
    }

    fn indices(&mut self, indices: &[tree::Expr], word: &str, rank: usize, span: Span) -> Option<Vec<Expr>> {
        if let Some(whole) = indices.iter().find(|index| index.kind == tree::ExprKind::Underscore) {
            let sign = self.text_of(whole.span);
            return self.report(diagnostics::whole_dimension(whole.span, word, &sign));
        }
        if let [index] = indices
            && rank > 1
            && let Some(Binding::Memory(memory)) = self.binding(word)
        {
            let extents = self.memories.shape(*memory);
            let text = self.text_of(index.span);
            let flat =
                FlatIndex { index: (index.span, &text), parts: self.parts_of_flat(index, &extents), extents: &extents };
            let found = diagnostics::flat_index(span, word, &flat);
            return self.report(found);
        }
        if indices.len() != rank {
            return self.report(diagnostics::wrong_index_count(span, word, rank, indices.len()));
        }
        if self.context.accesses == MOST_NESTED {
            return self.report(diagnostics::accesses_nested(span, MOST_NESTED));
        }
        self.context.accesses += 1;
        let coordinates = self.coordinates(indices);
        self.context.accesses -= 1;
        coordinates
    }

    /// The row and the column in an index `r * N + c` of a matrix with rows of `N` elements.
    fn parts_of_flat(&self, index: &tree::Expr, extents: &[Sym]) -> Option<[SmolStr; 2]> {
        let [_, columns] = extents else { return None };
        let tree::ExprKind::Chain { first, rest } = &index.kind else { return None };
        let [tree::Link { op: tree::BinaryOp::Add, operand: column, .. }] = rest.as_slice() else { return None };
        let tree::ExprKind::Chain { first: row, rest } = &first.kind else { return None };
        let [tree::Link { op: tree::BinaryOp::Multiply, operand: factor, .. }] = rest.as_slice() else { return None };
        let is_row = *self.text_of(factor.span) == columns.to_string();
        is_row.then(|| [row.span, column.span].map(|span| self.text_of(span)))
    }

    fn coordinates(&mut self, indices: &[tree::Expr]) -> Option<Vec<Expr>> {
        let mut coordinates = Vec::with_capacity(indices.len());
        for index in indices {
            coordinates.push(self.integer(index, &Expected::IntegerIndex)?);
        }
        Some(coordinates)
    }

    pub(super) fn is_mutable(&self, memory: Memory) -> bool {
        let param = self.memories.param(memory);
        param.is_some_and(|param| matches!(param.kind, ParamKind::Tensor { mutable: true, .. }))
    }

    pub(super) fn check_mutable(&mut self, memory: Memory, span: Span) -> Option<()> {
        let Memory::Param(id) = memory else { return Some(()) };
        let param = self.memories.params.get(id)?;
        match param.kind {
            ParamKind::Tensor { mutable: true, .. } => Some(()),
            _ => {
                let (_, element) = *self.found.record.param_spans.get(id)?;
                let name = param.name.clone();
                self.report(diagnostics::read_only(span, &name, element))
            }
        }
    }

    /// The offset and the mask of the access. The mask contains every condition of validity that does not follow from
    /// the `if`s and loops around the statement, which are evaluated there. `guarded` is the map with these conditions.
    pub(super) fn lowered(
        &mut self,
        view: &View,
        coordinates: &Coordinates,
        guarded: &Arc<Composed>,
        span: Span,
    ) -> Option<Lowered> {
        let Coordinates { exprs, values } = coordinates;
        let mut axes = Axes::new(&mut self.raiser, &[]);
        for value in values {
            axes.form(&mut self.raiser, *value);
        }
        let computed = axes.exprs(&mut self.raiser, exprs);
        if computed.iter().all(Option::is_some) {
            let facts = &self.evaluator.facts;
            let lowered = self.found.maps.tested.answer(&Same::new(guarded), facts, || {
                proofs::conditions_within_guards(&guarded.map, facts).map(Arc::new)
            });
            let map = self.built(span, lowered)?;
            let (mut offset, mask) = self.expressions(&map, &computed, span)?;
            if computed.iter().flatten().any(|axis| self.is_as_written(axis)) {
                let known: Vec<Option<Expr>> = exprs.iter().cloned().map(Some).collect();
                offset = self.expressions(&view.map, &known, span)?.0;
            }
            return Some(Lowered { offset, mask });
        }
        // A coordinate that depends on data is no axis, so the offset is computed by the view's own map at the
        // coordinates.
        let known: Vec<Option<Expr>> = exprs.iter().cloned().map(Some).collect();
        let (offset, mask) = self.expressions(&view.map, &known, span)?;
        let conditions: Vec<Expr> = mask.into_iter().chain(self.inside_the_domain(view, coordinates)).collect();
        let mask = conditions.into_iter().reduce(|left, right| Expr::binary(BinaryOp::And, left, right));
        Some(Lowered { offset, mask })
    }

    /// Whether an offset is computed of the coordinates as the program writes them: variables make them no simpler together than
    /// each by itself, and the numbers of iterations would stand in place of the iterators of loops with steps.
    fn is_as_written(&self, axis: &Expr) -> bool {
        let mut is_number = false;
        axis.locals(&mut |local| is_number |= self.context.numbers.contains(&local));
        is_number || self.may_change(axis)
    }

    /// The conditions for coordinates to be a point of a view's domain. A program's coordinate is proven to be inside
    /// its extent, so only one without an extent is compared, with 0, and a thread id, with its extent.
    fn inside_the_domain(&mut self, view: &View, Coordinates { exprs, values }: &Coordinates) -> Vec<Expr> {
        let mut conditions = Vec::new();
        for (position, (axis, (expr, value))) in view.map.upper.iter().zip(exprs.iter().zip(values)).enumerate() {
            match &axis.extent {
                None if !self.raiser.is_never_negative(*value) => {
                    conditions.push(Expr::binary(BinaryOp::GreaterEqual, expr.clone(), Expr::int(0)));
                }
                Some(extent) if position >= view.local_rank => {
                    conditions.push(Expr::binary(BinaryOp::Less, expr.clone(), Expr::size(extent)));
                }
                _ => {}
            }
        }
        conditions
    }

    /// The offset and the mask of a map at `axes` as expressions.
    pub(super) fn expressions(
        &mut self,
        map: &IndexMap,
        axes: &[Option<Expr>],
        span: Span,
    ) -> Option<(Expr, Option<Expr>)> {
        let lowered = Lowering::new(map, axes, &mut self.context.operations).and_then(Lowering::offset_and_mask);
        self.built(span, lowered)
    }

    /// Claims that every index of the program is inside its extent.
    fn claims_of_coordinates(
        &mut self,
        view: &View,
        coordinates: &[ValueId],
        word: &SmolStr,
        named: bool,
        facts: &Facts,
        span: Span,
    ) -> Option<Vec<Below>> {
        let advice = match self.tiles.transfer {
            Some(advice) => advice,
            None if named => Advice::Loop,
            None => Advice::Sizes,
        };
        let mut claims = Vec::new();
        for (position, axis) in view.map.upper.iter().take(view.local_rank).enumerate() {
            let Some(extent) = axis.extent.clone() else { continue };
            let Coordinate { composed, cases, doubt } = self.coordinate(coordinates[position], span)?;
            let (claim, facts) = (Claim::WithinView(extent), facts.clone());
            let indexed = Indexed::Index { position, of: word.clone() };
            claims.push(Below { composed, cases, claim, doubt, indexed, advice, facts });
        }
        Some(claims)
    }

    /// Claims that the element is inside the tensor.
    fn claim_of_element(
        &mut self,
        view: &View,
        named: bool,
        composed: &Arc<Composed>,
        facts: Facts,
        span: Span,
    ) -> Option<Below> {
        let size = Shape { dims: self.memories.shape(view.memory) }.size();
        let size = self.evaluator.settle(span, size)?;
        let indexed = Indexed::Element { of: self.memories.name(view.memory) };
        // A directly indexed tensor has no view that could be masked, and a masked view needs no second mask.
        let masked = view.map.masks.iter().any(|mask| mask.reason == MaskReason::TensorBound);
        let advice = if named && !masked { Advice::SizesOrMask } else { Advice::Sizes };
        let (composed, cases) = (composed.clone(), Vec::new());
        Some(Below { composed, cases, claim: Claim::InBounds(size), doubt: None, indexed, advice, facts })
    }

    /// The position in a tensor's storage, from the element's row-major index.
    fn storage(&mut self, memory: Memory, index: Expr, span: Span) -> Option<Expr> {
        let Some(param) = self.memories.param(memory) else { return Some(index) };
        match &param.kind {
            ParamKind::Tensor { shape, strides, .. } if !is_dense(param) => {
                let offset = storage_offset(index, shape, strides, &mut self.context.operations);
                self.built(span, offset)
            }
            _ => Some(index),
        }
    }
}
