//! How the threads of an iteration lie in the warps of a block.

use std::ops::Range;

use super::{first_thread, instance, lane, remainder};
use crate::typed::{BinaryOp, Expr, Lanes};
use maps::hardware::WARP_LANES;
use maps::threads::Tiling;

/// The threads of each iteration of a tiling, as the warps of a block have them.
#[derive(Clone, Debug, PartialEq)]
pub enum Members {
    /// Lanes of one warp that differ in some bits of their numbers, in every way: 2, 4, 8, 16 or 32 of them, or a single one.
    Lanes {
        /// The lanes.
        lanes: Lanes,
        /// The bits, ascending, each as a number.
        bits: Vec<u32>,
    },
    /// Several whole warps.
    Warps {
        /// How many.
        count: i64,
        /// The number of an iteration.
        instance: Expr,
        /// How many iterations there are.
        instances: i64,
        /// The place of a thread's warp among those of its iteration.
        rank: Expr,
    },
    /// Other threads: so many.
    Other(i64),
}

impl Members {
    /// All threads of a block.
    pub fn of_block(threads: i64) -> Self {
        match threads / WARP_LANES {
            1 if threads == WARP_LANES => Self::of_warp(),
            count if threads % WARP_LANES == 0 && count > 1 => {
                let rank = Expr::binary(BinaryOp::FloorDivide, Expr::thread_id(), Expr::int(WARP_LANES));
                Self::Warps { count, instance: Expr::int(0), instances: 1, rank }
            }
            _ => Self::Other(threads),
        }
    }

    /// The lanes of a warp.
    pub fn of_warp() -> Self {
        Self::Lanes { lanes: Lanes::all(), bits: (0..WARP_LANES.ilog2()).map(|bit| 1 << bit).collect() }
    }

    /// The threads of each iteration of a tiling.
    pub fn of_tiling(tiling: &Tiling) -> Self {
        let block = tiling.launch().block();
        let all = tiling.leaf_threads();
        let groups = groups(tiling, block);
        let threads = groups.first().map_or(0, |group| length(group));
        // Blocks of a cluster pass nothing to each other here.
        if threads != all || block % WARP_LANES != 0 || groups.iter().any(|group| length(group) != threads) {
            return Self::Other(all);
        }
        if let Some(mask) = lanes(&groups) {
            let bits: Vec<u32> =
                (0..WARP_LANES.ilog2()).map(|bit| 1 << bit).filter(|bit| mask >> bit & 1 == 1).collect();
            let differing = bits.iter().fold(0, |all, bit| all | bit);
            let is_aligned = |group: &Vec<Range<i64>>| {
                group.first().is_some_and(|run| run.start.rem_euclid(WARP_LANES) & i64::from(differing) == 0)
            };
            if mask != combinations(&bits) || !groups.iter().all(is_aligned) {
                return Self::Other(all);
            }
            let first = if mask == u32::MAX { Expr::int(0) } else { remainder(first_thread(tiling), WARP_LANES) };
            return Self::Lanes { lanes: Lanes { mask, first }, bits };
        }
        let is_whole = |run: &Range<i64>| run.start % WARP_LANES == 0 && run.end % WARP_LANES == 0;
        if !groups.iter().flatten().all(is_whole) || !groups.iter().all(|group| is_in_order(tiling, group, block)) {
            return Self::Other(all);
        }
        let rank = Expr::binary(BinaryOp::FloorDivide, lane(tiling), Expr::int(WARP_LANES));
        let (count, instances) = (threads / WARP_LANES, tiling.iterations());
        Self::Warps { count, instance: instance(tiling), instances, rank }
    }
}

/// The mask of the lanes whose numbers have some of these bits and no others.
fn combinations(bits: &[u32]) -> u32 {
    let differing = bits.iter().fold(0, |all, bit| all | bit);
    (0..u32::BITS).filter(|lane| lane & !differing == 0).fold(0, |mask, lane| mask | 1 << lane)
}

/// Whether the places of threads in their iteration ascend with the threads.
fn is_in_order(tiling: &Tiling, group: &[Range<i64>], block: i64) -> bool {
    let digits = tiling.digits().lane;
    let mut threads = group.iter().flat_map(Clone::clone).zip(0..);
    tiling.launch().cluster() == 1 && threads.all(|(thread, place)| digits.value(thread / block, thread) == place)
}

/// The threads of each iteration within one block.
pub(crate) fn groups(tiling: &Tiling, block: i64) -> Vec<Vec<Range<i64>>> {
    let counts: Vec<i64> = tiling.iterators().iter().map(|iterator| iterator.count).collect();
    let mut groups = Vec::new();
    for number in 0..tiling.iterations() {
        let mut rest = number;
        let mut values: Vec<i64> = counts
            .iter()
            .rev()
            .map(|count| {
                let value = rest % count;
                rest /= count;
                value
            })
            .collect();
        values.reverse();
        let Ok(set) = tiling.threads(&values) else { continue };
        let Some(first) = set.runs().first() else { continue };
        let base = first.start / block * block;
        let within = set.runs().iter().map(|run| run.start.max(base) - base..run.end.min(base + block) - base);
        groups.push(within.filter(|run| run.start < run.end).collect());
    }
    groups
}

/// How many threads a group has.
pub(crate) fn length(group: &[Range<i64>]) -> i64 {
    group.iter().map(|run| run.end - run.start).sum()
}

/// The lanes of each group as a mask relative to its first lane, if every group is in one warp and all masks are
/// equal.
pub(crate) fn lanes(groups: &[Vec<Range<i64>>]) -> Option<u32> {
    let mut found = None;
    for group in groups {
        let (first, last) = (group.first()?.start, group.last()?.end - 1);
        if first / WARP_LANES != last / WARP_LANES {
            return None;
        }
        let bits = group.iter().flat_map(Clone::clone).fold(0u32, |bits, thread| bits | 1 << (thread - first));
        if *found.get_or_insert(bits) != bits {
            return None;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use maps::threads::standard_unit;

    fn of(block: i64, steps: &[(i64, &str)]) -> Members {
        let mut tiling = Tiling::new(1, block).unwrap();
        for (number, (count, unit)) in steps.iter().enumerate() {
            let unit = standard_unit(unit).unwrap().build(&[]).unwrap();
            tiling = tiling.tile(&format!("i{number}"), *count, &unit).unwrap();
        }
        Members::of_tiling(&tiling)
    }

    fn bits(members: Members) -> Vec<u32> {
        match members {
            Members::Lanes { bits, .. } => bits,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn warps_and_their_parts_are_lanes() {
        assert_eq!(bits(of(256, &[(8, "cuda_warp")])), [1, 2, 4, 8, 16]);
        assert_eq!(bits(of(256, &[(8, "cuda_warp"), (32, "cuda_thread")])), [0u32; 0]);
        assert_eq!(bits(of(64, &[(2, "cuda_warp"), (4, "cuda_quadpair")])), [1, 2, 16]);
    }

    #[test]
    fn several_warps_are_ranked() {
        let Members::Warps { count, instances, .. } = of(512, &[(4, "cuda_warpgroup")]) else { panic!("no warps") };
        assert_eq!((count, instances), (4, 4));
        assert!(matches!(Members::of_block(96), Members::Warps { count: 3, instances: 1, .. }));
        assert_eq!(Members::of_block(48), Members::Other(48));
        assert_eq!(Members::of_block(32), Members::of_warp());
    }
}
