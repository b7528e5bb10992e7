//! Accesses: `xs[i]`, `x[i, j]`; each is proven in bounds, or left to the launch, or rejected.

use std::sync::Arc;

use super::affine::{Axes, Form, build, masks};
use super::lower::{lower, storage_offset};
use super::operands::constant;
use super::views::View;
use super::{Binding, Checker, ElementType, ParamId};
use crate::diagnostics;
use crate::dims::Sym;
use crate::kernels::typed::{Access, Claim, Constant, Expr, Obligation, ParamKind};
use crate::maps::{self, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, MaskReason};
use crate::proofs::{self, CounterexampleKind, Verdict};
use crate::shapes::Shape;
use crate::syntax::span::Span;
use crate::syntax::tree;

/// An access as the race check needs it.
pub(super) struct AccessRecord {
    pub(super) tensor: ParamId,
    pub(super) store: bool,
    /// Over block id, thread id, iterators; lower: the element.
    pub(super) map: IndexMap,
    /// Whether the map's coordinates are exactly those that occur.
    pub(super) exact: bool,
    /// The view that it goes through; `None` where the tensor is indexed itself.
    pub(super) view: Option<Arc<View>>,
    /// The coordinates that the program gave.
    pub(super) coordinates: Vec<Expr>,
    pub(super) span: Span,
}

