//! Decides how each barrier region is lowered: as one call for all threads, or one thread after the other.

use kernel::loops::ValueId;
use kernel::typed::SharedId;
use rustc_hash::FxHashSet;

use super::fills::{Fill, fills};
use super::in_place::arrays_in_place;
use super::lane_sums::{LaneSums, lane_sums};
use super::merged_loops::merged_loops;
use super::places::InPlace;
use super::products::{TileRegion, each_region, tile_region};
use super::tile_copies::{TileCopy, tile_copy};
use crate::cpu::indices::forms::Forms;
use crate::cpu::phases::phase::{Phase, Region};

/// How a barrier region is lowered.
pub enum Work<'l> {
    /// The threads copy a tile.
    Copy(TileCopy<'l>),
    /// The threads copy tiles, each to another array, and perhaps only one as a call does.
    Fill(Vec<Fill<'l>>, Option<TileCopy<'l>>),
    /// The threads add up products.
    Products(Box<TileRegion<'l>>),
    /// The threads add up lanes.
    Lanes(LaneSums),
    /// Each thread runs the steps.
    Threads,
}

/// How the barrier regions of a kernel are lowered.
pub struct Works<'l> {
    by_region: Vec<Work<'l>>,
    /// The arrays of which a tile may be read where it was copied from.
    pub in_place: Vec<InPlace>,
    /// The loops that are one call, by their iterators.
    merged: FxHashSet<ValueId>,
}

impl<'l> Works<'l> {
    /// Decides it for blocks of this many threads. Where their number is unknown, or each access is checked, every thread
    /// runs its steps.
    pub fn new(forms: &mut Forms<'l>, phases: &'l [Phase], threads: Option<i64>) -> Works<'l> {
        let mut by_region = Vec::new();
        each_region(phases, &mut |region| {
            let work = threads.map_or(Work::Threads, |threads| work(forms, region, threads));
            by_region.resize_with(by_region.len().max(region.number + 1), || Work::Threads);
            by_region[region.number] = work;
        });
        let in_place = arrays_in_place(forms, phases, &by_region);
        let mut works = Works { by_region, in_place, merged: FxHashSet::default() };
        works.merged = merged_loops(forms, phases, &works);
        works
    }

    /// Whether the products of all iterations of a loop are added in one call.
    pub fn is_merged(&self, iterator: ValueId) -> bool {
        self.merged.contains(&iterator)
    }

    /// The array of a tile that may be read where it is.
    pub fn in_place(&self, array: SharedId) -> Option<&InPlace> {
        self.in_place.iter().find(|in_place| in_place.array == array)
    }

    /// How each region is lowered.
    pub fn all(&self) -> impl Iterator<Item = &Work<'l>> {
        self.by_region.iter()
    }

    /// How a region is lowered.
    pub fn for_region(&self, region: &Region) -> &Work<'l> {
        self.by_region.get(region.number).unwrap_or(&Work::Threads)
    }
}

fn work<'l>(forms: &mut Forms<'l>, region: &'l Region, threads: i64) -> Work<'l> {
    forms.take(&region.taken);
    let copy = tile_copy(forms, region, threads);
    let has_edges = copy.as_ref().is_some_and(|copy| !copy.limits.is_empty());
    match (fills(forms, region, threads).filter(|_| !has_edges), copy) {
        (Some(fills), copy) => return Work::Fill(fills, copy),
        (None, Some(copy)) => return Work::Copy(copy),
        (None, None) => {}
    }
    if let Some(sums) = lane_sums(forms, region) {
        return Work::Lanes(sums);
    }
    tile_region(forms, region, threads).map_or(Work::Threads, |region| Work::Products(Box::new(region)))
}

#[cfg(test)]
mod tests;
