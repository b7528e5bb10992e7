//! Values that stand in an array of the block from their load until their last use, so that they need not be kept in another one.

use std::collections::{BTreeMap, BTreeSet};

use kernel::loops::{AccessId, Loops, Node, ValueId};
use kernel::typed::Memory;
use rustc_hash::FxHashMap;

use super::uses::Uses;

/// The loads of those of some values that can be loaded again wherever they are used: no region writes their array, from the one
/// that names them to the last one that uses them, and their places can be computed anywhere.
pub fn standing(loops: &Loops<'_>, regions: &[Uses], carried: &BTreeSet<ValueId>) -> FxHashMap<ValueId, AccessId> {
    let mut spans: FxHashMap<ValueId, (usize, usize)> = FxHashMap::default();
    let mut writers: BTreeMap<Memory, BTreeSet<usize>> = BTreeMap::new();
    for (number, region) in regions.iter().enumerate() {
        for (value, _) in &region.defined {
            spans.entry(*value).or_insert((number, number));
        }
        for value in region.guard.iter().chain(&region.body) {
            if let Some((_, last)) = spans.get_mut(value) {
                *last = number;
            }
        }
        for memory in &region.written {
            writers.entry(*memory).or_default().insert(number);
        }
    }
    let stands = |value: &ValueId| {
        let Some(Node::Load(id)) = loops.values.node(*value) else { return None };
        let (first, last) = *spans.get(value)?;
        let access = loops.access(*id)?;
        let is_written = writers.get(&access.memory).is_some_and(|all| all.range(first..=last).next().is_some());
        let is_plain = matches!(access.memory, Memory::Shared(_)) && access.mask.is_none();
        let is_lasting = loops.values.get(access.offset).is_some_and(|offset| offset.is_lasting);
        (is_plain && is_lasting && !is_written).then_some((*value, *id))
    };
    carried.iter().filter_map(stands).collect()
}
