//! Going through every point: the last resort for maps with known sizes, and exact.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::ControlFlow;

use super::{Budget, CounterexampleKind, Verdict, check};
use crate::dims::Sym;
use crate::maps::owners::ThreadNumbers;
use crate::maps::{Chunk, CompiledMap, Domain, IndexMap, MapError};

/// Slots that a table may have: what is allocated at once.
const MOST_SLOTS: u128 = 1 << 31;
/// The same for a table of threads, four bytes a slot.
const MOST_OWNED_SLOTS: u128 = 1 << 28;
/// Points whose slots are kept in a map, where the slots are too far apart for a table.
const MOST_SCATTERED: u128 = 1 << 17;

/// The map with an end for every coordinate, and whether one had to be made up: what holds at some points only
/// can refute a claim about all points, not prove it.
pub(super) fn bounded(map: &IndexMap, end: i64) -> (Cow<'_, IndexMap>, bool) {
    let mut map = Cow::Borrowed(map);
    let mut cut = false;
    while let Err(MapError::Unbounded { axis }) = CompiledMap::new(&map, Domain::Tight) {
        match map.to_mut().upper.get_mut(axis) {
            Some(upper) => upper.extent = Some(Sym::constant(end)),
            None => break,
        }
        cut = true;
    }
    (map, cut)
}

/// Numbers the lower coordinates that a map can reach.
struct Slots {
    /// For each lower coordinate its smallest value and what one step counts.
    axes: Vec<(i64, i64)>,
    count: u128,
}

impl Slots {
    fn new(ranges: &[(i64, i64)], limit: u128) -> Option<Slots> {
        let mut axes = Vec::with_capacity(ranges.len());
        let mut count: u128 = 1;
        for (low, high) in ranges {
            let step = i64::try_from(count).ok()?;
            axes.push((*low, step));
            let length = u128::try_from(i128::from(*high) - i128::from(*low) + 1).ok()?;
            count = count.checked_mul(length).filter(|count| *count <= limit)?;
        }
        Some(Slots { axes, count })
    }

    /// Writes the numbers of the slots of a chunk.
    fn of(&self, chunk: &Chunk<'_>, numbers: &mut Vec<usize>) {
        numbers.clear();
        numbers.resize(chunk.length, 0);
        for (axis, (low, step)) in self.axes.iter().enumerate() {
            for (number, value) in numbers.iter_mut().zip(chunk.lower(axis)) {
                *number = number.wrapping_add(value.wrapping_sub(*low).wrapping_mul(*step) as usize);
            }
        }
    }
}

/// One bit for each slot.
struct Bits(Vec<u64>);

impl Bits {
    fn new(count: u128) -> Bits {
        Bits(vec![0; usize::try_from(count.div_ceil(64)).unwrap_or(0)])
    }

    /// Sets a bit; whether it was set before.
    #[inline(always)]
    fn set(&mut self, slot: usize) -> bool {
        let Some(word) = self.0.get_mut(slot / 64) else {
            return false;
        };
        let bit = 1u64 << (slot % 64);
        let before = *word & bit != 0;
        *word |= bit;
        before
    }

    fn first_clear(&self, count: u128) -> Option<u128> {
        let word = self.0.iter().position(|word| *word != u64::MAX)?;
        let slot = word as u128 * 64 + u128::from(self.0.get(word)?.trailing_ones());
        (slot < count).then_some(slot)
    }
}

fn give_up(error: &MapError) -> Verdict {
    Verdict::open(format!("the points of the map cannot be gone through: {error}"))
}

fn too_many(compiled: &CompiledMap, budget: &Budget<'_>) -> Option<Verdict> {
    (compiled.points() > u128::from(budget.points))
        .then(|| Verdict::open(format!("the map has more than {} points, too many to try each", budget.points)))
}

fn every_point(compiled: &CompiledMap) -> String {
    format!("each of the {} points was tried", compiled.points())
}

/// Looks for two points of one slot; with `race`, of different threads.
pub(super) fn collision(map: &IndexMap, race: bool, budget: &Budget<'_>) -> Verdict {
    let (map, cut) = bounded(map, 64);
    let map = map.as_ref();
    let verdict = collision_in(map, race, budget).unwrap_or_else(|error| give_up(&error));
    if cut && verdict.is_proven() {
        return Verdict::open("a coordinate has no upper end");
    }
    verdict
}

