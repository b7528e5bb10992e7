//! Whether every valid upper coordinate maps into given bounds.

use super::premises::where_points_are;
use super::small_values::{self, Unproven};
use super::solver::{self, Claim};
use super::strided::StridedBox;
use super::{Budget, Reason, Rule, Verdict, check, enumerate, stages};
use dims::{CompareOp, Fact, Facts, Sym, exact_divisions};
use maps::arithmetic;
use maps::normal::NormalMap;
use maps::{Affine, CompiledMap, Domain, IndexMap, MapError, Mask, MaskReason, Term, specialize};

/// Whether every valid upper coordinate maps to lower coordinates in `0..bound`, one bound for each.
pub fn in_bounds(map: &IndexMap, bounds: &[Sym], facts: &Facts, budget: &Budget<'_>) -> Verdict {
    if bounds.len() != map.lower.len() {
        return Verdict::open(Reason::LowerRank { found: map.lower.len(), asked: bounds.len() });
    }
    let Some(facts) = where_points_are(map, facts) else { return Verdict::Proven { rule: Rule::NoPoints } };
    solver::settle(decide(map, bounds, &facts, budget), Claim::InBounds { map, bounds }, &facts, budget)
}

fn decide(map: &IndexMap, bounds: &[Sym], facts: &Facts, budget: &Budget<'_>) -> Verdict {
    let normal = match NormalMap::new(map, facts) {
        Ok(normal) => normal,
        Err(error) => return Verdict::open(Reason::NoNormalForm(error)),
    };
    let Err(wanted) = all_inside(&normal, bounds) else {
        return Verdict::Proven { rule: Rule::Below(bounds.to_vec()) };
    };
    let known: Option<Vec<i64>> = bounds.iter().map(Sym::as_constant).collect();
    if let Some(bounds) = known {
        if map.is_constant() {
            return with_sizes(map, &bounds, budget);
        }
        let used = of_used_axes(map);
        if used.is_constant()
            && let proven @ Verdict::Proven { .. } = with_sizes(&used, &bounds, budget)
        {
            return proven;
        }
    }
    let others: Vec<&Sym> = bounds.iter().collect();
    let divisions = || exact_divisions(map.sizes().chain(bounds));
    let candidates = || divisions().into_iter().chain(stages::alignments(&normal)).chain(wanted);
    let settling = || {
        facts.settling(candidates(), |facts| {
            NormalMap::new(map, facts).is_ok_and(|normal| all_inside(&normal, bounds).is_ok())
        })
    };
    let reason = Reason::NotKnownBelow(bounds.to_vec());
    let unproven = Unproven { maps: &[map], others: &others, reason, settling };
    small_values::refute(unproven, facts, budget, |sizes, budget| {
        let special = specialize(map, sizes).ok()?;
        let bounds: Option<Vec<i64>> = bounds.iter().map(|bound| small_values::value(bound, sizes)).collect();
        Some(with_sizes(&special, &bounds?, budget))
    })
}

/// The map with one value for each coordinate on which nothing depends, such as the block id in an index into shared
/// memory. It has the same lower coordinates, unless the map has no points.
fn of_used_axes(map: &IndexMap) -> IndexMap {
    let mut used = map.clone();
    for (number, axis) in used.upper.iter_mut().enumerate() {
        if !map.terms.iter().any(|term| matches!(term, Term::Coordinate(other) if *other as usize == number)) {
            axis.extent = Some(Sym::one());
        }
    }
    used
}

/// Proves that every form stays in `0..bound`; the error is facts that may settle it.
fn all_inside(normal: &NormalMap<'_>, bounds: &[Sym]) -> Result<(), Vec<Fact>> {
    let mut wanted = Vec::new();
    let mut all = true;
    for (form, bound) in normal.lower.iter().zip(bounds) {
        if let Err(missing) = inside(normal, form, bound) {
            all = false;
            wanted.extend(missing);
        }
    }
    if all { Ok(()) } else { Err(wanted) }
}

/// Proves that a form stays in `0..bound`; the error is facts that may settle it.
fn inside(normal: &NormalMap<'_>, form: &Affine, bound: &Sym) -> Result<(), Vec<Fact>> {
    let facts = normal.facts;
    let (lows, highs) = (normal.lower_bounds(form), normal.upper_bounds(form));
    let not_negative = |lows: &[Sym]| lows.iter().any(|low| facts.never_negative(low));
    if !not_negative(&lows) && !not_negative(&normal.lower_bounds_by_elimination(form)) {
        let fact = |low: &Sym| Fact::compare(low.clone(), CompareOp::Ge, Sym::zero()).simplified();
        return Err(lows.iter().filter(|low| low.as_constant().is_none()).map(fact).collect());
    }
    let below = |highs: &[Sym]| highs.iter().any(|high| arithmetic::less(high, bound, facts));
    if below(&highs) || below(&normal.upper_bounds_by_elimination(form)) {
        return Ok(());
    }
    let ends = highs.iter().filter_map(|high| high.checked_add(&Sym::one()).ok());
    let symbolic = ends.filter(|end| end.as_constant().is_none() || bound.as_constant().is_none());
    Err(symbolic.map(|end| Fact::compare(end, CompareOp::Le, bound.clone()).simplified()).collect())
}

