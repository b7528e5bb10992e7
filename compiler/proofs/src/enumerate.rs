//! Enumeration of every point: exact, and the last resort for maps with known sizes.

use std::borrow::Cow;
use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::first_points::first_points;
use super::tables::{Bits, Slots};
use super::{Budget, CounterexampleKind, Found, Reason, Rule, Verdict, check};
use dims::Sym;
use maps::owners::ThreadNumbers;
use maps::{CompiledMap, Domain, IndexMap, MapError};

/// The most slots of a bit table, which is allocated at once.
const MOST_SLOTS: u128 = 1 << 31;
/// The most slots of a table of threads, at four bytes a slot.
const MOST_OWNED_SLOTS: u128 = 1 << 28;
/// The most points whose slots are kept in a hash map, where the slots are too far apart for a table.
const MOST_SCATTERED: u128 = 1 << 17;

/// The map with a bound for every coordinate, and whether one had to be made up: then the points are not all, and can
/// refute a claim but not prove it.
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

fn give_up(error: MapError) -> Verdict {
    Verdict::open(Reason::NotEnumerable(error))
}

fn too_many(compiled: &CompiledMap, budget: &Budget<'_>) -> Option<Verdict> {
    (compiled.points() > u128::from(budget.points)).then(|| {
        let reason = Reason::TooManyPoints { limit: budget.points };
        Verdict::cut_short(reason, compiled.points() <= u128::from(budget.more_points))
    })
}

fn every_point(compiled: &CompiledMap) -> Verdict {
    Verdict::Proven { rule: Rule::EveryPoint(compiled.points()) }
}

/// Searches for two points of one slot; with `race`, of different threads.
pub(super) fn collision(map: &IndexMap, race: bool, budget: &Budget<'_>) -> Verdict {
    let (map, cut) = bounded(map, 64);
    let map = map.as_ref();
    let verdict = collision_in(map, race, budget).unwrap_or_else(give_up);
    if matches!(verdict, Verdict::Open { .. })
        && let Some(part) = first_points(map, budget.points)
        && let Ok(refuted @ Verdict::Refuted { .. }) = collision_in(&part, race, budget)
    {
        return refuted;
    }
    if cut && verdict.is_proven() {
        return Verdict::open(Reason::NoUpperEnd);
    }
    verdict
}

