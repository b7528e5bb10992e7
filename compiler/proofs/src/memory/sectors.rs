//! The sectors of global memory that a warp touches.
//!
//! Global memory is transferred in sectors of 32 bytes; four sectors form a cache line. The cost of one request of a
//! warp is the number of different sectors that its lanes touch, however much they use of each.

use std::collections::BTreeMap;

use super::request::{LaneAccess, Request};
use super::warps::Lanes;
use super::worst::{Measure, Worst, most, worst};
use super::{Answer, ElementSize};
use crate::Budget;
use dims::{Facts, Symbol};
use maps::hardware::{LINE_BYTES, SECTOR_BYTES, WARP_LANES};
use maps::{IndexMap, MapError};

/// The most elements per lane in one question.
const LONGEST_RUN: i64 = 4096;

/// The sectors of the worst request of a warp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sectors {
    /// Different sectors.
    pub sectors: i64,
    /// The number of sectors if the same lanes accessed contiguous elements from the start of a sector.
    pub ideal: i64,
    /// Different lines.
    pub lines: i64,
    /// The sizes for which the request occurs, where the map has symbols.
    pub sizes: BTreeMap<Symbol, i64>,
    /// The active lanes of the request.
    pub lanes: Vec<LaneAccess>,
}

/// The most sectors that a request of a warp touches, where each lane accesses `run` contiguous elements and element
/// 0 lies at a multiple of 256 bytes.
///
/// # Errors
/// A map with another number of lower coordinates than one, or one that cannot be split into warps; a run that is
/// empty or longer than 4096 elements.
pub fn sectors(
    map: &IndexMap,
    lanes: &Lanes,
    element: ElementSize,
    run: i64,
    facts: &Facts,
    budget: &Budget<'_>,
) -> Result<Answer<Sectors>, MapError> {
    let bytes = element.bytes();
    if run < 1 {
        return Err(MapError::NotPositive { what: "the number of elements of a lane", value: run });
    }
    if run > LONGEST_RUN {
        return Err(MapError::TooLarge { what: "elements of a lane", limit: LONGEST_RUN as u64 });
    }
    let cost = |request: &Request| touched(request, bytes, run, SECTOR_BYTES);
    let measure = measure(bytes, run, &cost);
    let found = worst(map, lanes, &measure, facts, budget)?;
    Ok(found.map(|worst| of_worst(worst, bytes, run)))
}

/// A cheap upper bound on the sectors that a request of a warp touches, and the ideal number for a whole warp.
///
/// # Errors
/// As for [`sectors`].
pub fn most_sectors(
    map: &IndexMap,
    lanes: &Lanes,
    element: ElementSize,
    facts: &Facts,
    budget: &Budget<'_>,
) -> Result<(i64, i64), MapError> {
    let bytes = element.bytes();
    let cost = |request: &Request| touched(request, bytes, 1, SECTOR_BYTES);
    let measure = measure(bytes, 1, &cost);
    let (most, lanes) = most(map, lanes, &measure, facts, budget)?;
    Ok((most, ideal(lanes, bytes)))
}

fn measure(bytes: i64, run: i64, cost: &dyn Fn(&Request) -> i64) -> Measure<'_> {
    // A lane that starts at the last element of a sector touches the most sectors.
    let of_lane = (SECTOR_BYTES - bytes + run * bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
    Measure { period: SECTOR_BYTES / bytes, lap: SECTOR_BYTES / bytes, most: WARP_LANES * of_lane, cost }
}

fn ideal(lanes: usize, bytes: i64) -> i64 {
    (lanes as i64 * bytes + SECTOR_BYTES - 1) / SECTOR_BYTES
}

fn of_worst(worst: Worst, bytes: i64, run: i64) -> Sectors {
    let request = super::request::request(&worst.lanes);
    Sectors {
        sectors: worst.cost,
        ideal: ideal(worst.lanes.len(), bytes * run),
        lines: touched(&request, bytes, run, LINE_BYTES),
        sizes: worst.sizes,
        lanes: worst.lanes,
    }
}

/// How many aligned pieces of `piece` bytes a request touches.
fn touched(request: &Request, bytes: i64, run: i64, piece: i64) -> i64 {
    let piece = i128::from(piece);
    let mut ranges: Vec<(i128, i128)> = request
        .iter()
        .flatten()
        .map(|address| {
            let first = i128::from(*address) * i128::from(bytes);
            let last = first + i128::from(bytes) * i128::from(run) - 1;
            (first.div_euclid(piece), last.div_euclid(piece))
        })
        .collect();
    ranges.sort_unstable();
    let (mut count, mut reached) = (0i128, None);
    for (first, last) in ranges {
        let from = reached.map_or(first, |reached: i128| first.max(reached + 1));
        count += (last - from + 1).max(0);
        reached = Some(reached.map_or(last, |reached: i128| reached.max(last)));
    }
    i64::try_from(count).unwrap_or(i64::MAX)
}
