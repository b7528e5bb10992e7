//! Hints at uncoalesced accesses: those of global memory that transfer many more sectors than they use.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::claims::AccessRecord;
use super::hints::Hints;
use super::view::{Holder, View};
use crate::diagnostics::{self, WarpAccess};
use dims::{CompareOp, Fact, Facts, Sym, Symbol};
use kernel::storage::{is_dense, stored};
use kernel::typed::Memory;
use maps::hardware::VECTOR_BYTES;
use maps::{Affine, AxisRole, IndexMap, MapError, Term, TermId, UpperAxis};
use proofs::memory::{self, ElementSize, Lanes, Sectors};

/// The least ratio of transferred sectors to the necessary ones that gives a hint.
const WASTE: i64 = 2;
/// The least value of a large size.
const LARGE: i64 = 1024;
/// The number of assignments of sizes for which a hint has to hold.
const FEW: usize = 3;

impl Hints<'_> {
    /// Hints at every view, and at every direct access, for which a warp transfers far more sectors than it uses.
    pub(super) fn hint_uncoalesced(&mut self) {
        let typed = self.typed;
        let records = typed.executed();
        let mut views: Vec<&Arc<View>> = Vec::new();
        let mut maps: Vec<&IndexMap> = Vec::new();
        for record in records.filter(|record| record.memory.param().is_some() && !record.of_block) {
            self.evaluator.db.unwind_if_revision_cancelled();
            let found = match &record.view {
                Some(view) if views.iter().any(|known| Arc::ptr_eq(known, view)) => continue,
                Some(view) => {
                    views.push(view);
                    self.waste_of_view(view)
                }
                None if !record.composed.exact || maps.contains(&&record.composed.map) => continue,
                None => {
                    maps.push(&record.composed.map);
                    self.waste_of_access(record)
                }
            };
            if let Some((found, stride)) = found {
                self.hint(record, &found, stride.as_ref());
            }
        }
    }

    fn hint(&mut self, record: &AccessRecord, found: &Sectors, stride: Option<&Sym>) {
        let name = self.typed.memories.name(record.memory);
        let access = WarpAccess {
            span: record.span,
            tensor: &name,
            store: record.kind.writes(),
            found,
            stride,
            through_view: record.view.is_some(),
        };
        self.found.push(diagnostics::uncoalesced(&access));
    }

    /// The waste of a warp at the first elements that a view gives its threads. Consecutive elements of a thread count
    /// as one access, up to the widest access or if they can be loaded as vectors.
    fn waste_of_view(&mut self, view: &View) -> Option<(Sectors, Option<Sym>)> {
        if self.is_plainly_fine(view) {
            return None;
        }
        let map = view.all.clone()?;
        let map = self.stored(view.memory, map).ok()?;
        let first = self.at_first_element(&map, view.local_rank).ok()?;
        let element = self.element_size(view.memory)?;
        if self.is_fine(&first, element) {
            return None;
        }
        let (facts, budget) = (&self.evaluator.facts, self.evaluator.budget());
        let run = memory::compact_run(&map, facts).ok()?;
        let fits = |length: &i64| length.saturating_mul(element.bytes()) <= VECTOR_BYTES;
        let together = match run.length.filter(fits) {
            Some(length) => length,
            None => memory::vector_width(&map, element, facts, &budget).ok()?.width,
        };
        let mut first = first;
        if run.backwards {
            // The first element of a backward run has the highest address.
            let slot = first.lower.first_mut()?;
            slot.value = slot.value.checked_offset(&Sym::constant(1 - together)).ok()?;
        }
        self.waste(&first, element, together)
    }

    /// Whether the strides alone imply that there is no waste, which holds for nearly every view: neighbouring threads
    /// are a known distance apart, which is short or filled by elements of the thread.
    fn is_plainly_fine(&self, view: &View) -> bool {
        let (Some(slot), Some(element)) = (view.map.lower.first(), self.element_size(view.memory)) else {
            return false;
        };
        let coordinate = |axis: usize| {
            let place = u32::try_from(axis).ok().map(Term::Coordinate)?;
            let id = view.map.terms.iter().position(|term| *term == place)?;
            slot.value.coefficient(TermId(u32::try_from(id).ok()?)).and_then(Sym::as_constant)
        };
        let dense = self.typed.memories.param(view.memory).is_some_and(is_dense);
        // A coordinate that also occurs in another term has no single stride.
        let plain = view.map.terms.iter().all(|term| matches!(term, Term::Coordinate(_)));
        if !plain || !view.divided || view.holder != Holder::Thread || !dense {
            return false;
        }
        let Some(apart) = coordinate(view.local_rank).and_then(i64::checked_abs) else { return false };
        let filled = (0..view.local_rank).any(|axis| {
            let count = view.map.upper.get(axis).and_then(|axis| axis.extent.as_ref()).and_then(Sym::as_constant);
            coordinate(axis).and_then(i64::checked_abs) == Some(1) && count.is_some_and(|count| count >= apart)
        });
        apart <= WASTE || (filled && apart.saturating_mul(element.bytes()) <= VECTOR_BYTES)
    }

    fn waste_of_access(&mut self, record: &AccessRecord) -> Option<(Sectors, Option<Sym>)> {
        let map = self.stored(record.memory, record.composed.map.clone()).ok()?;
        let element = self.element_size(record.memory)?;
        if self.is_fine(&map, element) {
            return None;
        }
        let (first, together) = self.at_first_of_run(&map, element).unwrap_or((map, 1));
        self.waste(&first, element, together)
    }

    /// The map at the first iteration of a short loop that goes through neighbouring elements, `x[4 * t + u]`, and how many they
    /// are: together they are one access, as those of a view.
    fn at_first_of_run(&self, map: &IndexMap, element: ElementSize) -> Option<(IndexMap, i64)> {
        let slot = &map.lower.first()?.value;
        let length = |axis: usize| {
            let UpperAxis { extent, role } = map.upper.get(axis)?;
            let length = extent.as_ref().and_then(Sym::as_constant).filter(|_| *role == AxisRole::Local)?;
            let fits = length > 1 && length.saturating_mul(element.bytes()) <= VECTOR_BYTES;
            let own = map.terms.iter().position(|term| *term == Term::Coordinate(axis as u32))?;
            let own = TermId(u32::try_from(own).ok()?);
            // A coordinate that also occurs in another term has no single stride.
            let fits = fits && !map.terms.iter().flat_map(Term::operands).any(|form| form.coefficient(own).is_some());
            (fits && slot.coefficient(own).and_then(Sym::as_constant) == Some(1)).then_some(length)
        };
        let (run, length) = (0..map.upper.len()).find_map(|axis| Some((axis, length(axis)?)))?;
        let upper: Vec<UpperAxis> =
            map.upper.iter().enumerate().filter(|(axis, _)| *axis != run).map(|(_, axis)| axis.clone()).collect();
        let first = maps::with_coordinates(map, upper, &self.evaluator.facts, |builder| {
            let place = |axis: usize| match axis.cmp(&run) {
                Ordering::Less => builder.coordinate(axis),
                Ordering::Equal => Ok(Affine::constant(Sym::zero())),
                Ordering::Greater => builder.coordinate(axis - 1),
            };
            (0..map.upper.len()).map(place).collect()
        });
        Some((first.ok()?, length))
    }

    fn element_size(&self, memory: Memory) -> Option<ElementSize> {
        self.typed.memories.element_of(memory).map(ElementSize::from)
    }

    /// Whether no request wastes much.
    fn is_fine(&self, map: &IndexMap, element: ElementSize) -> bool {
        let (facts, budget) = (&self.evaluator.facts, self.evaluator.budget());
        let most = memory::most_sectors(map, &lanes(), element, facts, &budget);
        most.is_ok_and(|(most, ideal)| most <= WASTE * ideal)
    }

    /// The request with the most waste, if that is much, and the distance between its lanes. Symbolic sizes are assumed
    /// to be large: with rows of one element nearly every access is wasteful.
    fn waste(&self, map: &IndexMap, element: ElementSize, together: i64) -> Option<(Sectors, Option<Sym>)> {
        let budget = self.evaluator.budget();
        let mut worst: Option<Sectors> = None;
        for sizes in self.large_sizes(&map.symbols()) {
            let known = maps::specialize(map, &sizes).ok()?;
            let answer = memory::sectors(&known, &lanes(), element, together, &Facts::empty(), &budget).ok()?;
            let found = answer.seen().filter(|found| found.sectors > WASTE * found.ideal)?.clone();
            worst.get_or_insert(Sectors { sizes, ..found });
        }
        Some((worst?, memory::lane_stride(map, &lanes(), &self.evaluator.facts).ok().flatten()))
    }

    /// Several assignments of sizes, each large if the facts allow it; one empty assignment if there are no symbols.
    fn large_sizes(&self, symbols: &BTreeSet<Symbol>) -> Vec<BTreeMap<Symbol, i64>> {
        let mut facts = self.evaluator.facts.clone();
        for symbol in symbols {
            let large = Fact::compare(Sym::symbol(symbol.clone()), CompareOp::Ge, Sym::constant(LARGE));
            let mut raised = facts.clone();
            if raised.assume(large).is_ok() && raised.sample(symbols).next().is_some() {
                facts = raised;
            }
        }
        let few = if symbols.is_empty() { 1 } else { FEW };
        facts.sample(symbols).take(few).collect()
    }

    /// The map over block id and thread id alone, at the first element of each thread.
    fn at_first_element(&self, map: &IndexMap, locals: usize) -> Result<IndexMap, MapError> {
        let ids: Vec<UpperAxis> = map.upper.iter().skip(locals).cloned().collect();
        let count = ids.len();
        maps::with_coordinates(map, ids, &self.evaluator.facts, |builder| {
            let first = std::iter::repeat_n(Affine::constant(Sym::zero()), locals).map(Ok);
            let ids: Vec<_> = (0..count).map(|axis| builder.coordinate(axis)).collect();
            first.chain(ids).collect()
        })
    }

    /// The map to positions in the tensor's storage, from one to the row-major index of its elements.
    fn stored(&self, memory: Memory, map: IndexMap) -> Result<IndexMap, MapError> {
        match self.typed.memories.param(memory) {
            Some(param) => stored(param, map, &self.evaluator.facts),
            None => Ok(map),
        }
    }
}

/// The lanes of a map over block id, thread id and local coordinates. A warp is 32 threads of one block.
fn lanes() -> Lanes {
    Lanes::along(1)
}