fn collision_in(map: &IndexMap, race: bool, budget: &Budget<'_>) -> Result<Verdict, MapError> {
    let compiled = CompiledMap::new(map, Domain::Tight)?;
    let Some(ranges) = compiled.lower_ranges() else {
        return Ok(Verdict::Proven { rule: Rule::NoPoints });
    };
    if let Some(open) = too_many(&compiled, budget) {
        return Ok(open);
    }
    let threads = ThreadNumbers::new(&compiled)?;
    // A table much longer than the number of points costs more than the enumeration.
    let limit = MOST_SLOTS.min(compiled.points().saturating_mul(64).max(1 << 16));
    let hit = match Slots::new(&ranges, limit) {
        Some(slots) => {
            // If no slot is reached twice there is no race either, and one bit per slot shows that.
            let twice = walk_bits(&compiled, &slots, budget)?;
            if twice.is_none() || !race {
                twice
            } else if slots.count > MOST_OWNED_SLOTS {
                return Ok(Verdict::open(Reason::TooManyOwnedSlots));
            } else {
                walk_owned(&compiled, &threads, &slots, budget)?
            }
        }
        None if compiled.points() <= MOST_SCATTERED => walk_scattered(&compiled, &threads, race, budget)?,
        None => return Ok(Verdict::open(Reason::ScatteredSlots)),
    };
    let Some(second) = hit else {
        return Ok(every_point(&compiled));
    };
    let second = compiled.coordinates(u128::from(second));
    let open = || Verdict::open(Reason::Unconfirmed(Found::Collision));
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
        slots.write_numbers(chunk, &mut numbers);
        if !always_valid {
            let mut valid = chunk.valid().iter();
            numbers.retain(|_| valid.next() == Some(&true));
        }
        if !seen.set_all(&numbers) {
            return ControlFlow::Continue(());
        }
        hit = Some(chunk.first);
        ControlFlow::Break(())
    })?;
    let Some(chunk_with_hit) = hit else {
        return Ok(None);
    };
    // The collision is in that chunk. The table does not tell which point, so everything up to it is enumerated
    // again, point by point.
    seen.clear();
    let mut exact = None;
    compiled.visit(budget.cancelled, |chunk| {
        slots.write_numbers(chunk, &mut numbers);
        for (lane, (slot, valid)) in numbers.iter().zip(chunk.valid()).enumerate() {
            if *valid && seen.set(*slot) {
                exact = Some(chunk.first + lane as u64);
                return ControlFlow::Break(());
            }
        }
        if chunk.first >= chunk_with_hit {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
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
    // Zero is no thread, so thread numbers are stored plus one.
    let mut owner: Vec<u32> = vec![0; usize::try_from(slots.count).unwrap_or(0)];
    let (mut numbers, mut hit) = (Vec::new(), None);
    compiled.visit(budget.cancelled, |chunk| {
        slots.write_numbers(chunk, &mut numbers);
        for (lane, (slot, valid)) in numbers.iter().zip(chunk.valid()).enumerate() {
            let Some(place) = owner.get_mut(*slot).filter(|_| *valid) else {
                continue;
            };
            let thread = threads.number(chunk, lane) as u32 + 1;
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

/// The same with a hash map instead of a table, for slots that are far apart.
fn walk_scattered(
    compiled: &CompiledMap,
    threads: &ThreadNumbers,
    race: bool,
    budget: &Budget<'_>,
) -> Result<Option<u64>, MapError> {
    let mut owner: FxHashMap<Vec<i64>, u64> = FxHashMap::default();
    let mut hit = None;
    let rank = compiled.lower_rank();
    compiled.visit(budget.cancelled, |chunk| {
        for lane in 0..chunk.length {
            if chunk.valid().get(lane) != Some(&true) {
                continue;
            }
            let key: Vec<i64> = (0..rank).filter_map(|axis| chunk.lower(axis).get(lane).copied()).collect();
            let thread = threads.number(chunk, lane);
            if owner.insert(key, thread).is_some_and(|before| !race || before != thread) {
                hit = Some(chunk.first + lane as u64);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(hit)
}

/// Searches for a valid point that leaves `0..bound`.
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
            return Ok(every_point(&compiled));
        };
        let refuted = check::out_of_bounds(map, compiled.coordinates(hit), bounds);
        Ok(refuted.unwrap_or_else(|| Verdict::open(Reason::Unconfirmed(Found::OutOfBounds))))
    };
    walk().unwrap_or_else(give_up)
}

/// Searches for a slot in the box of ranges that no valid point reaches.
pub(super) fn covers(map: &IndexMap, ranges: &[(i64, i64)], budget: &Budget<'_>) -> Verdict {
    let walk = || -> Result<Verdict, MapError> {
        let longest = ranges.iter().map(|(low, high)| high.saturating_sub(*low)).max().unwrap_or(0);
        let (map, cut) = bounded(map, longest.max(1));
        let compiled = CompiledMap::new(&map, Domain::Tight)?;
        if let Some(open) = too_many(&compiled, budget) {
            return Ok(open);
        }
        // With more slots than points, one of the first `points + 1` slots is unreached.
        let most = i64::try_from(compiled.points()).unwrap_or(i64::MAX).saturating_add(1);
        let window: Vec<(i64, i64)> = match ranges {
            [(low, high)] => vec![(*low, (*high).min(low.saturating_add(most)))],
            _ => ranges.to_vec(),
        };
        let ranges = window.as_slice();
        let wanted: Vec<(i64, i64)> = ranges.iter().map(|(low, high)| (*low, high.saturating_sub(1))).collect();
        let limit = |points: u64| u128::from(points).saturating_mul(16).min(MOST_SLOTS);
        let Some(slots) = Slots::new(&wanted, limit(budget.points)) else {
            let deeper = Slots::new(&wanted, limit(budget.more_points)).is_some();
            return Ok(Verdict::cut_short(Reason::TooManySlots, deeper));
        };
        let mut seen = Bits::new(slots.count);
        let mut numbers = Vec::new();
        compiled.visit(budget.cancelled, |chunk| {
            slots.write_numbers(chunk, &mut numbers);
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
            return Ok(every_point(&compiled));
        };
        if cut {
            return Ok(Verdict::open(Reason::NoUpperEnd));
        }
        let mut lower = Vec::with_capacity(wanted.len());
        for (low, high) in &wanted {
            let length = (i128::from(*high) - i128::from(*low) + 1).max(1) as u128;
            lower.push(low.saturating_add((slot % length) as i64));
            slot /= length;
        }
        Ok(Verdict::refuted(CounterexampleKind::Unwritten { lower }))
    };
    walk().unwrap_or_else(give_up)
}

/// Searches for a point where two maps with the same extents differ.
pub(super) fn equal(left: &IndexMap, right: &IndexMap, budget: &Budget<'_>) -> Verdict {
    let walk = || -> Result<Verdict, MapError> {
        let (left, right, cut) = with_common_ends(left, right)?;
        let first = CompiledMap::new(&left, Domain::Extents)?;
        let second = CompiledMap::new(&right, Domain::Extents)?;
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
                let refuted = check::difference(&left, &right, upper);
                return Ok(refuted.unwrap_or_else(|| Verdict::open(Reason::Unconfirmed(Found::Difference))));
            }
        }
        if cut {
            return Ok(Verdict::open(Reason::NoUpperEnd));
        }
        Ok(every_point(&first))
    };
    walk().unwrap_or_else(give_up)
}

/// Both maps with a common bound for each unbounded coordinate, beyond which the masks make both invalid; and whether
/// a bound had to be made up.
fn with_common_ends(left: &IndexMap, right: &IndexMap) -> Result<(IndexMap, IndexMap, bool), MapError> {
    let ((left, cut), (right, also)) = (bounded(left, 64), bounded(right, 64));
    let (mut left, mut right) = (left.into_owned(), right.into_owned());
    let (first, second) = (CompiledMap::new(&left, Domain::Extents)?, CompiledMap::new(&right, Domain::Extents)?);
    let ends: Vec<(i64, i64)> = first.ends().zip(second.ends()).collect();
    for (axes, (one, other)) in left.upper.iter_mut().zip(&mut right.upper).zip(ends) {
        if axes.0.extent.is_none() || axes.1.extent.is_none() || cut || also {
            let end = Some(Sym::constant(one.max(other)));
            (axes.0.extent, axes.1.extent) = (end.clone(), end);
        }
    }
    Ok((left, right, cut || also))
}
