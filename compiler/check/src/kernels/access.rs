//! Accesses: `xs[i]`, `x[i, j]`; each is proven in bounds, or left to the launch, or rejected.

use std::sync::Arc;

use smol_str::SmolStr;

use super::lower::{binary, lower, storage_offset};
use super::operands::size;
use super::raised::{Around, Raised};
use super::views::View;
use super::{Binding, Checker, ElementType, Memory, ParamId};
use crate::diagnostics::{self, UnsafeAccess};
use dims::Sym;
use kernel::raise::{Axes, ValueId};
use kernel::storage::is_dense;
use kernel::typed::{Access, BinaryOp, Claim, Expr, Obligation, ParamKind};
use maps::shapes::Shape;
use maps::{AxisRole, IndexMap, MapError, MaskReason};
use proofs::{CounterexampleKind, Verdict};
use syntax::span::Span;
use syntax::tree;

/// What helps any access.
const SIZES: &str = "make the sizes fit, or guard the access with an `if`";

/// The coordinates that a view is asked at: those that the program gives and those that are bound to it.
pub(super) struct Coordinates {
    pub(super) exprs: Vec<Expr>,
    pub(super) values: Vec<ValueId>,
}

/// A map over the axes of a statement: block id, thread id, iterators.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Composed {
    /// Its one lower coordinate is an index or an element.
    pub(super) map: IndexMap,
    /// What the coordinates are called; empty where they have no name.
    pub(super) names: Vec<SmolStr>,
    /// Whether its valid coordinates are exactly those that occur.
    pub(super) exact: bool,
    /// The coordinates that are one value in all threads of the launch: a parameter, for example.
    pub(super) uniform: Vec<(usize, ValueId)>,
}

