//! Accesses whose index determines who executes them, although the elements are reached in a way that no map states: blocks in
//! an order of their own, `i = first + p % width % rows`.
//!
//! Such an index belongs to one thread, or a tile to one block. So do the elements, if the view reaches each of them at one
//! index only.

use std::sync::Arc;

use super::checker::Checker;
use super::claims::{AccessRecord, Owner, TileAccess};
use super::prover::Prover;
use super::raised::Composed;
use super::view::View;
use kernel::raise::ValueId;
use kernel::typed::Expr;

impl Checker<'_> {
    /// The owner of an access at these coordinates of the program, if its map does not say who reaches which elements, but the
    /// index determines it.
    pub(super) fn owner(&mut self, view: &View, coordinates: &[ValueId], composed: &Composed) -> Option<Owner> {
        if composed.exact || !self.is_mutable(view.memory) {
            return None;
        }
        let for_block = self.tiles.is_for_block();
        let (index, tile, divided) = match self.tiles.accessed_tile().cloned() {
            Some(TileAccess { index, extents, divided }) => (index, Some(extents), divided),
            None if self.tiles.transfer.is_some() => return None,
            None => (coordinates.to_vec(), None, Arc::new(view.clone())),
        };
        if !divided.bound.is_empty() {
            return None;
        }
        let mut wanted = vec![self.raiser.value(&Expr::block_id())];
        wanted.extend((!for_block).then(|| self.raiser.value(&Expr::thread_id())));
        let map = (!divided.whole).then(|| Arc::clone(&divided.map));
        let basis = self.raiser.basis(&index, &wanted, &[])?;
        Some(Owner { index, tile, for_block, map, basis })
    }
}

impl Prover<'_> {
    /// Whether two accesses are at one index, which determines who executes them.
    pub(super) fn have_one_owner(&mut self, [one, other]: [&AccessRecord; 2]) -> bool {
        let Some(owner) = one.owner.as_ref().filter(|owner| other.owner.as_ref() == Some(*owner)) else { return false };
        owner.map.as_ref().is_none_or(|map| self.is_injective(map))
    }
}
