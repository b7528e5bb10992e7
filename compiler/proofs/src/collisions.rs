//! Whether two upper coordinates reach one lower coordinate, and whether two threads do.

use super::bits::BitMap;
use super::differences::{self, Search};
use super::premises::where_points_are;
use super::small_values::{self, Unproven};
use super::solver::{self, Claim};
use super::strided::StridedBox;
use super::{Budget, Reason, Rule, Verdict, check, enumerate, stages};
use dims::{Facts, Sym, exact_divisions, orders};
use maps::normal::NormalMap;
use maps::normal::determine::Determined;
use maps::{AxisRole, IndexMap, specialize};

/// Whether no two valid upper coordinates reach one lower coordinate.
pub fn injective(map: &IndexMap, facts: &Facts, budget: &Budget<'_>) -> Verdict {
    collision_free(map, false, facts, budget)
}

/// Whether no two valid upper coordinates of different threads reach one lower coordinate. Threads differ if any
/// thread coordinate does; one thread may reach a slot twice.
pub fn race_free(map: &IndexMap, facts: &Facts, budget: &Budget<'_>) -> Verdict {
    if map.upper.iter().all(|axis| axis.role == AxisRole::Local) {
        return Verdict::Proven { rule: Rule::OneThread };
    }
    collision_free(map, true, facts, budget)
}

fn collision_free(map: &IndexMap, race: bool, facts: &Facts, budget: &Budget<'_>) -> Verdict {
    let Some(facts) = where_points_are(map, facts) else { return Verdict::Proven { rule: Rule::NoPoints } };
    solver::settle(decide(map, race, &facts, budget), Claim::CollisionFree { map, race }, &facts, budget)
}

fn decide(map: &IndexMap, race: bool, facts: &Facts, budget: &Budget<'_>) -> Verdict {
    let normal = match NormalMap::new(map, facts) {
        Ok(normal) => normal,
        Err(error) => return Verdict::open(Reason::NoNormalForm(error)),
    };
    let determined = normal.determine();
    let open: Vec<usize> = unknown_axes(map, &normal, &determined, race);
    if open.is_empty() {
        return Verdict::Proven { rule: peeling_rule(&normal, &determined) };
    }
    if map.is_constant() {
        return with_sizes(map, &normal, race, budget);
    }
    let unproven = Unproven {
        maps: &[map],
        others: &[],
        reason: Reason::CoordinatesNotDetermined(open),
        settling: || {
            let candidates = exact_divisions(map.sizes()).into_iter().chain(stages::alignments(&normal));
            let candidates = candidates.chain(determined.missing).chain(orders(map.sizes()));
            facts.settling(candidates, |facts| in_normal_form(map, race, facts))
        },
    };
    small_values::refute(unproven, facts, budget, |sizes, budget| {
        let special = specialize(map, sizes).ok()?;
        let none = Facts::empty();
        let normal = NormalMap::new(&special, &none).ok()?;
        Some(with_sizes(&special, &normal, race, budget))
    })
}

/// Whether the lower coordinates determine all upper (for races: thread) coordinates.
fn in_normal_form(map: &IndexMap, race: bool, facts: &Facts) -> bool {
    NormalMap::new(map, facts).is_ok_and(|normal| {
        let determined = normal.determine();
        unknown_axes(map, &normal, &determined, race).is_empty()
    })
}

/// The axes whose coordinate the lower coordinates do not determine.
fn unknown_axes(map: &IndexMap, normal: &NormalMap<'_>, determined: &Determined, race: bool) -> Vec<usize> {
    let matters = |axis: usize| !race || map.upper.get(axis).is_some_and(|axis| axis.role == AxisRole::Thread);
    let forms = normal.coordinates.iter().enumerate();
    forms.filter(|(axis, form)| matters(*axis) && !determined.knows(form)).map(|(axis, _)| axis).collect()
}

fn peeling_rule(normal: &NormalMap<'_>, determined: &Determined) -> Rule {
    let mut strides: Vec<Sym> = Vec::new();
    for (_, stride) in normal.lower.iter().flat_map(|lower| &lower.terms) {
        let opposite = stride.checked_neg().ok().filter(|opposite| normal.facts.never_negative(opposite));
        let stride = opposite.unwrap_or_else(|| stride.clone());
        if !strides.contains(&stride) {
            strides.push(stride);
        }
    }
    if strides.is_empty() {
        return Rule::OnePoint;
    }
    let (undoes_xor, undoes_remainder) = (determined.undoes_xor(), determined.undoes_remainder());
    Rule::NestedStrides { strides, undoes_xor, undoes_remainder }
}

/// The verdict for known sizes.
fn with_sizes(map: &IndexMap, normal: &NormalMap<'_>, race: bool, budget: &Budget<'_>) -> Verdict {
    let mut gave_up = false;
    let verdict = by_difference(map, normal, race, budget, &mut gave_up).or_else(|| by_bits(map, race));
    let verdict = verdict.unwrap_or_else(|| enumerate::collision(map, race, budget));
    verdict.after_work_cut_short(gave_up && budget.can_grow())
}

/// T2 and T10, where the map is strided; sets `gave_up` if the steps ran out.
fn by_difference(
    map: &IndexMap,
    normal: &NormalMap<'_>,
    race: bool,
    budget: &Budget<'_>,
    gave_up: &mut bool,
) -> Option<Verdict> {
    let strided = StridedBox::new(map, normal)?;
    if strided.is_empty() {
        return Some(Verdict::Proven { rule: Rule::NoPoints });
    }
    let difference = match differences::find(&strided, race, budget) {
        Search::None => {
            let moving = strided.variables.iter().filter(|variable| variable.count > 1).count();
            let two_strides = moving == 2 && strided.lower_rank == 1;
            let rule = if two_strides { Rule::TwoStridesApart } else { Rule::StridesApart };
            return Some(Verdict::Proven { rule });
        }
        Search::GaveUp => {
            *gave_up = true;
            return None;
        }
        Search::TooLarge => return None,
        Search::Found(difference) => difference,
    };
    // Any two points of the box with this difference collide, but masks may exclude some: the lowest and the highest
    // such pair are tried.
    let corner = |high: bool| -> Vec<i128> {
        let variables = strided.variables.iter().zip(&difference);
        let place = |(variable, by): (&super::strided::Variable, &i128)| {
            let first = variable.low + (-by).max(0);
            if high { first + (variable.count - 1 - by.abs()).max(0) } else { first }
        };
        variables.map(place).collect()
    };
    // Where slots overflow 64 bits, neither pair may do even without masks.
    for high in [false, true] {
        let first = corner(high);
        let second: Vec<i128> = first.iter().zip(&difference).map(|(value, by)| value + by).collect();
        let (Some(first), Some(second)) = (strided.upper(&first), strided.upper(&second)) else {
            continue;
        };
        let ordered = if first <= second { (first, second) } else { (second, first) };
        if let Some(refuted) = check::collision(map, ordered.0, ordered.1, race) {
            return Some(refuted);
        }
    }
    None
}

/// T5, where the map is linear over bits.
fn by_bits(map: &IndexMap, race: bool) -> Option<Verdict> {
    let bits = BitMap::new(map)?;
    let kernel = bits.kernel();
    let threads = bits.thread_bits();
    let Some(vector) = kernel.into_iter().find(|vector| !race || vector & threads != 0) else {
        return Some(Verdict::Proven { rule: Rule::NoBitsCancel });
    };
    // With masks the point zero may be invalid; then every point is enumerated instead.
    check::collision(map, bits.upper(0), bits.upper(vector), race)
}