/// An access as the race check needs it.
pub(super) struct AccessRecord {
    pub(super) memory: Memory,
    pub(super) store: bool,
    pub(super) composed: Composed,
    /// The same without the conditions around the access, where there are any: it reaches whatever the access does.
    pub(super) unconditional: Option<Composed>,
    /// The view that it goes through; `None` where the tensor is indexed itself.
    pub(super) view: Option<Arc<View>>,
    /// The coordinates that the program gave.
    pub(super) coordinates: Vec<ValueId>,
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
            Some(Binding::Memory(memory)) => (Arc::new(self.direct_view(memory, name.span)?), None),
            Some(Binding::View(view)) => {
                if view.divided && view.holder != super::views::Holder::Thread {
                    return self.report(diagnostics::not_a_view(
                        name.span,
                        "it belongs to several threads together; make a view of it with `via` first",
                    ));
                }
                (view.clone(), Some(view))
            }
            Some(Binding::Broken) => return None,
            Some(_) => return self.report(diagnostics::not_a_tensor(name.span, word, "a variable")),
            None => return self.unknown_local(word, name.span),
        };
        let coordinates = self.indices(indices, word, view.local_rank, span)?;
        if store {
            self.check_mutable(view.memory, name.span)?;
        }
        let mut exprs = coordinates.clone();
        exprs.extend(view.bound.iter().cloned());
        let values: Vec<ValueId> = exprs.iter().map(|expr| self.raiser.value(expr)).collect();
        let all = Coordinates { exprs, values };
        self.check_coordinates(&view, &all.values, (word, named.is_some()), span)?;
        let composed = self.composed(&view, &all.values, span)?;
        self.check_bounds(&view, named.is_some(), &composed, span)?;
        let unconditional = match self.raiser.has_no_conditions() {
            true => None,
            false => Some(self.unconditional(&view, &all.values, span)?),
        };
        let memory = view.memory;
        let is_executed = self.raiser.facts_here().is_some();
        if is_executed {
            let own = &all.values[..coordinates.len()];
            self.note_shared_access(&view, named.is_some(), own, &composed, (store, span));
        }
        let (composed, (index, mask)) = self.without_own_conditions(&view, &all, composed, span)?;
        if is_executed {
            let coordinates = all.values[..coordinates.len()].to_vec();
            self.accesses.push(AccessRecord { memory, store, composed, unconditional, view: named, coordinates, span });
        }
        let offset = self.storage(memory, index);
        Some(Access { memory, map: Arc::new(view.map.clone()), coordinates: all.exprs, offset, mask, span })
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

    fn check_mutable(&mut self, memory: Memory, span: Span) -> Option<()> {
        let Memory::Param(ParamId(index)) = memory else { return Some(()) };
        let param = self.params.get(index as usize)?;
        match param.kind {
            ParamKind::Tensor { mutable: true, .. } => Some(()),
            _ => {
                let (_, element) = *self.param_spans.get(index as usize)?;
                let name = param.name.clone();
                self.report(diagnostics::read_only(span, &name, element))
            }
        }
    }

    /// The map over the axes of the statement, and whether it is exactly what happens there.
    pub(super) fn composed(&mut self, view: &View, coordinates: &[ValueId], span: Span) -> Option<Composed> {
        let raised = Raised::new(&mut self.raiser, coordinates, Around::Conditions);
        let map = raised.of_map(&self.raiser, &view.map, &self.evaluator.facts);
        self.composed_of(&raised, map, span)
    }

    fn composed_of(
        &mut self,
        raised: &Raised,
        map: Result<(IndexMap, bool), MapError>,
        span: Span,
    ) -> Option<Composed> {
        let (map, exact) = self.built(span, map)?;
        let names = raised.names(&self.raiser, &self.locals);
        Some(Composed { map, names, exact, uniform: raised.uniform(&self.raiser) })
    }

    /// The map over the axes of the coordinates, without the conditions around the access.
    fn unconditional(&mut self, view: &View, coordinates: &[ValueId], span: Span) -> Option<Composed> {
        let raised = Raised::new(&mut self.raiser, coordinates, Around::Nothing);
        let map = raised.of_map(&self.raiser, &view.map, &self.evaluator.facts);
        self.composed_of(&raised, map, span)
    }

    /// How to compute the access: offset and mask. The conditions of the `if`s and loops around its statement are theirs
    /// to evaluate, and hold where it happens; every other condition of validity is in the mask, unless it follows.
    /// `guarded` is the map with those conditions.
    pub(super) fn lowered(
        &mut self,
        view: &View,
        coordinates: &Coordinates,
        guarded: &IndexMap,
        span: Span,
    ) -> Option<(Expr, Option<Expr>)> {
        let Coordinates { exprs, values } = coordinates;
        let mut axes = Axes::new(&mut self.raiser, &[]);
        for value in values {
            axes.form(&mut self.raiser, *value);
        }
        let computed = axes.exprs(&mut self.raiser, exprs);
        if computed.iter().all(Option::is_some) {
            let lowered = proofs::conditions_within_guards(guarded, &self.evaluator.facts);
            let map = self.built(span, lowered)?;
            return lower(&map, &computed);
        }
        // A coordinate that only the data knows is no axis: the view's own map is computed at the coordinates. Those
        // that the program gives were shown to be inside their extents, the ids of threads must be compared.
        let known: Vec<Option<Expr>> = exprs.iter().cloned().map(Some).collect();
        let (offset, mask) = lower(&view.map, &known)?;
        let bound = view.map.upper.iter().zip(exprs).skip(view.local_rank);
        let ids = bound.filter_map(|(axis, coordinate)| {
            let extent = axis.extent.as_ref()?;
            Some(binary(BinaryOp::Less, coordinate.clone(), size(extent)))
        });
        let mask = mask.into_iter().chain(ids).reduce(|left, right| binary(BinaryOp::And, left, right));
        Some((offset, mask))
    }

    /// Every index that the program gives must lie inside its extent.
    fn check_coordinates(
        &mut self,
        view: &View,
        coordinates: &[ValueId],
        (word, named): (&str, bool),
        span: Span,
    ) -> Option<()> {
        let advice =
            if named { "let the loop end where the view does, or guard the access with an `if`" } else { SIZES };
        for (position, axis) in view.map.upper.iter().take(view.local_rank).enumerate() {
            let Some(extent) = axis.extent.clone() else { continue };
            let raised = Raised::new(&mut self.raiser, &coordinates[position..=position], Around::Conditions);
            let claim = raised.of_coordinate(&self.raiser, &self.evaluator.facts);
            let composed = self.composed_of(&raised, claim, span)?;
            let what = format!("index {position} of `{word}`");
            self.check_below(&composed, &Claim::WithinView(extent), view.memory, (&what, advice), span)?;
        }
        Some(())
    }

    /// The element must lie inside the tensor.
    fn check_bounds(&mut self, view: &View, named: bool, composed: &Composed, span: Span) -> Option<()> {
        if view.inside {
            return Some(());
        }
        let size = Shape { dims: self.memory_shape(view.memory) }.size();
        let size = self.evaluator.settle(span, size)?;
        let name = self.memory_name(view.memory);
        let what = format!("the element of `{name}`");
        // A tensor that is indexed itself has no view to mark, and a view that is masked already gains nothing.
        let masked = view.map.masks.iter().any(|mask| mask.reason == MaskReason::TensorBound);
        let advice = if named && !masked {
            "make the sizes fit, guard the access with an `if`, or mark the view as `masked`"
        } else {
            SIZES
        };
        self.check_below(composed, &Claim::InBounds(size), view.memory, (&what, advice), span)
    }

    /// Where a map of a view leads to a tensor's own indices: the map's one lower coordinate must lie inside a dimension.
    /// There is no access yet whose claim could be asked at launch, so the facts must show it.
    pub(super) fn check_dimension(
        &mut self,
        memory: Memory,
        map: IndexMap,
        (position, extent): (usize, &Sym),
        span: Span,
    ) -> Option<()> {
        let Some(facts) = self.raiser.facts_here() else { return Some(()) };
        let verdict = proofs::in_bounds(&map, std::slice::from_ref(extent), &facts, &self.evaluator.budget());
        let name = self.memory_name(memory);
        let shape = Shape { dims: self.memory_shape(memory) }.to_string();
        let remedy = verdict.obligation().map(|fact| self.evaluator.remedy(vec![fact.clone()]));
        let advice = "make the lengths of the map those of the tensor, or mark the view as `masked`";
        let access = UnsafeAccess { span, tensor: &name, shape: &shape, advice, remedy };
        match verdict {
            Verdict::Proven { .. } => Some(()),
            Verdict::Refuted { counterexample, .. } => {
                let what = format!("index {position} of `{name}`");
                let (detail, point) = match &counterexample.kind {
                    CounterexampleKind::OutOfBounds { upper, lower, .. } if !lower.is_empty() => {
                        let point = upper.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
                        let detail = format!("{what} becomes {}, but must be below {extent}", lower[0]);
                        (detail, format!("the point ({point}) of the map"))
                    }
                    _ => (format!("{what} does not stay below {extent}"), String::new()),
                };
                let evidence = [point, super::races::sizes(&counterexample)];
                let evidence = evidence.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
                self.report(diagnostics::out_of_bounds(access, &detail, &evidence))
            }
            Verdict::Open { reason, deeper, .. } => {
                let reason = format!("index {position} of `{name}` must be below {extent}, and {reason}");
                self.report(diagnostics::bounds_unproven(access, &reason, deeper))
            }
        }
    }

    /// The map's one lower coordinate must be in `0..bound`: proven, or asked again at launch, or rejected.
    fn check_below(
        &mut self,
        composed: &Composed,
        claim: &Claim,
        memory: Memory,
        (what, advice): (&str, &str),
        span: Span,
    ) -> Option<()> {
        let (Claim::InBounds(bound) | Claim::WithinView(bound)) = claim else { return None };
        let Composed { map, names, exact, .. } = composed;
        let Some(facts) = self.raiser.facts_here() else { return Some(()) };
        let verdict = proofs::in_bounds(map, std::slice::from_ref(bound), &facts, &self.evaluator.budget());
        let name = self.memory_name(memory);
        let shape = Shape { dims: self.memory_shape(memory) }.to_string();
        let remedy = verdict.obligation().map(|fact| self.evaluator.remedy(vec![fact.clone()]));
        let access = UnsafeAccess { span, tensor: &name, shape: &shape, advice, remedy };
        match verdict {
            Verdict::Proven { .. } => Some(()),
            Verdict::Refuted { counterexample, .. } if *exact => {
                let reached = match &counterexample.kind {
                    CounterexampleKind::OutOfBounds { lower, .. } => lower.first().copied(),
                    _ => None,
                };
                let detail = match reached {
                    Some(reached) => format!("{what} becomes {reached}, but must be below {bound}"),
                    None => format!("{what} does not stay below {bound}"),
                };
                let evidence = self.describe(map, names, &counterexample);
                self.note_refuted(memory, map, &counterexample, span);
                self.report(diagnostics::out_of_bounds(access, &detail, &evidence))
            }
            Verdict::Refuted { .. } => {
                let reason = format!("{what} must be below {bound}, but it depends on data or on a condition");
                self.report(diagnostics::bounds_unproven(access, &reason, false))
            }
            Verdict::Open { reason, deeper, .. } => {
                let sizes_decide = !map.symbols().is_empty() || bound.as_constant().is_none();
                // What more work may prove is asked again at launch, where there is time for it; a shared array has all of
                // its sizes here.
                if !*exact || !(sizes_decide || deeper) || memory.param().is_none() {
                    let reason = format!("{what} must be below {bound}, and {reason}");
                    return self.report(diagnostics::bounds_unproven(access, &reason, deeper));
                }
                let found = diagnostics::out_of_bounds_open(access, what, sizes_decide, deeper);
                // The index and the element are two claims, but one access.
                if !self.evaluator.diagnostics.iter().any(|other| other.page == found.page && other.span == span) {
                    self.evaluator.diagnostics.push(found);
                }
                self.obligations.push(Obligation { memory, map: Arc::new(map.clone()), claim: claim.clone(), span });
                Some(())
            }
        }
    }

    /// A tensor's storage position from the element's row-major index.
    fn storage(&self, memory: Memory, index: Expr) -> Expr {
        let Some(param) = self.param(memory) else { return index };
        match &param.kind {
            ParamKind::Tensor { shape, strides, .. } if !is_dense(param) => storage_offset(index, shape, strides),
            _ => index,
        }
    }
}

/// Whether an axis belongs to the thread.
pub(super) fn is_thread(role: AxisRole) -> bool {
    role == AxisRole::Thread
}
