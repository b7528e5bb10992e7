//! The most expensive request of a map, over all its warps, its other coordinates and all sizes.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::bound::{Bound, bound};
use super::request::{LaneAccess, Request, lanes_at, request};
use super::warps::{Lanes, Warps};
use super::{Answer, Undecided};
use crate::Budget;
use dims::{Facts, Sym, Symbol};
use maps::hardware::WARP_LANES;
use maps::{CompiledMap, Domain, IndexMap, MapError, specialize};

/// Sizes near which the worst request is most likely: whole warps, whole rows.
const LIKELY_SIZES: [i64; 6] = [32, 33, 64, 128, 1024, 4096];
/// The work for one point of a request, in plain points of a budget.
const COST_OF_A_POINT: u64 = 16;

/// A cost function of requests, and its properties.
pub(super) struct Measure<'a> {
    /// Moving all addresses by a multiple of this many elements does not change the cost.
    pub period: i64,
    /// Nor does moving single addresses by multiples of this many elements, as long as different addresses stay
    /// different.
    pub lap: i64,
    /// No request costs more.
    pub most: i64,
    /// The cost of a request; deactivating lanes never raises it.
    pub cost: &'a dyn Fn(&Request) -> i64,
}

impl Measure<'_> {
    /// How many points may be enumerated.
    pub fn points(&self, budget: &Budget<'_>) -> u128 {
        u128::from(budget.points / COST_OF_A_POINT)
    }
}

/// A request with its cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Worst {
    /// The cost; 0 if nothing is accessed.
    pub cost: i64,
    /// The sizes for which it does, where the map has symbols.
    pub sizes: BTreeMap<Symbol, i64>,
    /// The active lanes.
    pub lanes: Vec<LaneAccess>,
}

/// The most expensive request.
///
/// # Errors
/// A map that cannot be cut into warps.
pub(super) fn worst(
    map: &IndexMap,
    lanes: &Lanes,
    measure: &Measure<'_>,
    facts: &Facts,
    budget: &Budget<'_>,
) -> Result<Answer<Worst>, MapError> {
    if is_empty(map) {
        return Ok(Answer::Known(Worst { cost: 0, sizes: BTreeMap::new(), lanes: Vec::new() }));
    }
    let warps = Warps::new(map, lanes, facts)?;
    let most = bound(&warps, measure, facts, budget);
    if map.is_constant() {
        return of_constant(&warps, &most, measure, budget);
    }
    let budget = budget.for_one_assignment();
    let mut seen: Option<Worst> = None;
    let mut cut = false;
    let assignments = facts.sample_near(&map.symbols(), &LIKELY_SIZES).take(budget.assignments);
    for sizes in assignments {
        if (budget.cancelled)() {
            return Err(MapError::Cancelled);
        }
        let Ok(known) = specialize(map, &sizes) else { continue };
        let found = match worst(&known, lanes, measure, &Facts::empty(), &budget) {
            Ok(Answer::Known(found)) => found,
            Ok(Answer::Open { seen: Some(found), .. }) => {
                cut = true;
                found
            }
            Ok(Answer::Open { seen: None, .. }) | Err(_) => {
                cut = true;
                continue;
            }
        };
        if seen.as_ref().is_none_or(|seen| found.cost > seen.cost) {
            let reached = found.cost == most.cost;
            seen = Some(Worst { sizes, ..found });
            if reached {
                break;
            }
        }
    }
    Ok(match seen {
        Some(worst) if worst.cost == most.cost => Answer::Known(worst),
        seen => {
            let met = seen.as_ref().map_or(0, |seen| seen.cost);
            let reason = Undecided::SizesDecide { least: met, most: most.cost };
            Answer::Open { seen, reason, deeper: cut && budget.more_points > 0 }
        }
    })
}

/// An upper bound on the cost of any request, and the lanes of a whole warp.
///
/// # Errors
/// A map that cannot be cut into warps.
pub(super) fn most(
    map: &IndexMap,
    lanes: &Lanes,
    measure: &Measure<'_>,
    facts: &Facts,
    budget: &Budget<'_>,
) -> Result<(i64, usize), MapError> {
    let warps = Warps::new(map, lanes, facts)?;
    Ok((bound(&warps, measure, facts, budget).cost, warps.present))
}

/// Whether a coordinate has no values.
fn is_empty(map: &IndexMap) -> bool {
    map.upper.iter().any(|axis| axis.extent.as_ref().and_then(Sym::as_constant).is_some_and(|extent| extent < 1))
}

/// The most expensive request of a map without symbols.
fn of_constant(
    warps: &Warps,
    most: &Bound,
    measure: &Measure<'_>,
    budget: &Budget<'_>,
) -> Result<Answer<Worst>, MapError> {
    let of = |lanes: Vec<LaneAccess>| {
        let cost = if lanes.is_empty() { 0 } else { (measure.cost)(&request(&lanes)) };
        Worst { cost, sizes: BTreeMap::new(), lanes }
    };
    let seen = match &most.at {
        Some(coordinates) => Some(of(lanes_at(warps, coordinates)?)),
        None => None,
    };
    if let Some(reached) = seen.as_ref().filter(|seen| seen.cost == most.cost) {
        return Ok(Answer::Known(reached.clone()));
    }
    let compiled = match CompiledMap::new(&warps.map, Domain::Extents) {
        Ok(compiled) => compiled,
        Err(error) => {
            return Ok(Answer::Open { seen, reason: Undecided::NotEnumerable(error), deeper: false });
        }
    };
    if compiled.points() > measure.points(budget) {
        let deeper = compiled.points() <= u128::from(budget.more_points / COST_OF_A_POINT);
        return Ok(Answer::Open { seen, reason: Undecided::TooManyRequests, deeper });
    }
    let point = walk(&compiled, measure, budget)?;
    let lanes = point.map(|point| lanes_at(warps, &compiled.coordinates(u128::from(point)))).transpose()?;
    Ok(Answer::Known(of(lanes.unwrap_or_default())))
}

/// The first point of the first request that costs the most; `None` where no lane is ever active.
fn walk(compiled: &CompiledMap, measure: &Measure<'_>, budget: &Budget<'_>) -> Result<Option<u64>, MapError> {
    let mut worst: Option<(i64, u64)> = None;
    let lanes = WARP_LANES as usize;
    compiled.visit(budget.cancelled, |chunk| {
        let requests = chunk.lower(0).chunks(lanes).zip(chunk.valid().chunks(lanes));
        for (number, (addresses, valid)) in requests.enumerate() {
            let mut request: Request = [None; WARP_LANES as usize];
            for (place, (address, valid)) in request.iter_mut().zip(addresses.iter().zip(valid)) {
                *place = valid.then_some(*address);
            }
            if request.iter().all(Option::is_none) {
                continue;
            }
            let cost = (measure.cost)(&request);
            if worst.is_none_or(|(most, _)| cost > most) {
                worst = Some((cost, chunk.first + (number * lanes) as u64));
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(worst.map(|(_, point)| point))
}
