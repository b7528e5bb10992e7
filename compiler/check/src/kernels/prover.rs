//! Proves the claims of a kernel's accesses: that they are in bounds, and that there are no races.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::at_points::AtPoints;
use super::claims::{AccessRecord, Below, Subject};
use super::executor::executor;
use super::raised::Composed;
use super::remembered::{Remembered, Same};
use super::results::{ProvenKernel, RefutedAccess, TypedKernel};
use super::view::{Dimension, View};
use crate::db::{Db, Item};
use crate::diagnostics::{
    self, Advice, Diagnostic, Diagnostics, Indexed, Leaves, LeavesAt, OpenSide, Remedy, Swapped, UnsafeAccess, Unshown,
};
use crate::evaluate::Evaluator;
use dims::{Facts, Sym};
use kernel::typed::{Claim, Memory, Obligation};
use maps::shapes::Shape;
use maps::{IndexMap, Mask, MaskReason};
use proofs::{Counterexample, CounterexampleKind, Verdict};
use syntax::span::Span;

/// Proves the claims of one kernel.
pub(super) struct Prover<'db> {
    pub(super) evaluator: Evaluator<'db>,
    pub(super) typed: &'db TypedKernel,
    pub(super) proven: ProvenKernel,
    /// Whether maps stay below bounds.
    inside: Remembered<(Same<Composed>, Sym), Verdict>,
    /// Whether maps of views reach each element at one point only.
    pub(super) injective: Remembered<Arc<IndexMap>, bool>,
}

impl<'db> Prover<'db> {
    pub(super) fn new(db: &'db dyn Db, item: Item, typed: &'db TypedKernel) -> Self {
        let mut evaluator = Evaluator::new(db, item);
        evaluator.facts.clone_from(&typed.facts);
        evaluator.generics = typed.generics.clone();
        let (inside, injective) = (Remembered::default(), Remembered::default());
        Self { evaluator, typed, proven: ProvenKernel::default(), inside, injective }
    }

    /// Proves all claims.
    pub(super) fn prove(mut self) -> ProvenKernel {
        let mut sound: Vec<&'db AccessRecord> = Vec::new();
        let mut failed: Vec<Arc<View>> = Vec::new();
        let fails = |failed: &[Arc<View>], view: &Option<Arc<View>>| {
            view.as_ref().is_some_and(|view| failed.iter().any(|other| Arc::ptr_eq(view, other)))
        };
        for subject in &self.typed.record.subjects {
            self.evaluator.db.unwind_if_revision_cancelled();
            match subject {
                Subject::Strides { name, map, facts, span } => self.strides(name, map, facts, *span),
                Subject::View(view) => {
                    let sound = !fails(&failed, &view.source)
                        && view.dimensions.iter().all(|dimension| self.dimension(dimension).is_some());
                    if !sound {
                        failed.push(Arc::clone(view));
                    }
                }
                Subject::Access(record) => {
                    if !fails(&failed, &record.view)
                        && record.claims.iter().all(|below| self.below(below, record).is_some())
                    {
                        sound.push(record);
                    }
                }
            }
        }
        sound.retain(|record| record.executed);
        self.check_races(&sound);
        self.proven
    }