impl Checker<'_> {
    /// The access that `target[indices]` means.
    pub(super) fn access(
        &mut self,
        name: &tree::Expr,
        indices: &[tree::Expr],
        store: bool,
        span: Span,
    ) -> Option<Access> {
        let tree::ExprKind::Name(word) = &name.kind else {
            return self.report(diagnostics::not_a_tensor(name.span, "this", "an expression"));
        };
        let (view, named) = match self.binding(word).cloned() {
            Some(Binding::Tensor(tensor)) => (Arc::new(self.direct_view(tensor, name.span)?), None),
            Some(Binding::View(view)) => {
                if view.holder != super::views::Holder::Thread {
                    return self.report(diagnostics::not_a_view(
                        name.span,
                        "it belongs to several threads together; make a view of it with `via` first",
                    ));
                }
                (view.clone(), Some(view))
            }
            Some(_) => return self.report(diagnostics::not_a_tensor(name.span, word, "a variable")),
            None => return self.unknown_local(word, name.span),
        };
        let coordinates = self.indices(indices, word, view.local_rank, span)?;
        if store {
            self.check_mutable(view.tensor, name.span)?;
        }
        let mut all = coordinates.clone();
        all.extend(view.bound.iter().cloned());
        self.check_coordinates(&view, &all, word, span)?;
        let (map, exact, axes) = self.composed(&view, &all, span)?;
        self.check_bounds(&view, &map, exact, span)?;
        let lowered = match axes {
            Some(axes) => lower(&map, &axes),
            None => lower(&view.map, &all),
        };
        let (index, mask) = lowered?;
        let tensor = view.tensor;
        self.accesses.push(AccessRecord { tensor, store, map, exact, view: named, coordinates, span });
        let offset = self.storage(tensor, index);
        Some(Access { tensor, map: Arc::new(view.map.clone()), coordinates: all, offset, mask, span })
    }

    fn indices(&mut self, indices: &[tree::Expr], word: &str, rank: usize, span: Span) -> Option<Vec<Expr>> {
        if indices.len() != rank {
            return self.report(diagnostics::wrong_index_count(span, word, rank, indices.len()));
        }
        let mut coordinates = Vec::with_capacity(rank);
        for index in indices {
            let operand = self.operand(index)?;
            let typed = self.natural(operand, index.span)?;
            if !typed.element.is_integer() {
                return self.report(diagnostics::type_mismatch(
                    index.span,
                    "an integer index",
                    &format!("`{}`", typed.element),
                ));
            }
            coordinates.push(super::operands::cast(typed, ElementType::I64));
        }
        Some(coordinates)
    }

    fn check_mutable(&mut self, tensor: ParamId, span: Span) -> Option<()> {
        let param = self.params.get(tensor.0 as usize)?;
        match param.kind {
            ParamKind::Tensor { mutable: true, .. } => Some(()),
            _ => {
                let (_, element) = *self.param_spans.get(tensor.0 as usize)?;
                let name = param.name.clone();
                self.report(diagnostics::read_only(span, &name, element))
            }
        }
    }

    /// The map over the axes of the statement, and the expressions of the axes where there is one for each.
    fn composed(
        &mut self,
        view: &View,
        coordinates: &[Expr],
        span: Span,
    ) -> Option<(IndexMap, bool, Option<Vec<Expr>>)> {
        let mut axes = Axes::new(&self.definitions, &self.context, &self.launch, &[]);
        let forms: Vec<Form> = coordinates.iter().map(|coordinate| axes.form(coordinate)).collect();
        let guards = axes.guards();
        let mut exact = axes.exact;
        let facts = &self.evaluator.facts;
        let composed = maps::with_coordinates(&view.map, axes.upper(), facts, |builder| {
            exact &= masks(&guards, builder)?;
            forms.iter().map(|form| build(form, builder)).collect()
        })
        .and_then(|map| proofs::without_implied_conditions(&map, facts));
        let exprs = axes.exprs();
        let mut map = self.built(span, composed)?;
        let guarded = map.masks.iter().any(|mask| mask.reason == MaskReason::Guard);
        // The conditions of an `if` are evaluated by the `if`; they are no part of the access itself.
        let lowered = if guarded { None } else { exprs };
        map.lower.iter_mut().for_each(|axis| axis.extent = None);
        Some((map, exact, lowered))
    }

    /// Every index that the program gives must lie inside its extent.
    fn check_coordinates(&mut self, view: &View, coordinates: &[Expr], word: &str, span: Span) -> Option<()> {
        for (position, axis) in view.map.upper.iter().take(view.local_rank).enumerate() {
            let Some(extent) = axis.extent.clone() else { continue };
            let mut axes = Axes::new(&self.definitions, &self.context, &self.launch, &[]);
            let form = axes.form(&coordinates[position]);
            let guards = axes.guards();
            let mut exact = axes.exact;
            let facts = &self.evaluator.facts;
            let claim = claim_map(axes.upper(), facts, |builder| {
                exact &= masks(&guards, builder)?;
                build(&form, builder)
            });
            let map = self.built(span, claim)?;
            let what = format!("index {position} of `{word}`");
            self.check_below(map, exact, &extent, view.tensor, &what, span)?;
        }
        Some(())
    }

    /// The element must lie inside the tensor.
    fn check_bounds(&mut self, view: &View, map: &IndexMap, exact: bool, span: Span) -> Option<()> {
        let size = Shape { dims: self.tensor_shape(view.tensor) }.size();
        let size = self.evaluator.settle(span, size)?;
        let name = self.params.get(view.tensor.0 as usize)?.name.clone();
        let what = format!("the element of `{name}`");
        self.check_below(map.clone(), exact, &size, view.tensor, &what, span)
    }

    /// The map's one lower coordinate must be in `0..bound`: proven, or asked again at launch, or rejected.
    fn check_below(
        &mut self,
        map: IndexMap,
        exact: bool,
        bound: &Sym,
        tensor: ParamId,
        what: &str,
        span: Span,
    ) -> Option<()> {
        let verdict =
            proofs::in_bounds(&map, std::slice::from_ref(bound), &self.evaluator.facts, &self.evaluator.budget());
        let name = self.params.get(tensor.0 as usize)?.name.clone();
        let shape = Shape { dims: self.tensor_shape(tensor) }.to_string();
        match verdict {
            Verdict::Proven { .. } => Some(()),
            Verdict::Refuted { counterexample } if exact => {
                let reached = match &counterexample.kind {
                    CounterexampleKind::OutOfBounds { lower, .. } => lower.first().copied(),
                    _ => None,
                };
                let detail = match reached {
                    Some(reached) => format!("{what} becomes {reached}, but must be below {bound}"),
                    None => format!("{what} does not stay below {bound}"),
                };
                let evidence = self.describe(&map, &counterexample);
                self.report(diagnostics::out_of_bounds(span, &name, &shape, &detail, &evidence))
            }
            Verdict::Refuted { .. } => {
                let detail =
                    format!("{what} must be below {bound}, but nothing says so: guard the access with an `if`");
                self.report(diagnostics::out_of_bounds(span, &name, &shape, &detail, ""))
            }
            Verdict::Open { obligation, reason } => {
                if map.symbols().is_empty() && bound.as_constant().is_some() {
                    let detail = format!("it could not be shown that {what} stays below {bound}: {reason}");
                    return self.report(diagnostics::out_of_bounds(span, &name, &shape, &detail, ""));
                }
                let found = diagnostics::out_of_bounds_open(span, &name, &shape, what, obligation.as_deref());
                self.evaluator.diagnostics.push(found);
                let claim = Claim::InBounds(bound.clone());
                self.obligations.push(Obligation { tensor, map: Arc::new(map), claim, span });
                Some(())
            }
        }
    }

    /// A tensor's storage position from the element's row-major index.
    fn storage(&self, tensor: ParamId, index: Expr) -> Expr {
        let Some(ParamKind::Tensor { shape, strides, .. }) =
            self.params.get(tensor.0 as usize).map(|param| &param.kind)
        else {
            return constant(Constant::Int(0), ElementType::I64);
        };
        let mut dense = Sym::one();
        let row_major = shape.iter().zip(strides).rev().all(|(dim, stride)| {
            let same = *stride == dense;
            match dense.checked_mul(dim) {
                Ok(next) => dense = next,
                Err(_) => return false,
            }
            same
        });
        if row_major { index } else { storage_offset(index, shape, strides) }
    }
}

/// A map whose lower coordinate is one form.
fn claim_map(
    upper: Vec<maps::UpperAxis>,
    facts: &crate::dims::Facts,
    form: impl FnOnce(&mut MapBuilder<'_>) -> Result<maps::Affine, MapError>,
) -> Result<IndexMap, MapError> {
    let mut builder = MapBuilder::new(upper, facts);
    let value = form(&mut builder)?;
    builder.finish(vec![LowerAxis { value, extent: None }])
}

/// Whether an axis belongs to the thread.
pub(super) fn is_thread(role: AxisRole) -> bool {
    role == AxisRole::Thread
}
