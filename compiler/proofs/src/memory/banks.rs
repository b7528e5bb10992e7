//! Bank conflicts in shared memory.
//!
//! Shared memory has 32 banks, and word `w` of 4 bytes lies in bank `w % 32`. The lanes of a warp are served together
//! if no bank has to deliver two different words; one word is broadcast to any number of lanes. Accesses of 8 bytes
//! are served half a warp at a time, those of 16 bytes a quarter.

use std::collections::BTreeMap;

use super::request::{LaneAccess, Request};
use super::warps::Lanes;
use super::worst::{Measure, Worst, worst};
use super::{Answer, ElementSize};
use crate::Budget;
use dims::{Facts, Symbol};
use maps::hardware::{BANK_WORD_BYTES, BANKS, WARP_LANES};
use maps::{IndexMap, MapError};

/// Bytes of one word from each bank.
const LAP_BYTES: i64 = BANKS * BANK_WORD_BYTES;

/// The degree of the worst bank conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankConflicts {
    /// The most words that one bank has to deliver in one phase: 1 without a conflict, 0 where nothing is accessed.
    pub degree: i64,
    /// Two lanes that conflict, if any do.
    pub conflict: Option<BankConflict>,
}

/// Two lanes of one phase that access different words of one bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankConflict {
    /// The sizes for which they conflict, where the map has symbols.
    pub sizes: BTreeMap<Symbol, i64>,
    /// The bank, `0..32`.
    pub bank: i64,
    /// One lane.
    pub first: LaneAccess,
    /// The other.
    pub second: LaneAccess,
}

/// The worst bank conflict of a map from lanes to elements of shared memory. Element 0 lies at the start of bank 0.
///
/// # Errors
/// A map with another number of lower coordinates than one, or one that cannot be cut into warps.
pub fn bank_conflicts(
    map: &IndexMap,
    lanes: &Lanes,
    element: ElementSize,
    facts: &Facts,
    budget: &Budget<'_>,
) -> Result<Answer<BankConflicts>, MapError> {
    let bytes = element.bytes();
    let phase = lanes_of_phase(bytes);
    let measure = Measure {
        // A shift by whole words only rotates the banks.
        period: (BANK_WORD_BYTES / bytes).max(1),
        lap: LAP_BYTES / bytes,
        most: phase as i64,
        cost: &|request| degree(request, bytes, phase),
    };
    let found = worst(map, lanes, &measure, facts, budget)?;
    Ok(found.map(|worst| conflicts(worst, bytes, phase)))
}

/// How many lanes are served in one phase.
fn lanes_of_phase(bytes: i64) -> usize {
    let lanes = WARP_LANES.min(BANK_WORD_BYTES * WARP_LANES / bytes.max(1));
    usize::try_from(lanes).unwrap_or(1).max(1)
}

/// The words that an element covers.
fn words(address: i64, bytes: i64) -> std::ops::RangeInclusive<i128> {
    const WORD: i128 = BANK_WORD_BYTES as i128;
    let first = i128::from(address) * i128::from(bytes);
    first.div_euclid(WORD)..=(first + i128::from(bytes) - 1).div_euclid(WORD)
}

/// The bank of a word.
fn bank_of(word: i128) -> i64 {
    word.rem_euclid(i128::from(BANKS)) as i64
}

/// The most words that one bank delivers in one phase.
fn degree(request: &Request, bytes: i64, phase: usize) -> i64 {
    request.chunks(phase).map(|lanes| degree_of_phase(lanes, bytes)).max().unwrap_or(0)
}

fn degree_of_phase(lanes: &[Option<i64>], bytes: i64) -> i64 {
    // 32 lanes of one word, or fewer lanes of several words, access at most 32 different words.
    let mut wanted = [0i128; WARP_LANES as usize];
    let mut count = 0;
    for word in lanes.iter().flatten().flat_map(|address| words(*address, bytes)) {
        if let Some(place) = wanted.get_mut(count) {
            *place = word;
            count += 1;
        }
    }
    let Some(wanted) = wanted.get_mut(..count) else { return 0 };
    wanted.sort_unstable();
    let mut of_bank = [0i64; BANKS as usize];
    let mut before = None;
    for word in wanted.iter().copied() {
        if before != Some(word)
            && let Some(words) = of_bank.get_mut(bank_of(word) as usize)
        {
            *words += 1;
        }
        before = Some(word);
    }
    of_bank.into_iter().max().unwrap_or(0)
}

fn conflicts(worst: Worst, bytes: i64, phase: usize) -> BankConflicts {
    let conflict = (worst.cost > 1).then(|| first_conflict(&worst, bytes, phase)).flatten();
    BankConflicts { degree: worst.cost, conflict }
}

/// The first two lanes that conflict in the bank that has to deliver the most words.
fn first_conflict(worst: &Worst, bytes: i64, phase: usize) -> Option<BankConflict> {
    let phases: Vec<usize> = (0..WARP_LANES as usize).step_by(phase).collect();
    for start in phases {
        let lanes = || worst.lanes.iter().filter(|lane| (start..start + phase).contains(&lane.lane));
        for bank in 0..BANKS {
            // The words of this bank that lanes access, each with the first lane that does.
            let mut wanted: Vec<(i128, &LaneAccess)> = Vec::new();
            for (lane, word) in lanes().flat_map(|lane| words(lane.address, bytes).map(move |word| (lane, word))) {
                if bank_of(word) == bank && wanted.iter().all(|(known, _)| *known != word) {
                    wanted.push((word, lane));
                }
            }
            if let (true, [(_, first), (_, second), ..]) = (wanted.len() as i64 == worst.cost, wanted.as_slice()) {
                return Some(BankConflict {
                    sizes: worst.sizes.clone(),
                    bank,
                    first: (*first).clone(),
                    second: (*second).clone(),
                });
            }
        }
    }
    None
}
