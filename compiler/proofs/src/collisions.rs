//! Whether two upper coordinates reach one lower coordinate, and whether two threads do.

use super::bits::BitMap;
use super::differences::{self, Search};
use super::small_values::{self, Unproven};
use super::solver::{self, Claim};
use super::strided::StridedBox;
use super::{Budget, Verdict, check, enumerate, stages};
use dims::{Facts, exact_divisions, orders};
use maps::normal::NormalMap;
use maps::normal::determine::Determined;
use maps::{AxisRole, IndexMap, specialize};

/// Whether no two valid upper coordinates reach one lower coordinate.
pub fn injective(map: &IndexMap, facts: &Facts, budget: &Budget<'_>) -> Verdict {
    let claim = Claim::CollisionFree { map, race: false };
    solver::settle(decide(map, false, facts, budget), claim, facts, budget)
}

/// Whether no two valid upper coordinates of different threads reach one lower coordinate. Every upper coordinate in
/// the role of a thread counts; one thread may reach a slot twice.
pub fn race_free(map: &IndexMap, facts: &Facts, budget: &Budget<'_>) -> Verdict {
    if map.upper.iter().all(|axis| axis.role == AxisRole::Local) {
        return Verdict::proven("only one thread takes part");
    }
    let claim = Claim::CollisionFree { map, race: true };
    solver::settle(decide(map, true, facts, budget), claim, facts, budget)
}

fn decide(map: &IndexMap, race: bool, facts: &Facts, budget: &Budget<'_>) -> Verdict {
    let normal = match NormalMap::new(map, facts) {
        Ok(normal) => normal,
        Err(error) => return Verdict::open(format!("the map has no normal form: {error}")),
    };
    let determined = normal.determine();
    let open: Vec<usize> = unknown_axes(map, &normal, &determined, race);
    if open.is_empty() {
        return Verdict::proven(peeling_rule(&normal, &determined));
    }
    if map.is_constant() {
        return with_sizes(map, &normal, race, budget);
    }
    let names: Vec<String> = open.iter().map(usize::to_string).collect();
    let candidates = exact_divisions(map.sizes()).into_iter().chain(stages::alignments(&normal));
    let candidates = candidates.chain(determined.missing).chain(orders(map.sizes()));
    let unproven = Unproven {
        maps: &[map],
        others: &[],
        reason: format!("the slot does not show the value of upper coordinate {}", names.join(", ")),
        obligation: facts.settling(candidates, |facts| in_normal_form(map, race, facts)),
    };
    small_values::refute(unproven, facts, budget, |sizes, budget| {
        let special = specialize(map, sizes).ok()?;
        let none = Facts::empty();
        let normal = NormalMap::new(&special, &none).ok()?;
        Some(with_sizes(&special, &normal, race, budget))
    })
}

/// Whether the coordinates that matter follow from the lower ones.
fn in_normal_form(map: &IndexMap, race: bool, facts: &Facts) -> bool {
    NormalMap::new(map, facts).is_ok_and(|normal| {
        let determined = normal.determine();
        unknown_axes(map, &normal, &determined, race).is_empty()
    })
}

/// The axes whose coordinate does not follow from the lower coordinates.
fn unknown_axes(map: &IndexMap, normal: &NormalMap<'_>, determined: &Determined, race: bool) -> Vec<usize> {
    let matters = |axis: usize| !race || map.upper.get(axis).is_some_and(|axis| axis.role == AxisRole::Thread);
    let forms = normal.coordinates.iter().enumerate();
    forms.filter(|(axis, form)| matters(*axis) && !determined.knows(form)).map(|(axis, _)| axis).collect()
}

fn peeling_rule(normal: &NormalMap<'_>, determined: &Determined) -> String {
    let mut strides: Vec<String> = Vec::new();
    for (_, stride) in normal.lower.iter().flat_map(|lower| &lower.terms) {
        let stride = stride.to_string();
        let stride = stride.strip_prefix('-').map(str::to_owned).unwrap_or(stride);
        if !strides.contains(&stride) {
            strides.push(stride);
        }
    }
    if strides.is_empty() {
        return "there is only one point".to_owned();
    }
    let mut rule = format!(
        "nested strides {} (T1, T9): each is larger than all that the smaller ones add up to",
        strides.join(", ")
    );
    if determined.undoes_xor() {
        rule.push_str("; an xor is undone where one side of it is known (T4)");
    }
    if determined.undoes_remainder() {
        rule.push_str("; a remainder is undone where the rest of its sum stays within one period");
    }
    rule
}

/// The verdict for known sizes.
fn with_sizes(map: &IndexMap, normal: &NormalMap<'_>, race: bool, budget: &Budget<'_>) -> Verdict {
    let mut gave_up = false;
    let verdict = by_difference(map, normal, race, budget, &mut gave_up).or_else(|| by_bits(map, race));
    let verdict = verdict.unwrap_or_else(|| enumerate::collision(map, race, budget));
    verdict.after_work_cut_short(gave_up && budget.can_grow())
}

/// T2 and T10, where the map is strided; `gave_up` where the steps ran out.
fn by_difference(
    map: &IndexMap,
    normal: &NormalMap<'_>,
    race: bool,
    budget: &Budget<'_>,
    gave_up: &mut bool,
) -> Option<Verdict> {
    let strided = StridedBox::new(map, normal)?;
    if strided.is_empty() {
        return Some(Verdict::proven("there are no points"));
    }
    let difference = match differences::find(&strided, race, budget) {
        Search::None => {
            let moving = strided.variables.iter().filter(|variable| variable.count > 1).count();
            let theorem = if moving == 2 && strided.lower_rank == 1 { "T2" } else { "T10" };
            return Some(Verdict::proven(format!("no two points differ by what the strides cancel ({theorem})")));
        }
        Search::GaveUp => {
            *gave_up = true;
            return None;
        }
        Search::TooLarge => return None,
        Search::Found(difference) => difference,
    };
    // Any point that has the difference to another one in the box will do. Masks may ask for another: both ends of
    // every variable are tried.
    let corner = |high: bool| -> Vec<i128> {
        let variables = strided.variables.iter().zip(&difference);
        let place = |(variable, by): (&super::strided::Variable, &i128)| {
            let first = variable.low + (-by).max(0);
            if high { first + (variable.count - 1 - by.abs()).max(0) } else { first }
        };
        variables.map(place).collect()
    };
    // A slot beyond 64 bits has no value, so that even in a box without masks none may do.
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
        return Some(Verdict::proven("the map is linear over bits and no bits cancel (T5)"));
    };
    // With masks the point zero may be invalid; every point is then gone through instead.
    check::collision(map, bits.upper(0), bits.upper(vector), race)
}