    fn report<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.proven.diagnostics.push(diagnostic);
        None
    }

    /// Whether an error so far makes later results about the whole kernel unreliable.
    pub(super) fn is_unfinished(&self) -> bool {
        let syntax = &self.evaluator.item.tree(self.evaluator.db).errors;
        !syntax.is_empty()
            || self.typed.diagnostics.iter().chain(&self.proven.diagnostics).any(Diagnostic::prevents_results)
    }

    /// Records an access with a refuted claim.
    pub(super) fn note_refuted(&mut self, memory: Memory, map: &IndexMap, counterexample: &Counterexample, span: Span) {
        let Some(element) = self.typed.memories.element_of(memory) else { return };
        let (map, counterexample) = (Arc::new(map.clone()), counterexample.clone());
        let facts = self.typed.facts.clone();
        self.proven.refuted.push(RefutedAccess { span, element, map, facts, counterexample });
    }

    /// Proves that two elements of a written tensor have different addresses.
    fn strides(&mut self, name: &str, map: &IndexMap, facts: &Facts, span: Span) {
        let verdict = proofs::injective(map, facts, &self.evaluator.budget());
        let remedy = verdict.obligation().map(|fact| self.evaluator.remedy(vec![fact.clone()]));
        self.proven.diagnostics.extend(diagnostics::overlapping_strides(span, name, &verdict, remedy));
    }

    /// Proves that a view's map stays inside a dimension of the tensor. A view is no access, so the facts have to imply
    /// it: there is no obligation at launch.
    fn dimension(&mut self, dimension: &Dimension) -> Option<()> {
        let Dimension { memory, map, position, extent, facts, span } = dimension;
        let verdict = proofs::in_bounds(map, std::slice::from_ref(extent), facts, &self.evaluator.budget());
        let name = self.typed.memories.name(*memory);
        let access = UnsafeAccess {
            span: *span,
            tensor: &name,
            shape: &Shape { dims: self.typed.memories.shape(*memory) },
            indexed: &Indexed::Index { position: *position, of: name.clone() },
            bound: extent,
            advice: Advice::Lengths,
            select: None,
            remedy: verdict.obligation().map(|fact| self.evaluator.remedy(vec![fact.clone()])),
        };
        match verdict {
            Verdict::Proven { .. } => Some(()),
            Verdict::Refuted { counterexample, .. } => {
                let (reached, at) = match &counterexample.kind {
                    CounterexampleKind::OutOfBounds { upper, lower, .. } if !lower.is_empty() => {
                        (lower.first().copied(), Some(LeavesAt::Point(upper)))
                    }
                    _ => (None, None),
                };
                let found = Leaves { reached, at, sizes: &counterexample.sizes };
                self.report(diagnostics::out_of_bounds(access, &found))
            }
            Verdict::Open { reason, deeper, .. } => {
                self.report(diagnostics::bounds_unproven(access, &Unshown::Open { reason, deeper }))
            }
        }
    }

    /// Proves that an index or an element is in `0..bound`, as a whole or in every case.
    fn below(&mut self, below: &Below, record: &AccessRecord) -> Option<()> {
        let whole = [Arc::clone(&below.composed)];
        let is_whole = below.cases.is_empty() || self.is_inside(below, &below.composed);
        let cases = if is_whole { whole.as_slice() } else { below.cases.as_slice() };
        cases.iter().try_for_each(|case| self.below_in(below, (case, cases), record))
    }

    /// The fact under which a claim is proven that failed in one of its cases: in all of them.
    fn settled(&mut self, below: &Below, cases: &[Arc<Composed>], failed: &Verdict) -> Option<Remedy> {
        let (Claim::InBounds(bound) | Claim::WithinView(bound)) = &below.claim else { return None };
        let own = failed.obligation()?.clone();
        if cases.len() == 1 {
            return Some(self.evaluator.remedy(vec![own]));
        }
        let mut others = Vec::new();
        for composed in cases.last().into_iter().chain([&below.composed]) {
            others.extend(self.stays(below, composed)?.obligation().cloned());
        }
        let budget = self.evaluator.budget().for_proofs();
        let fact = below.facts.settling([own].into_iter().chain(others), |facts| {
            let bound = std::slice::from_ref(bound);
            cases.iter().all(|case| proofs::in_bounds(&case.map, bound, facts, &budget).is_proven())
        })?;
        Some(self.evaluator.remedy(vec![fact]))
    }

    /// Whether it is proven that the lower coordinate of a claim's map stays in `0..bound`.
    fn is_inside(&self, Below { claim, facts, .. }: &Below, composed: &Composed) -> bool {
        let (Claim::InBounds(bound) | Claim::WithinView(bound)) = claim else { return false };
        let budget = self.evaluator.budget().for_proofs();
        proofs::in_bounds(&composed.map, std::slice::from_ref(bound), facts, &budget).is_proven()
    }

    /// The verdict on whether the lower coordinate of a claim's map stays in `0..bound`.
    fn stays(&mut self, Below { claim, facts, .. }: &Below, composed: &Arc<Composed>) -> Option<Verdict> {
        let (Claim::InBounds(bound) | Claim::WithinView(bound)) = claim else { return None };
        let budget = self.evaluator.budget();
        Some(self.inside.answer(&(Same::new(composed), bound.clone()), facts, || {
            proofs::in_bounds(&composed.map, std::slice::from_ref(bound), facts, &budget)
        }))
    }

    /// Whether an index of a matrix that may leave its own dimension stays inside the other one.
    fn swapped(&mut self, below: &Below, composed: &Arc<Composed>, dims: &[Sym], span: Span) -> Option<Swapped> {
        let Indexed::Index { position, .. } = &below.indexed else { return None };
        let [rows, columns] = dims else { return None };
        let (Claim::InBounds(bound) | Claim::WithinView(bound)) = &below.claim else { return None };
        let other = if *position == 0 { columns } else { rows };
        let own = if *position == 0 { rows } else { columns };
        let budget = self.evaluator.budget().for_proofs();
        let fits = |extent: &Sym| {
            let extent = std::slice::from_ref(extent);
            proofs::in_bounds(&composed.map, extent, &below.facts, &budget).is_proven()
        };
        if own != bound || other == own || !fits(other) || fits(own) {
            return None;
        }
        let tokens = self.evaluator.item.tokens(self.evaluator.db);
        let places = [span.start + 2, span.start + 4].map(|at| Span::new(at, at + 1));
        let is_plain = span.end == span.start + 6 && tokens.text(span.start as usize + 3) == ",";
        let edits = is_plain.then(|| {
            let [first, second] = places.map(|at| tokens.text(at.start as usize).into());
            vec![(places[0], second), (places[1], first)]
        });
        Some(Swapped { extent: other.clone(), dimension: 1 - *position, edits })
    }

    /// The side on which alone an index may leave its bounds.
    fn open_side(&self, below: &Below, composed: &Composed, span: Span) -> Option<OpenSide> {
        let (Claim::InBounds(bound) | Claim::WithinView(bound)) = &below.claim else { return None };
        let value = &composed.map.lower.first()?.value;
        let budget = self.evaluator.budget().for_proofs();
        let fits_if = |low: Option<Sym>, high: Option<Sym>| {
            let mut map = composed.map.clone();
            map.masks.push(Mask { value: value.clone(), low, high, reason: MaskReason::Guard });
            proofs::in_bounds(&map, std::slice::from_ref(bound), &below.facts, &budget).is_proven()
        };
        if fits_if(Some(Sym::zero()), None) {
            let tokens = self.evaluator.item.tokens(self.evaluator.db);
            let is_remainder = (span.start..span.end).any(|token| tokens.text(token as usize) == "%");
            return Some(OpenSide::Negative { is_remainder });
        }
        fits_if(None, Some(bound.clone())).then_some(OpenSide::Beyond)
    }

    /// Proves that the lower coordinate of a map, one of some cases, is in `0..bound`; otherwise makes it an obligation at launch, or
    /// reports an error.
    fn below_in(
        &mut self,
        below: &Below,
        (composed, cases): (&Arc<Composed>, &[Arc<Composed>]),
        record: &AccessRecord,
    ) -> Option<()> {
        let Below { claim, indexed, advice, .. } = below;
        let Composed { map, exact, .. } = &**composed;
        let (Claim::InBounds(bound) | Claim::WithinView(bound)) = claim else { return None };
        let (memory, span) = (record.memory, record.span);
        let verdict = self.stays(below, composed)?;
        if verdict.is_proven() {
            return Some(());
        }
        let at_points = self.at_points(below, record);
        if let Some(AtPoints::Inside) = at_points {
            return Some(());
        }
        let name = self.typed.memories.name(memory);
        let shape = Shape { dims: self.typed.memories.shape(memory) };
        let swapped = self.swapped(below, composed, &shape.dims, span);
        let remedy = if swapped.is_some() { None } else { self.settled(below, cases, &verdict) };
        self.proven.settling.extend(remedy.as_ref().map(|remedy| (span, remedy.facts.clone())));
        let (advice, select) = (*advice, record.select.as_ref());
        let access = UnsafeAccess { span, tensor: &name, shape: &shape, indexed, bound, advice, select, remedy };
        if let Some(AtPoints::Leaves(executor, index)) = at_points {
            let sizes = BTreeMap::new();
            let found = Leaves { reached: Some(index), at: Some(LeavesAt::Thread(executor)), sizes: &sizes };
            return self.report(diagnostics::out_of_bounds(access, &found));
        }
        match verdict {
            Verdict::Proven { .. } => Some(()),
            Verdict::Refuted { counterexample, .. } if *exact => {
                let (reached, at) = match &counterexample.kind {
                    CounterexampleKind::OutOfBounds { upper, lower, .. } => (
                        lower.first().copied(),
                        Some(LeavesAt::Thread(
                            executor(composed, upper, &counterexample.sizes).for_block(record.of_block),
                        )),
                    ),
                    _ => (None, None),
                };
                self.note_refuted(memory, map, &counterexample, span);
                let found = Leaves { reached, at, sizes: &counterexample.sizes };
                let found = diagnostics::out_of_bounds(access, &found);
                self.report(match swapped {
                    Some(swapped) => diagnostics::swapped(found, swapped),
                    None => found,
                })
            }
            Verdict::Refuted { .. } => {
                let side = || self.open_side(below, composed, span);
                let why = if composed.of_data { Unshown::Data(side()) } else { Unshown::Formula };
                let why = below.doubt.map_or(why, Unshown::Doubt);
                self.report(diagnostics::bounds_unproven(access, &why))
            }
            Verdict::Open { reason, deeper, .. } => {
                let sizes_decide = !map.symbols().is_empty() || bound.as_constant().is_none();
                // Claims that a deeper search might prove are checked at launch, where there is more time. What stays open there is
                // tested in each thread, which only generated code for tensors does.
                let is_asked = sizes_decide || deeper && memory.param().is_some();
                if !*exact || !is_asked {
                    // Where nothing bounds a part of the index, no search will find what does.
                    let is_endless = !*exact && map.upper.iter().any(|axis| axis.extent.is_none());
                    let unshown = if is_endless {
                        Unshown::Data(self.open_side(below, composed, span))
                    } else {
                        Unshown::Open { reason, deeper }
                    };
                    let why = below.doubt.map_or(unshown, Unshown::Doubt);
                    return self.report(diagnostics::bounds_unproven(access, &why));
                }
                let found = diagnostics::out_of_bounds_open(access, sizes_decide, deeper);
                // The index and the element are two claims about one access, and give one diagnostic.
                self.proven.diagnostics.push_once_here(found);
                self.proven.obligations.push(Obligation {
                    memory,
                    map: Arc::new(map.clone()),
                    claim: claim.clone(),
                    span,
                });
                Some(())
            }
        }
    }
}
