//! A map with its upper coordinates in another order.

use super::{IndexMap, MapError, compose};
use dims::Facts;

/// The map whose upper coordinate `k` is coordinate `order[k]` of `map`, as in numpy's `transpose`.
///
/// # Errors
/// An order that is no permutation of the coordinates; a size that overflows 64 bits.
pub fn permute(map: &IndexMap, order: &[usize], facts: &Facts) -> Result<IndexMap, MapError> {
    if order.len() != map.upper.len() {
        return Err(MapError::Rank { what: "coordinates", expected: map.upper.len(), found: order.len() });
    }
    let mut places: Vec<Option<usize>> = vec![None; order.len()];
    let mut upper = Vec::with_capacity(order.len());
    for (place, axis) in order.iter().enumerate() {
        let known = places.get_mut(*axis).filter(|known| known.is_none()).ok_or(MapError::Layout)?;
        *known = Some(place);
        upper.push(map.upper.get(*axis).ok_or(MapError::Layout)?.clone());
    }
    let places: Vec<usize> = places.into_iter().collect::<Option<_>>().ok_or(MapError::Layout)?;
    compose::with_coordinates(map, upper, facts, |builder| {
        places.iter().map(|place| builder.coordinate(*place)).collect()
    })
}
