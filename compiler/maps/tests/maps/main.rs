//! Tests of the maps, each against formulas written down a second time.

mod building;
mod composing;
mod extremes;
mod ranges;
mod reshaping;
mod threads;

use dims::{Facts, Sym, Symbol};
use maps::*;
use random_maps::vectors;

fn number(value: i64) -> Sym {
    Sym::constant(value)
}

fn never() -> bool {
    false
}

/// Points that are gone through for a table of owners.
const POINTS: u64 = 1 << 20;

fn no_sizes(_: &Symbol) -> Option<i64> {
    None
}

/// Where a valid point leads; `None` where it is invalid.
fn at(map: &IndexMap, upper: &[i64]) -> Option<Vec<i64>> {
    let point = evaluate(map, upper, &no_sizes).unwrap();
    point.valid.then_some(point.lower)
}