fn collision_in(map: &IndexMap, race: bool, budget: &Budget<'_>) -> Result<Verdict, MapError> {
    let compiled = CompiledMap::new(map, Domain::Tight)?;
    let Some(ranges) = compiled.lower_ranges() else {
        return Ok(Verdict::proven("there are no points"));
    };
    if let Some(open) = too_many(&compiled, budget) {
        return Ok(open);
    }
    let threads = ThreadNumbers::new(&compiled)?;
    let limit = if race { MOST_OWNED_SLOTS } else { MOST_SLOTS };
    // A table much longer than the walk costs more than the walk.
    let limit = limit.min(compiled.points().saturating_mul(64).max(1 << 16));
    let hit = match Slots::new(&ranges, limit) {
        Some(slots) if race => walk_owned(&compiled, &threads, &slots, budget)?,
        Some(slots) => walk_bits(&compiled, &slots, budget)?,
        None if compiled.points() <= MOST_SCATTERED => walk_scattered(&compiled, &threads, race, budget)?,
        None => return Ok(Verdict::open("the slots are too far apart for a table")),
    };
    let Some(second) = hit else {
        return Ok(Verdict::proven(every_point(&compiled)));
    };
    let second = compiled.coordinates(u128::from(second));
    let open = || Verdict::open("a collision was found and could not be confirmed");
    let Some(lower) = check::valid_lower(map, &second) else {
        return Ok(open());
    };
    let mut found = None;
    compiled.visit(budget.cancelled, |chunk| {
        for lane in 0..chunk.length {
            let here = |(axis, value): (usize, &i64)| chunk.lower(axis).get(lane) == Some(value);
            if chunk.valid().get(lane) == Some(&true) && lower.iter().enumerate().all(here) {
                let first = compiled.coordinates(u128::from(chunk.first) + lane as u128);
                found = check::collision(map, first, second.clone(), race);
                if found.is_some() {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(found.unwrap_or_else(open))
}

/// The number of the first point whose slot was reached before.
fn walk_bits(compiled: &CompiledMap, slots: &Slots, budget: &Budget<'_>) -> Result<Option<u64>, MapError> {
    let mut seen = Bits::new(slots.count);
    let (mut numbers, mut hit) = (Vec::new(), None);
    let always_valid = compiled.always_valid();
    compiled.visit(budget.cancelled, |chunk| {
        slots.of(chunk, &mut numbers);
        let mut twice = false;
        if always_valid {
            for slot in &numbers {
                twice |= seen.set(*slot);
            }
            if !twice {
                return ControlFlow::Continue(());
            }
            // Some point of this chunk: the table has forgotten which, so those before it are walked again.
            hit = Some(chunk.first);
            return ControlFlow::Break(());
        }
        for (lane, (slot, valid)) in numbers.iter().zip(chunk.valid()).enumerate() {
            if *valid && seen.set(*slot) {
                hit = Some(chunk.first + lane as u64);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    })?;
    let Some(chunk_with_hit) = hit.filter(|_| always_valid) else {
        return Ok(hit);
    };
    let mut seen = Bits::new(slots.count);
    let mut exact = None;
    compiled.visit(budget.cancelled, |chunk| {
        slots.of(chunk, &mut numbers);
        for (lane, slot) in numbers.iter().enumerate() {
            if seen.set(*slot) {
                exact = Some(chunk.first + lane as u64);
                return ControlFlow::Break(());
            }
        }
        if chunk.first > chunk_with_hit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(exact)
}

/// The number of the first point whose slot another thread reached before.
fn walk_owned(
    compiled: &CompiledMap,
    threads: &ThreadNumbers,
    slots: &Slots,
    budget: &Budget<'_>,
) -> Result<Option<u64>, MapError> {
    if threads.count() >= u64::from(u32::MAX) {
        return Err(MapError::TooLarge { what: "threads", limit: u64::from(u32::MAX) });
    }
    // Zero: nobody. The numbers of threads begin at one.
    let mut owner: Vec<u32> = vec![0; usize::try_from(slots.count).unwrap_or(0)];
    let (mut numbers, mut hit) = (Vec::new(), None);
    compiled.visit(budget.cancelled, |chunk| {
        slots.of(chunk, &mut numbers);
        for (lane, (slot, valid)) in numbers.iter().zip(chunk.valid()).enumerate() {
            let Some(place) = owner.get_mut(*slot).filter(|_| *valid) else {
                continue;
            };
            let thread = threads.of(chunk, lane) as u32 + 1;
            if *place != 0 && *place != thread {
                hit = Some(chunk.first + lane as u64);
                return ControlFlow::Break(());
            }
            *place = thread;
        }
        ControlFlow::Continue(())
    })?;
    Ok(hit)
}

/// The same with a map instead of a table, for slots that are far apart.
fn walk_scattered(
    compiled: &CompiledMap,
    threads: &ThreadNumbers,
    race: bool,
    budget: &Budget<'_>,
) -> Result<Option<u64>, MapError> {
    let mut owner: HashMap<Vec<i64>, u64> = HashMap::new();
    let mut hit = None;
    let rank = compiled.lower_rank();
    compiled.visit(budget.cancelled, |chunk| {
        for lane in 0..chunk.length {
            if chunk.valid().get(lane) != Some(&true) {
                continue;
            }
            let key: Vec<i64> = (0..rank).filter_map(|axis| chunk.lower(axis).get(lane).copied()).collect();
            let thread = threads.of(chunk, lane);
            if owner.insert(key, thread).is_some_and(|before| !race || before != thread) {
                hit = Some(chunk.first + lane as u64);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(hit)
}

/// Looks for a valid point that leaves `0..bound`.
pub(super) fn bounds(map: &IndexMap, bounds: &[i64], budget: &Budget<'_>) -> Verdict {
    let walk = || -> Result<Verdict, MapError> {
        let compiled = CompiledMap::new(map, Domain::Tight)?;
        if let Some(open) = too_many(&compiled, budget) {
            return Ok(open);
        }
        let mut hit = None;
        compiled.visit(budget.cancelled, |chunk| {
            for (axis, bound) in bounds.iter().enumerate() {
                for (lane, (value, valid)) in chunk.lower(axis).iter().zip(chunk.valid()).enumerate() {
                    if *valid && (*value < 0 || value >= bound) {
                        hit = Some(u128::from(chunk.first) + lane as u128);
                        return ControlFlow::Break(());
                    }
                }
            }
            ControlFlow::Continue(())
        })?;
        let Some(hit) = hit else {
            return Ok(Verdict::proven(every_point(&compiled)));
        };
        let refuted = check::out_of_bounds(map, compiled.coordinates(hit), bounds);
        Ok(refuted.unwrap_or_else(|| Verdict::open("a point out of bounds could not be confirmed")))
    };
    walk().unwrap_or_else(|error| give_up(&error))
}

/// Looks for a slot in the box of ranges that no valid point reaches.
pub(super) fn covers(map: &IndexMap, ranges: &[(i64, i64)], budget: &Budget<'_>) -> Verdict {
    let walk = || -> Result<Verdict, MapError> {
        let longest = ranges.iter().map(|(low, high)| high.saturating_sub(*low)).max().unwrap_or(0);
        let (map, cut) = bounded(map, longest.max(1));
        let compiled = CompiledMap::new(&map, Domain::Tight)?;
        if let Some(open) = too_many(&compiled, budget) {
            return Ok(open);
        }
        let wanted: Vec<(i64, i64)> = ranges.iter().map(|(low, high)| (*low, high.saturating_sub(1))).collect();
        let limit = u128::from(budget.points).saturating_mul(16).min(MOST_SLOTS);
        let Some(slots) = Slots::new(&wanted, limit) else {
            return Ok(Verdict::open("there are too many slots to look at each"));
        };
        let mut seen = Bits::new(slots.count);
        let mut numbers = Vec::new();
        compiled.visit(budget.cancelled, |chunk| {
            slots.of(chunk, &mut numbers);
            for (lane, (slot, valid)) in numbers.iter().zip(chunk.valid()).enumerate() {
                let inside = |(axis, (low, high)): (usize, &(i64, i64))| {
                    chunk.lower(axis).get(lane).is_some_and(|value| low <= value && value < high)
                };
                if *valid && ranges.iter().enumerate().all(inside) {
                    seen.set(*slot);
                }
            }
            ControlFlow::Continue(())
        })?;
        let Some(mut slot) = seen.first_clear(slots.count) else {
            return Ok(Verdict::proven(every_point(&compiled)));
        };
        if cut {
            return Ok(Verdict::open("a coordinate has no upper end"));
        }
        let mut lower = Vec::with_capacity(wanted.len());
        for (low, high) in &wanted {
            let length = (i128::from(*high) - i128::from(*low) + 1).max(1) as u128;
            lower.push(low.saturating_add((slot % length) as i64));
            slot /= length;
        }
        Ok(Verdict::refuted(CounterexampleKind::Unwritten { lower }))
    };
    walk().unwrap_or_else(|error| give_up(&error))
}

/// Looks for a point where two maps with the same extents differ.
pub(super) fn equal(left: &IndexMap, right: &IndexMap, budget: &Budget<'_>) -> Verdict {
    let walk = || -> Result<Verdict, MapError> {
        let (first, second) = (CompiledMap::new(left, Domain::Extents)?, CompiledMap::new(right, Domain::Extents)?);
        if let Some(open) = too_many(&first, budget) {
            return Ok(open);
        }
        let (mut left_walk, mut right_walk) = (first.walk()?, second.walk()?);
        let mut round = 0u32;
        while let (Some(one), Some(other)) = (left_walk.next_chunk(), right_walk.next_chunk()) {
            if round.is_multiple_of(64) && (budget.cancelled)() {
                return Err(MapError::Cancelled);
            }
            round = round.wrapping_add(1);
            for (lane, (valid, also)) in one.valid().iter().zip(other.valid()).enumerate() {
                let same = |axis: usize| one.lower(axis).get(lane) == other.lower(axis).get(lane);
                if valid == also && (!valid || (0..left.lower.len()).all(same)) {
                    continue;
                }
                let upper = first.coordinates(u128::from(one.first) + lane as u128);
                let refuted = check::difference(left, right, upper);
                return Ok(refuted.unwrap_or_else(|| Verdict::open("a difference could not be confirmed")));
            }
        }
        Ok(Verdict::proven(every_point(&first)))
    };
    walk().unwrap_or_else(|error| give_up(&error))
}
