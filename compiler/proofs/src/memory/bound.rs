//! An upper bound on the cost of a request, from one request for each class of base addresses.
//!
//! The address of a lane is a sum. The terms that do not depend on the lane shift the whole request, and the cost
//! depends on the shift only modulo a small period. So the other coordinates are not enumerated: their sums are taken
//! modulo the period. Coordinates that a term mixes with the lane, as an xor does, are enumerated.
//!
//! A symbolic stride also matters only by its remainder: the remainders that the facts allow are enumerated
//! ([`strides`]).
//!
//! Conditions of validity are ignored here. They only deactivate lanes, which never makes a request more expensive.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use num_integer::Integer;

use super::request::Request;
use super::strides;
use super::warps::Warps;
use super::worst::Measure;
use crate::Budget;
use dims::{Facts, Sym};
use maps::hardware::WARP_LANES;
use maps::{Affine, CompiledMap, Domain, IndexMap, LowerAxis, MapError, Term, TermId, UpperAxis};

/// An upper bound on the cost of every request.
pub(super) struct Bound {
    /// The cost.
    pub cost: i64,
    /// Coordinates at which a request of all lanes has that cost; `None` where sizes are not known.
    pub at: Option<Vec<i64>>,
}

/// Coordinates by axis, for the enumerated axes.
type Place = Vec<(usize, i64)>;

/// Where a sum has a given remainder by the period.
#[derive(Clone, Debug)]
enum Residue {
    /// Nowhere.
    Nowhere,
    /// Possibly somewhere, at an unknown place.
    Somewhere,
    /// Here.
    At(Place),
}

impl Residue {
    fn is_taken(&self) -> bool {
        !matches!(self, Residue::Nowhere)
    }
}

/// One entry for each remainder by the period.
type Residues = Vec<Residue>;

/// An upper bound on the cost of any request of the map.
pub(super) fn bound(warps: &Warps, measure: &Measure<'_>, facts: &Facts, budget: &Budget<'_>) -> Bound {
    let trivial = Bound { cost: measure.most, at: None };
    let Some(value) = warps.map.lower.first().map(|axis| &axis.value) else { return trivial };
    let axes = axes_of_terms(&warps.map);
    if value.terms.iter().any(|(term, _)| axes.get(term.0 as usize).is_none_or(BTreeSet::is_empty)) {
        return trivial;
    }
    let mut residues = constant_residue(&value.constant, measure.period, facts);
    let mut with_lane = Vec::new();
    for group in groups(warps.map.upper.len(), value, &axes) {
        if group.contains(&warps.lane_axis()) {
            with_lane = group;
            continue;
        }
        let Some(part) = restricted(&warps.map, &group, &axes) else { return trivial };
        let own = residues_of(&part, &group, measure.period, facts, budget);
        residues = sums(&residues, &own, measure.period);
    }
    let Some(lanes) = restricted(&warps.map, &with_lane, &axes) else { return trivial };
    let mut worst: Option<Bound> = None;
    let Some(cases) = strides::cases(&lanes, measure.lap, facts) else { return trivial };
    for map in &cases {
        let points = measure.points(budget) / cases.len() as u128;
        let Ok(Some(found)) = over_lanes(map, &with_lane, warps, &residues, measure, points, budget) else {
            return trivial;
        };
        if worst.as_ref().is_none_or(|worst| found.cost > worst.cost) {
            worst = Some(found);
        }
    }
    worst.unwrap_or(trivial)
}

/// The axes that each term depends on.
fn axes_of_terms(map: &IndexMap) -> Vec<BTreeSet<usize>> {
    let mut axes: Vec<BTreeSet<usize>> = Vec::with_capacity(map.terms.len());
    for term in &map.terms {
        let mut own = BTreeSet::new();
        if let Term::Coordinate(axis) = term {
            own.insert(*axis as usize);
        }
        for (inner, _) in term.operands().flat_map(|form| &form.terms) {
            own.extend(axes.get(inner.0 as usize).into_iter().flatten().copied());
        }
        axes.push(own);
    }
    axes
}

/// The axes in groups, so that each term of the form belongs to one group.
fn groups(count: usize, value: &Affine, axes: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = (0..count).map(|axis| vec![axis]).collect();
    for (term, _) in &value.terms {
        let Some(together) = axes.get(term.0 as usize) else { continue };
        let (mut joined, rest): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| group.iter().any(|axis| together.contains(axis)));
        groups = rest;
        let mut joined: Vec<usize> = joined.drain(..).flatten().collect();
        joined.sort_unstable();
        if !joined.is_empty() {
            groups.push(joined);
        }
    }
    groups
}

