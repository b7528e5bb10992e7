//! Whether an index fits a number of bits.

use super::{Budget, CounterexampleKind, Rule, Verdict, in_bounds};
use dims::{Facts, Sym};
use maps::IndexMap;

/// Whether every lower coordinate of a valid point lies in `0..2^bits`. For a signed 32-bit index that is 31 bits.
///
/// Only the final values are bounded; intermediate sums can need more bits.
pub fn fits_bits(map: &IndexMap, bits: u32, facts: &Facts, budget: &Budget<'_>) -> Verdict {
    // Every coordinate is a signed 64-bit integer.
    let bound = if bits >= 63 { i64::MAX } else { 1i64 << bits };
    let bounds = vec![Sym::constant(bound); map.lower.len()];
    match in_bounds(map, &bounds, facts, budget) {
        Verdict::Proven { .. } => Verdict::Proven { rule: Rule::FitsBits(bits) },
        Verdict::Refuted { mut counterexample, obligation } => {
            let index = match &counterexample.kind {
                CounterexampleKind::OutOfBounds { lower, .. } => {
                    let outside = |value: &&i64| **value < 0 || **value >= bound;
                    lower.iter().find(outside).copied().unwrap_or_default()
                }
                _ => bound,
            };
            counterexample.kind = CounterexampleKind::IndexWidth { index: i128::from(index), bits };
            Verdict::Refuted { counterexample, obligation }
        }
        open => open,
    }
}
