//! Whether every slot is reached by some valid upper coordinate.

use std::ops::Range;

use super::bits::BitMap;
use super::coverage::Coverage;
use super::small_values::{self, Unproven};
use super::{Budget, CounterexampleKind, Reason, Rule, Verdict, enumerate, stages};
use dims::{CompareOp, Fact, Facts, Sym, exact_divisions};
use maps::arithmetic;
use maps::inverse::Peeling;
use maps::normal::NormalMap;
use maps::{IndexMap, specialize};

/// Whether every slot of a box is reached: one half-open range for each lower coordinate. An output of `n` elements
/// is fully written if the map of its store covers `0..n`.
pub fn covers(map: &IndexMap, slots: &[Range<Sym>], facts: &Facts, budget: &Budget<'_>) -> Verdict {
    if slots.len() != map.lower.len() {
        return Verdict::open(Reason::LowerRank { found: map.lower.len(), asked: slots.len() });
    }
    let wanted = match NormalMap::new(map, facts) {
        Ok(normal) => match in_normal_form(&normal, slots) {
            Ok(()) => return Verdict::Proven { rule: Rule::NoGap { symbolic: true } },
            Err(wanted) => wanted,
        },
        Err(_) => Vec::new(),
    };
    let known = |range: &Range<Sym>| Some((range.start.as_constant()?, range.end.as_constant()?));
    let ranges: Option<Vec<(i64, i64)>> = slots.iter().map(known).collect();
    if let Some(ranges) = ranges.filter(|_| map.is_constant()) {
        return with_sizes(map, &ranges, budget);
    }
    let others: Vec<&Sym> = slots.iter().flat_map(|range| [&range.start, &range.end]).collect();
    let settling = || {
        let divisions = exact_divisions(map.sizes().chain(others.iter().copied()));
        facts.settling(divisions.into_iter().chain(wanted), |facts| {
            NormalMap::new(map, facts).is_ok_and(|normal| in_normal_form(&normal, slots).is_ok())
        })
    };
    let reason = Reason::NotKnownToCover;
    let unproven = Unproven { maps: &[map], others: &others, reason, settling };
    small_values::refute(unproven, facts, budget, |sizes, budget| {
        let special = specialize(map, sizes).ok()?;
        let value = |size: &Sym| small_values::value(size, sizes);
        let ranges = slots.iter().map(|range| Some((value(&range.start)?, value(&range.end)?)));
        Some(with_sizes(&special, &ranges.collect::<Option<Vec<(i64, i64)>>>()?, budget))
    })
}

/// T3 with symbols; if it fails, facts that may settle the question.
fn in_normal_form(normal: &NormalMap<'_>, slots: &[Range<Sym>]) -> Result<(), Vec<Fact>> {
    let mut coverage = Coverage::new(normal);
    let wanted = intervals_reach(&mut coverage, normal, slots);
    if coverage.is_complete() && wanted.as_ref().is_some_and(Vec::is_empty) {
        return Ok(());
    }
    let mut facts = stages::alignments(normal);
    facts.extend(wanted.into_iter().flatten());
    facts.extend(coverage.missing());
    Err(facts)
}

/// The unknown facts under which the interval of each form contains the slots. `None` if a form fills no interval.
fn intervals_reach(coverage: &mut Coverage<'_>, normal: &NormalMap<'_>, slots: &[Range<Sym>]) -> Option<Vec<Fact>> {
    let facts = normal.facts;
    let mut wanted = Vec::new();
    for (form, range) in normal.lower.iter().zip(slots) {
        let interval = coverage.of_form(form)?;
        let end = interval.high.checked_add(&Sym::one()).ok()?;
        if !arithmetic::at_most(&interval.low, &range.start, facts) {
            wanted.push(Fact::compare(interval.low, CompareOp::Le, range.start.clone()).simplified());
        }
        if !arithmetic::at_most(&range.end, &end, facts) {
            wanted.push(Fact::compare(range.end.clone(), CompareOp::Le, end).simplified());
        }
    }
    Some(wanted)
}

/// The verdict for known sizes.
fn with_sizes(map: &IndexMap, ranges: &[(i64, i64)], budget: &Budget<'_>) -> Verdict {
    if ranges.iter().any(|(low, high)| low >= high) {
        return Verdict::Proven { rule: Rule::NoSlots };
    }
    let facts = Facts::empty();
    let slots: Vec<Range<Sym>> = ranges.iter().map(|(low, high)| Sym::constant(*low)..Sym::constant(*high)).collect();
    if NormalMap::new(map, &facts).is_ok_and(|normal| in_normal_form(&normal, &slots).is_ok()) {
        return Verdict::Proven { rule: Rule::NoGap { symbolic: false } };
    }
    if covers_by_bits(map, ranges) == Some(true) {
        return Verdict::Proven { rule: Rule::BitsReachAll };
    }
    by_probing(map, &facts, ranges).unwrap_or_else(|| enumerate::covers(map, ranges, budget))
}

/// The number of slots that are probed before every point is enumerated.
const PROBES: i64 = 64;

/// Probes for an unreached slot at both ends of the range and around each stride, where the map has a fast inverse.
fn by_probing(map: &IndexMap, facts: &Facts, ranges: &[(i64, i64)]) -> Option<Verdict> {
    let [(low, high)] = ranges else { return None };
    let peeling = Peeling::new(map, facts)?;
    let strides = map.lower.iter().flat_map(|lower| &lower.value.terms).filter_map(|(_, stride)| stride.as_constant());
    let mut candidates: Vec<i64> = (0..PROBES).filter_map(|step| low.checked_add(step)).collect();
    candidates.extend((1..=PROBES / 4).filter_map(|step| high.checked_sub(step)));
    for stride in strides {
        candidates.extend([-1, 0, 1].iter().filter_map(|by| low.checked_add(stride.checked_abs()?)?.checked_add(*by)));
    }
    candidates.retain(|slot| low <= slot && slot < high);
    candidates.sort_unstable();
    let unwritten = candidates.into_iter().find(|slot| peeling.upper(&[*slot]).is_none())?;
    Some(Verdict::refuted(CounterexampleKind::Unwritten { lower: vec![unwritten] }))
}

fn covers_by_bits(map: &IndexMap, ranges: &[(i64, i64)]) -> Option<bool> {
    let power =
        |(low, high): &(i64, i64)| (*low == 0 && *high > 0 && high.count_ones() == 1).then(|| high.trailing_zeros());
    let sizes: Option<Vec<u32>> = ranges.iter().map(power).collect();
    let bits = BitMap::new(map).filter(|bits| bits.exact)?;
    Some(bits.covers(&sizes?))
}
