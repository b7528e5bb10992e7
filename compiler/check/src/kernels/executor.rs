//! Who executes a point of an access.

use std::collections::BTreeMap;

use super::raised::Composed;
use crate::diagnostics::Executor;
use dims::Symbol;
use maps::AxisRole;

/// Whether an axis is distributed over threads.
pub(super) fn is_thread(role: AxisRole) -> bool {
    role == AxisRole::Thread
}

/// The thread at a coordinate of an access map, with these sizes.
pub(super) fn executor(composed: &Composed, coordinate: &[i64], sizes: &BTreeMap<Symbol, i64>) -> Executor {
    let Composed { map, iterators, .. } = composed;
    // The axes of the block and of the thread come before the points of a tile, which count as threads, too.
    let ids: Vec<usize> = (0..map.upper.len())
        .filter(|axis| map.upper.get(*axis).is_some_and(|axis| is_thread(axis.role)))
        .take(2)
        .collect();
    let thread = match ids.as_slice() {
        [block, thread] => coordinate.get(*block).zip(coordinate.get(*thread)).map(|(block, thread)| [*block, *thread]),
        _ => None,
    };
    let others = coordinate.iter().enumerate().filter(|(axis, _)| !ids.contains(axis));
    let named = |(position, value): (usize, &i64)| {
        let (name, low) = iterators.get(position)?.as_ref()?;
        let low = low.evaluate(&|symbol| sizes.get(symbol).copied()).ok()?;
        Some((name.clone(), low.checked_add(*value)?))
    };
    Executor { thread, is_block: false, iterators: others.filter_map(named).collect() }
}
