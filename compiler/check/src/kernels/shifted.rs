//! Accesses that are shifted copies of one, as of a thread that stores several elements by one statement each.

use std::collections::BTreeMap;

use num_integer::Integer;

use dims::{Facts, Sym};
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, Mask, UpperAxis};

/// A map that reaches the union of the elements of all maps, in the same threads, if they differ only in an added
/// amount; the difference becomes local coordinates. `None` if they differ in another way.
///
/// The amount is a sum of products of sizes, and each product makes a coordinate: `8 * N` and `8` are separate steps.
/// Each coordinate covers the multiples of the greatest common divisor of its factors, from the least factor to the
/// greatest.
pub(super) fn united(maps: &[&IndexMap], facts: &Facts) -> Option<IndexMap> {
    let (first, rest) = maps.split_first()?;
    let [lower] = first.lower.as_slice() else { return None };
    let mut factors: BTreeMap<Sym, Vec<i64>> = BTreeMap::new();
    for (position, map) in rest.iter().enumerate() {
        let [other] = map.lower.as_slice() else { return None };
        if map.upper != first.upper || map.terms != first.terms || other.value.terms != lower.value.terms {
            return None;
        }
        let difference = other.value.constant.checked_sub(&lower.value.constant).ok()?;
        for (factor, product) in difference.products()? {
            factors.entry(product).or_insert_with(|| vec![0; rest.len()])[position] = factor;
        }
    }
    let steps = factors.into_iter().map(|(product, factors)| step(&product, &factors)).collect::<Option<Vec<_>>>()?;
    // Masks that not all maps have are dropped, which only adds elements.
    let in_all = |mask: &&Mask| rest.iter().all(|map| map.masks.contains(mask));
    let masks: Vec<Mask> = first.masks.iter().filter(in_all).cloned().collect();
    with_steps(first, masks, &lower.value, &steps, facts).ok()
}

/// A local coordinate: its number of values, the distance between them, and the first one.
struct Step {
    count: i64,
    by: Sym,
    from: Sym,
}

/// The step over the multiples of a product from the least factor to the greatest; the first map has the factor 0.
fn step(product: &Sym, factors: &[i64]) -> Option<Step> {
    let least = factors.iter().copied().min()?.min(0);
    let greatest = factors.iter().copied().max()?.max(0);
    let common = factors
        .iter()
        .try_fold(least.checked_abs()?, |common, factor| Some(common.gcd(&factor.checked_sub(least)?)))?;
    let times = |factor: i64| product.checked_mul(&Sym::constant(factor)).ok();
    let count = greatest.checked_sub(least)?.checked_div(common)?.checked_add(1)?;
    Some(Step { count, by: times(common)?, from: times(least)? })
}

fn with_steps(
    map: &IndexMap,
    masks: Vec<Mask>,
    value: &Affine,
    steps: &[Step],
    facts: &Facts,
) -> Result<IndexMap, MapError> {
    let mut upper = map.upper.clone();
    let extent = |step: &Step| Some(Sym::constant(step.count));
    upper.extend(steps.iter().map(|step| UpperAxis { extent: extent(step), role: AxisRole::Local }));
    let mut builder = MapBuilder::new(upper, facts);
    let coordinates = builder.coordinates()?;
    let (own, of_steps) = coordinates.split_at(map.upper.len());
    let lower = vec![LowerAxis { value: value.clone(), extent: None }];
    let moved = IndexMap { masks, lower, ..map.clone() };
    let mut sum = builder.apply(&moved, own)?.swap_remove(0).value;
    for (step, coordinate) in steps.iter().zip(of_steps) {
        let shifted = coordinate.checked_scale(&step.by)?;
        sum = sum.checked_add(&shifted)?.checked_add(&Affine::constant(step.from.clone()))?;
    }
    builder.finish(vec![LowerAxis { value: sum, extent: None }])
}