/// The part of the address that depends on the axes of a group, without conditions and without the constant.
fn restricted(map: &IndexMap, group: &[usize], axes: &[BTreeSet<usize>]) -> Option<IndexMap> {
    let mut numbers: Vec<Option<TermId>> = Vec::with_capacity(map.terms.len());
    let mut terms: Vec<Term> = Vec::new();
    let renumber = |form: &Affine, numbers: &[Option<TermId>]| -> Option<Affine> {
        let mut terms = Vec::with_capacity(form.terms.len());
        for (term, coefficient) in &form.terms {
            terms.push(((*numbers.get(term.0 as usize)?)?, coefficient.clone()));
        }
        Some(Affine { constant: form.constant.clone(), terms })
    };
    for (term, own) in map.terms.iter().zip(axes) {
        if own.is_empty() || !own.iter().all(|axis| group.contains(axis)) {
            numbers.push(None);
            continue;
        }
        let term = match term {
            Term::Coordinate(axis) => {
                Term::Coordinate(u32::try_from(group.iter().position(|own| *own == *axis as usize)?).ok()?)
            }
            Term::Digit { of, divisor, modulus } => {
                Term::Digit { of: renumber(of, &numbers)?, divisor: divisor.clone(), modulus: modulus.clone() }
            }
            Term::Xor(left, right) => Term::Xor(renumber(left, &numbers)?, renumber(right, &numbers)?),
        };
        numbers.push(Some(TermId(u32::try_from(terms.len()).ok()?)));
        terms.push(term);
    }
    let upper = group.iter().map(|axis| map.upper.get(*axis).cloned()).collect::<Option<Vec<UpperAxis>>>()?;
    let whole = &map.lower.first()?.value;
    let mut value = Affine::constant(Sym::zero());
    for (term, coefficient) in &whole.terms {
        if let Some(number) = numbers.get(term.0 as usize)? {
            value.terms.push((*number, coefficient.clone()));
        }
    }
    Some(IndexMap { upper, terms, lower: vec![LowerAxis { value, extent: None }], masks: Vec::new() })
}

/// Every remainder, at unknown places.
fn any_residue(period: i64) -> Residues {
    (0..period).map(|_| Residue::Somewhere).collect()
}

pub(super) fn residue(value: &Sym, period: i64, facts: &Facts) -> Option<i64> {
    let remainder = value.checked_remainder(&Sym::constant(period), facts).ok()?.as_constant()?;
    Some(remainder.rem_euclid(period))
}

fn constant_residue(constant: &Sym, period: i64, facts: &Facts) -> Residues {
    let Some(only) = residue(constant, period, facts) else { return any_residue(period) };
    let at = |residue| if residue == only { Residue::At(Vec::new()) } else { Residue::Nowhere };
    (0..period).map(at).collect()
}

/// The remainders that the part of a group takes.
fn residues_of(map: &IndexMap, group: &[usize], period: i64, facts: &Facts, budget: &Budget<'_>) -> Residues {
    if let ([axis], [Term::Coordinate(0)]) = (group, map.terms.as_slice()) {
        return residues_of_coordinate(map, *axis, period, facts);
    }
    walked_residues(&strides::residual(map, period, facts), group, period, budget)
        .unwrap_or_else(|| any_residue(period))
}

/// The remainders of `stride · coordinate`: they repeat after `period` coordinates.
fn residues_of_coordinate(map: &IndexMap, axis: usize, period: i64, facts: &Facts) -> Residues {
    let stride = map.lower.first().and_then(|lower| lower.value.terms.first()).map(|(_, stride)| stride);
    let Some(stride) = stride.map_or(Some(0), |stride| residue(stride, period, facts)) else {
        return any_residue(period);
    };
    let extent = map.upper.first().and_then(|axis| axis.extent.as_ref()).and_then(Sym::as_constant);
    let mut residues: Residues = vec![Residue::Nowhere; usize::try_from(period).unwrap_or(0)];
    for coordinate in 0..extent.unwrap_or(period).min(period) {
        // Both factors are below the period, which is small.
        let place = residues.get_mut(((coordinate * stride) % period) as usize);
        if let Some(place) = place.filter(|place| !place.is_taken()) {
            *place = Residue::At(vec![(axis, coordinate)]);
        }
    }
    residues
}

/// The remainders found by enumerating all coordinates up to where they repeat.
fn walked_residues(map: &IndexMap, group: &[usize], period: i64, budget: &Budget<'_>) -> Option<Residues> {
    let mut map = map.clone();
    let ends = (0..group.len()).map(|axis| repeats_after(&map, axis, period)).collect::<Vec<_>>();
    for (axis, end) in map.upper.iter_mut().zip(ends) {
        let Some(end) = end else { continue };
        match axis.extent.as_ref().map(Sym::as_constant) {
            Some(Some(extent)) if extent <= end => {}
            _ => axis.extent = Some(Sym::constant(end)),
        }
    }
    let compiled = CompiledMap::new(&map, Domain::Extents).ok()?;
    if compiled.points() > u128::from(budget.points) {
        return None;
    }
    let mut residues: Residues = vec![Residue::Nowhere; usize::try_from(period).ok()?];
    let walk = compiled.visit(budget.cancelled, |chunk| {
        for (number, address) in chunk.lower(0).iter().enumerate() {
            let place = residues.get_mut(address.rem_euclid(period) as usize);
            if let Some(place) = place.filter(|place| !place.is_taken()) {
                let coordinate = |(position, axis): (usize, &usize)| {
                    (*axis, chunk.coordinate(position).get(number).copied().unwrap_or(0))
                };
                *place = Residue::At(group.iter().enumerate().map(coordinate).collect());
            }
        }
        ControlFlow::Continue(())
    });
    walk.ok().map(|()| residues)
}

