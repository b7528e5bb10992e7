//! The first points of a map with too many to enumerate: a collision among them is a collision of the map.

use dims::Sym;
use maps::IndexMap;

/// The number of points that are tried, in microseconds.
const FEW: i64 = 1 << 12;

/// The map with its longest coordinates cut to their first values until it has few points; `None` if it already has
/// few, or an unbounded coordinate. `most` limits the points.
pub(super) fn first_points(map: &IndexMap, most: u64) -> Option<IndexMap> {
    let limit = FEW.min(i64::try_from(most).unwrap_or(FEW));
    let extents = map.upper.iter().map(|axis| axis.extent.as_ref()?.as_constant());
    let mut extents: Vec<i64> = extents.collect::<Option<_>>()?;
    let points = |extents: &[i64]| extents.iter().fold(1i64, |points, extent| points.saturating_mul(*extent));
    if points(&extents) <= limit || limit < 1 {
        return None;
    }
    while points(&extents) > limit {
        let longest = extents.iter_mut().max()?;
        *longest = (*longest).checked_add(1)? / 2;
    }
    let mut part = map.clone();
    for (axis, extent) in part.upper.iter_mut().zip(extents) {
        axis.extent = Some(Sym::constant(extent));
    }
    Some(part)
}
