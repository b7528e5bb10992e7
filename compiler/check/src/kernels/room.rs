//! Whether the arrays of a block fit into its shared memory.

use super::checker::Checker;
use crate::diagnostics::{self, NoRoom};
use crate::settings;
use dims::{CompareOp, Fact, Facts, Sym};
use kernel::LaunchLimits;
use kernel::typed::{Residence, SharedArray, SharedLayout};
use maps::shapes::Shape;
use syntax::span::Span;

impl Checker<'_> {
    /// The most bytes of shared memory that a block has.
    fn shared_limit(&self) -> i64 {
        LaunchLimits::for_target(settings::target(self.evaluator.db)).shared
    }

    /// The bytes of all arrays with another one; `None` if 64 bits do not count them.
    pub(super) fn bytes_with(&self, array: &SharedArray) -> Option<Sym> {
        let arrays = self.memories.shared.iter().chain([array]);
        SharedLayout::new(arrays, &self.evaluator.facts).ok().map(|layout| layout.bytes)
    }

    /// Checks that there is room for another array, at least for some sizes.
    ///
    /// # Errors
    /// If there is none, whatever the sizes are.
    pub(super) fn room_for(&self, array: &SharedArray) -> Result<(), NoRoom> {
        let Some(total) = self.bytes_with(array) else { return Err(self.no_room(array.bytes().ok())) };
        let least = self.evaluator.facts.range(&total).lo;
        match least.filter(|least| *least > i128::from(self.shared_limit())) {
            Some(_) => Err(NoRoom { least, ..self.no_room(array.bytes().ok()) }),
            None => Ok(()),
        }
    }

    /// Why there is no room for another array of so many bytes, or of more than 64 bits count.
    pub(super) fn no_room(&self, bytes: Option<Sym>) -> NoRoom {
        let (facts, unit) = (&self.evaluator.facts, Sym::constant(SharedLayout::ALIGNMENT));
        let before = SharedLayout::new(&self.memories.shared, facts)
            .and_then(|layout| layout.bytes.cdiv(&unit, facts)?.checked_mul(&unit));
        NoRoom { bytes, before: before.unwrap_or_else(|_| Sym::zero()), least: None, limit: self.shared_limit() }
    }

    /// Assumes what holds in every launch with an array whose extents the sizes decide: each is at least 1, and the elements are no
    /// more than any GPU has room for in a block. Other launches are refused. The extents are no more either, unless a layout gives the
    /// array others than its storage has.
    pub(super) fn assume_room(&mut self, array: &SharedArray) {
        let most = LaunchLimits::for_target(None).shared / array.element.size_bytes() as i64;
        let elements = Shape { dims: array.shape.clone() }.size().ok();
        let are_stored = elements.as_ref() == Some(&array.length);
        let extents = array.shape.iter().map(|extent| (extent, are_stored));
        let all = extents.chain([(&array.length, true)]);
        for (size, is_bounded) in all.filter(|(size, _)| size.as_constant().is_none()) {
            self.found.stated_facts.get_or_insert_with(|| self.evaluator.facts.clone());
            let most = is_bounded.then_some((CompareOp::Le, most));
            for (op, bound) in [(CompareOp::Ge, 1)].into_iter().chain(most) {
                let (facts, bound) = (&mut self.evaluator.facts, Sym::constant(bound));
                if !facts.proves(size, op, &bound) {
                    // What contradicts the other facts, no launch has.
                    _ = facts.assume(Fact::compare(size.clone(), op, bound).simplified());
                }
            }
        }
    }

    /// Says which claims about arrays whose extents the sizes decide are asked at launch: that every extent is at least 1, and
    /// that all arrays together fit into the memory of a block.
    pub(super) fn hint_sizes_of_arrays(&mut self) {
        let depends = |array: &&SharedArray| array.held == Residence::Shared && array.known_length().is_none();
        let arrays: Vec<SharedArray> = self.memories.shared.iter().filter(depends).cloned().collect();
        let (Some(last), Some(stated)) = (arrays.last(), self.found.stated_facts.take()) else { return };
        for array in &arrays {
            for extent in &array.shape {
                self.hint_extent(&array.name, extent, &stated, array.span);
            }
        }
        let facts = &stated;
        let Ok(layout) = SharedLayout::new(&self.memories.shared, facts) else { return };
        let most = Sym::constant(self.shared_limit());
        if !facts.proves(&layout.bytes, CompareOp::Le, &most) {
            let fact = facts.settling_comparison(&layout.bytes, CompareOp::Le, &most);
            let remedy = fact.map(|fact| self.evaluator.remedy(vec![fact]));
            let found = diagnostics::shared_size_open(last.span, &layout.bytes, self.shared_limit(), remedy);
            self.evaluator.diagnostics.push(found);
        }
    }

    fn hint_extent(&mut self, name: &str, extent: &Sym, facts: &Facts, span: Span) {
        if facts.proves(extent, CompareOp::Ge, &Sym::one()) {
            return;
        }
        let fact = facts.settling_comparison(extent, CompareOp::Ge, &Sym::one());
        let remedy = fact.map(|fact| self.evaluator.remedy(vec![fact]));
        let found = diagnostics::shared_extent_open(span, name, extent, remedy);
        self.evaluator.diagnostics.push(found);
    }
}