/// After how many coordinates of an axis all values repeat modulo the period; `None` unless the coordinate is used
/// only directly and through its digits.
fn repeats_after(map: &IndexMap, axis: usize, period: i64) -> Option<i64> {
    let own = map.terms.iter().position(|term| *term == Term::Coordinate(axis as u32))?;
    let own = Affine::term(TermId(u32::try_from(own).ok()?));
    let uses = |form: &Affine| form.terms.iter().any(|(term, _)| own.as_term() == Some(*term));
    let mut cycle = period;
    for term in &map.terms {
        let Term::Digit { of, divisor, modulus } = term else {
            if term.operands().any(uses) {
                return None;
            }
            continue;
        };
        if !uses(of) {
            continue;
        }
        if *of != own {
            return None;
        }
        let radix = modulus.as_ref().map_or(Some(period), Sym::as_constant)?;
        let length = divisor.as_constant()?.checked_mul(radix).filter(|length| *length > 0)?;
        cycle = cycle.checked_div(cycle.gcd(&length))?.checked_mul(length)?;
    }
    // A digit inside another term would not be such a use.
    let digits_used = map.terms.iter().flat_map(Term::operands).any(|form| *form != own);
    (!digits_used).then_some(cycle)
}

/// The remainders of all sums of two parts.
fn sums(left: &Residues, right: &Residues, period: i64) -> Residues {
    let mut sums: Residues = vec![Residue::Nowhere; left.len()];
    for (one, here) in left.iter().enumerate().filter(|(_, here)| here.is_taken()) {
        for (other, there) in right.iter().enumerate().filter(|(_, there)| there.is_taken()) {
            let sum = (one as i64 + other as i64) % period;
            let Some(place) = sums.get_mut(sum as usize) else { continue };
            // A known place takes precedence over an unknown one.
            if !matches!(place, Residue::At(_)) {
                *place = match (here, there) {
                    (Residue::At(here), Residue::At(there)) => Residue::At(here.iter().chain(there).copied().collect()),
                    _ => Residue::Somewhere,
                };
            }
        }
    }
    sums
}

/// The most expensive request over the coordinates that are mixed with the lane and over all remainders; `None` if
/// there are more than `points`.
fn over_lanes(
    map: &IndexMap,
    group: &[usize],
    warps: &Warps,
    residues: &Residues,
    measure: &Measure<'_>,
    points: u128,
    budget: &Budget<'_>,
) -> Result<Option<Bound>, MapError> {
    let compiled = CompiledMap::new(map, Domain::Extents)?;
    let classes = residues.iter().filter(|residue| residue.is_taken()).count().max(1);
    if compiled.points().saturating_mul(classes as u128) > points {
        return Ok(None);
    }
    let mut worst: Option<(i64, u64, i64)> = None;
    let lanes = WARP_LANES as usize;
    compiled.visit(budget.cancelled, |chunk| {
        for (number, addresses) in chunk.lower(0).chunks(lanes).enumerate() {
            for shift in (0i64..).zip(residues).filter(|(_, residue)| residue.is_taken()).map(|(shift, _)| shift) {
                let mut request: Request = [None; WARP_LANES as usize];
                for (place, address) in request.iter_mut().zip(addresses).take(warps.present) {
                    *place = Some(address.saturating_add(shift));
                }
                let cost = (measure.cost)(&request);
                if worst.is_none_or(|(most, ..)| cost > most) {
                    worst = Some((cost, chunk.first + (number * lanes) as u64, shift));
                }
            }
        }
        ControlFlow::Continue(())
    })?;
    let Some((cost, point, shift)) = worst else { return Ok(None) };
    let known = match residues.get(shift as usize) {
        Some(Residue::At(place)) => Some(place.clone()),
        _ => None,
    };
    let at = known.map(|place| {
        let mut coordinates = vec![0; warps.map.upper.len()];
        let mixed = compiled.coordinates(u128::from(point));
        for (axis, value) in place.into_iter().chain(group.iter().copied().zip(mixed)) {
            if let Some(coordinate) = coordinates.get_mut(axis) {
                *coordinate = value;
            }
        }
        coordinates
    });
    Ok(Some(Bound { cost: cost.min(measure.most), at }))
}
