//! Vectors checked point by point, for known sizes.

use std::ops::ControlFlow;

use crate::Budget;
use dims::Sym;
use maps::{AxisRole, CompiledMap, Domain, IndexMap, MapError, Term, UpperAxis};

/// With more local coordinates than this, their orders are not tried.
const MOST_ORDERED: usize = 4;

/// Whether the elements of every thread form aligned vectors of `width`, in some order of its coordinates; `None`
/// where there are too many points to try.
pub(super) fn of_points(map: &IndexMap, width: i64, budget: &Budget<'_>) -> Result<Option<bool>, MapError> {
    let length = |axis: &UpperAxis| axis.extent.as_ref().and_then(Sym::as_constant);
    let (mut outer, mut locals) = (Vec::new(), Vec::new());
    let mut own: i64 = 1;
    for (position, axis) in map.upper.iter().enumerate() {
        let Some(count) = length(axis) else { return Ok(None) };
        match axis.role {
            AxisRole::Local if count != 1 => {
                own = own.saturating_mul(count);
                locals.push(position);
            }
            _ => outer.push(position),
        }
    }
    if own == i64::MAX {
        return Ok(None);
    }
    if own % width != 0 {
        return Ok(Some(false));
    }
    if locals.len() > MOST_ORDERED {
        return Ok(None);
    }
    for order in orders(&locals) {
        let order: Vec<usize> = outer.iter().copied().chain(order).collect();
        match in_order(map, &order, width, budget)? {
            Some(false) => {}
            decided => return Ok(decided),
        }
    }
    Ok(Some(false))
}

/// Every order of some axes.
fn orders(axes: &[usize]) -> Vec<Vec<usize>> {
    if axes.is_empty() {
        return vec![Vec::new()];
    }
    let mut orders = Vec::new();
    for last in axes {
        let rest: Vec<usize> = axes.iter().copied().filter(|axis| axis != last).collect();
        orders.extend(self::orders(&rest).into_iter().map(|mut order| {
            order.push(*last);
            order
        }));
    }
    orders
}

/// The same for one order of the coordinates, the last one fastest.
fn in_order(map: &IndexMap, order: &[usize], width: i64, budget: &Budget<'_>) -> Result<Option<bool>, MapError> {
    let compiled = CompiledMap::new(&reordered(map, order)?, Domain::Extents)?;
    if compiled.points() > u128::from(budget.points) {
        return Ok(None);
    }
    let mut fits = true;
    compiled.visit(budget.cancelled, |chunk| {
        // The length of a chunk is a multiple of any width, and the last one's is a multiple of this width.
        let lanes = usize::try_from(width).unwrap_or(1);
        let vectors = chunk.lower(0).chunks(lanes).zip(chunk.valid().chunks(lanes));
        for (addresses, valid) in vectors {
            let whole = valid.iter().all(|valid| *valid) && is_vector(addresses, width);
            if !whole && valid.iter().any(|valid| *valid) {
                fits = false;
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(Some(fits))
}

fn is_vector(addresses: &[i64], width: i64) -> bool {
    let Some(first) = addresses.first() else { return true };
    first.rem_euclid(width) == 0 && (0..).zip(addresses).all(|(place, address)| *address == first + place)
}

/// The map with its upper coordinates in another order.
fn reordered(map: &IndexMap, order: &[usize]) -> Result<IndexMap, MapError> {
    let mut map = map.clone();
    let axis = |position: &usize| map.upper.get(*position).cloned();
    let upper = order.iter().map(axis).collect::<Option<Vec<UpperAxis>>>().ok_or(MapError::Malformed)?;
    map.upper = upper;
    for term in &mut map.terms {
        if let Term::Coordinate(axis) = term {
            let position = order.iter().position(|old| *old == *axis as usize).ok_or(MapError::Malformed)?;
            *axis = u32::try_from(position).map_err(|_| MapError::Malformed)?;
        }
    }
    Ok(map)
}