/// The verdict for known sizes.
fn with_sizes(map: &IndexMap, bounds: &[i64], budget: &Budget<'_>) -> Verdict {
    // If a lower coordinate grows with an unbounded upper coordinate, it exceeds any bound, so a cut suffices to
    // refute.
    let largest = bounds.iter().copied().max().unwrap_or(0);
    let (bounded, cut) = enumerate::bounded(map, largest.saturating_add(1).clamp(1, 1 << 40));
    let facts = Facts::empty();
    let verdict = NormalMap::new(&bounded, &facts).ok().and_then(|normal| by_corners(&bounded, &normal, bounds));
    let verdict = verdict.or_else(|| by_far_ends(&bounded, bounds));
    match verdict.unwrap_or_else(|| enumerate::bounds(&bounded, bounds, budget)) {
        Verdict::Proven { .. } if cut => Verdict::open(Reason::NoUpperEnd),
        verdict => verdict,
    }
}

/// A strided form is least and greatest at corners of the box.
fn by_corners(map: &IndexMap, normal: &NormalMap<'_>, bounds: &[i64]) -> Option<Verdict> {
    let strided = StridedBox::new(map, normal)?;
    if strided.is_empty() {
        return Some(Verdict::Proven { rule: Rule::NoPoints });
    }
    let mut inside = true;
    for (axis, bound) in bounds.iter().enumerate() {
        for greatest in [true, false] {
            let corner = strided.corner(axis, greatest);
            let value = strided.lower(normal.lower.get(axis)?, &corner)?;
            if (0..i128::from(*bound)).contains(&value) {
                continue;
            }
            inside = false;
            // Where the corner itself overflows 64 bits, a point just beyond the bound does not.
            let crossing = strided.crossing(normal.lower.get(axis)?, axis, if greatest { Some(*bound) } else { None });
            for values in [Some(corner), crossing].into_iter().flatten() {
                let refuted = strided.upper(&values).and_then(|upper| check::out_of_bounds(map, upper, bounds));
                if refuted.is_some() {
                    return refuted;
                }
            }
        }
    }
    (strided.exact && inside).then_some(Verdict::Proven { rule: Rule::CornersInside })
}

/// Tries the last value of each coordinate, alone and all together. Where digits do not fill their radix, corners of
/// the box of digits may not be points, but these always are.
fn by_far_ends(map: &IndexMap, bounds: &[i64]) -> Option<Verdict> {
    let compiled = CompiledMap::new(map, Domain::Tight).ok().filter(|compiled| compiled.points() > 0)?;
    let first = compiled.coordinates(0);
    let last: Vec<i64> = compiled.ends().map(|end| end - 1).collect();
    let alone = (0..first.len()).map(|axis| {
        let values = first.iter().zip(&last).enumerate();
        values.map(|(number, (low, high))| if number == axis { *high } else { *low }).collect()
    });
    let mut points = alone.chain([last.clone()]);
    points.find_map(|upper| check::out_of_bounds(map, upper, bounds))
}

/// The map without the masks and lower extents that the others imply: the rest has to be tested at run time.
///
/// # Errors
/// A map that has no normal form.
pub fn without_implied_conditions(map: &IndexMap, facts: &Facts) -> Result<IndexMap, MapError> {
    let map = without_implied_masks(map, facts)?;
    without_implied_extents(map, facts)
}

/// The conditions of an access that have to be tested inside its guards: without the guards, and without what they
/// and the rest imply.
///
/// # Errors
/// A map that has no normal form.
pub fn conditions_within_guards(map: &IndexMap, facts: &Facts) -> Result<IndexMap, MapError> {
    let is_guard = |mask: &Mask| mask.reason == MaskReason::Guard;
    let map = without_implied(map, facts, |mask| !is_guard(mask))?;
    let mut map = without_implied_extents(map, facts)?;
    map.masks.retain(|mask| !is_guard(mask));
    Ok(map)
}

fn without_implied_extents(mut map: IndexMap, facts: &Facts) -> Result<IndexMap, MapError> {
    for axis in 0..map.lower.len() {
        let mut without = map.clone();
        let Some(lower) = without.lower.get_mut(axis) else {
            continue;
        };
        let (value, extent) = (lower.value.clone(), lower.extent.take());
        if extent.is_some() && implied(&without, &value, Some(&Sym::zero()), extent.as_ref(), facts)? {
            map = without;
        }
    }
    Ok(map)
}

/// The map without the masks that the other conditions imply.
///
/// # Errors
/// A map that has no normal form.
pub fn without_implied_masks(map: &IndexMap, facts: &Facts) -> Result<IndexMap, MapError> {
    without_implied(map, facts, |_| true)
}

/// The map without those masks for which `may_go` holds and that the other conditions imply.
fn without_implied(map: &IndexMap, facts: &Facts, may_go: impl Fn(&Mask) -> bool) -> Result<IndexMap, MapError> {
    let mut map = map.clone();
    let mut number = 0;
    while let Some(mask) = map.masks.get(number).cloned() {
        if !may_go(&mask) {
            number += 1;
            continue;
        }
        let mut without = map.clone();
        without.masks.remove(number);
        if implied(&without, &mask.value, mask.low.as_ref(), mask.high.as_ref(), facts)? {
            map = without;
        } else {
            number += 1;
        }
    }
    Ok(map)
}

/// Whether `low ≤ value < high` is proven at every valid point of a map.
fn implied(
    map: &IndexMap,
    value: &Affine,
    low: Option<&Sym>,
    high: Option<&Sym>,
    facts: &Facts,
) -> Result<bool, MapError> {
    let (normal, value) = NormalMap::with_form(map, value, facts)?;
    let holds_low =
        low.is_none_or(|low| normal.lower_bounds(&value).iter().any(|least| arithmetic::at_most(low, least, facts)));
    let holds_high =
        high.is_none_or(|high| normal.upper_bounds(&value).iter().any(|most| arithmetic::less(most, high, facts)));
    Ok(holds_low && holds_high)
}
