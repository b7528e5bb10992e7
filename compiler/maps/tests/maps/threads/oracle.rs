//! Units and tilings straight from their definitions: sets of threads, one thread after the other.
//!
//! Nothing here is shared with the code that it is compared with.

use std::collections::BTreeSet;

pub(super) type Set = BTreeSet<i64>;

/// A unit for one launch: for each dimension its extent and how much is taken of it.
pub(super) type Shape = Vec<(i64, Option<i64>)>;

/// Which threads execute each iteration, by the values of the iterators.
pub(super) type Assigned = Vec<(Vec<i64>, Set)>;

/// The standard units, multiplied by a factor, as integers; `None` where the launch has no such unit.
pub(super) fn standard(name: &str, values: &[i64], factor: i64, (cluster, block): (i64, i64)) -> Option<Shape> {
    let exact = |value: i64, divisor: i64| (value % divisor == 0).then_some(value / divisor);
    let shape = match (name, values) {
        ("standalone_thread", []) => vec![(1, Some(factor))],
        ("cuda_thread", []) => vec![(block, Some(factor))],
        ("cuda_warp", []) => vec![(block, Some(32 * factor))],
        ("cuda_warpgroup", []) => vec![(block, Some(128 * factor))],
        ("cuda_quadpair", []) => vec![(exact(block, 16)?, Some(2)), (16, Some(4))],
        ("cuda_threads_strided", [n, s]) => vec![(exact(block, *s)?, Some(1)), (*s, Some(n * factor))],
        ("cuda_warp_in_cluster", []) => vec![(cluster, Some(1)), (block, Some(32 * factor))],
        ("cuda_cta_in_cluster", []) => vec![(cluster * block, Some(block * factor))],
        ("cuda_cta_in_cluster_strided", [s]) => {
            vec![(exact(cluster, *s)?, Some(factor)), (*s, Some(1)), (block, Some(block))]
        }
        ("cuda_cluster", []) => vec![(cluster * block, Some(cluster * block * factor))],
        ("cuda_agnostic_sub_cta", []) => vec![(cluster, Some(1)), (block, None)],
        ("cuda_agnostic_intact_cta", []) => vec![(cluster, None), (block, Some(block))],
        _ => panic!("{name}"),
    };
    shape.iter().all(|(extent, taken)| taken.is_none_or(|taken| taken <= *extent)).then_some(shape)
}

/// The unit with the rest of the cluster as its slowest dimension, of which it takes so much.
fn completed(shape: &Shape, threads: i64, rest: Option<i64>) -> Option<Shape> {
    let product: i64 = shape.iter().map(|(extent, _)| extent).product();
    if product == 0 || threads % product != 0 {
        return None;
    }
    Some(
        std::iter::once((threads / product, rest))
            .chain(shape.iter().copied())
            .filter(|(extent, _)| *extent != 1)
            .collect(),
    )
}

fn pitches(extents: impl DoubleEndedIterator<Item = i64>) -> BTreeSet<i64> {
    let mut all = BTreeSet::from([1]);
    let mut product = 1;
    for extent in extents.rev() {
        product *= extent;
        all.insert(product);
    }
    all
}

/// The extents between distances, the slowest first; `None` where one is no multiple of the one before.
fn extents(pitches: &BTreeSet<i64>) -> Option<Vec<i64>> {
    let pitches: Vec<i64> = pitches.iter().copied().collect();
    let pairs = pitches.windows(2).rev();
    pairs.map(|pair| (pair[1] % pair[0] == 0).then_some(pair[1] / pair[0])).collect()
}

/// The coordinates of a thread in a space with these extents, the slowest first.
fn coordinates(thread: i64, domain: &[i64]) -> Vec<i64> {
    let mut rest = thread;
    let mut all: Vec<i64> = domain
        .iter()
        .rev()
        .map(|extent| {
            let own = rest % extent;
            rest /= extent;
            own
        })
        .collect();
    all.reverse();
    all
}

/// For each dimension the coordinates that threads of the set have; `None` if the set is not all combinations of them.
fn projections(set: &Set, domain: &[i64]) -> Option<Vec<BTreeSet<i64>>> {
    let mut all = vec![BTreeSet::new(); domain.len()];
    for thread in set {
        coordinates(*thread, domain).into_iter().zip(&mut all).for_each(|(own, all)| _ = all.insert(own));
    }
    (all.iter().map(BTreeSet::len).product::<usize>() == set.len()).then_some(all)
}

/// The tilings so far: the domain, and the threads of each iteration.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) domain: Vec<i64>,
    pub(super) assigned: Assigned,
}

pub(super) fn all_threads((cluster, block): (i64, i64)) -> Known {
    let domain = vec![cluster, block].into_iter().filter(|extent| *extent != 1).collect();
    Known { domain, assigned: vec![(Vec::new(), (0..cluster * block).collect())] }
}

/// Narrows every iteration to the units `low..high`: one after the other to one iteration each (`tile`), or to all of
/// them together (`specialize`). `None` where that means nothing.
pub(super) fn narrow(known: &Known, unit: &Shape, low: i64, high: i64, each: bool) -> Option<Known> {
    let threads: i64 = known.domain.iter().product();
    let unit = completed(unit, threads, None)?;
    let both: BTreeSet<i64> = pitches(known.domain.iter().copied())
        .union(&pitches(unit.iter().map(|(extent, _)| *extent)))
        .copied()
        .collect();
    let domain = extents(&both)?;
    let taken = split_unit(&unit, &domain)?;
    let mut assigned = Vec::new();
    for (values, set) in &known.assigned {
        let along = projections(set, &domain)?;
        let parts: Vec<usize> = (0..domain.len())
            .filter(|at| taken[*at].is_some_and(|taken| taken != along[*at].len() as i64 && taken != domain[*at]))
            .collect();
        let keep = |from: i64, to: i64, at: usize| -> Option<Set> {
            let first = *along[at].first()?;
            // Units lie one after the other.
            (to <= along[at].len() as i64).then_some(())?;
            Some(
                set.iter()
                    .copied()
                    .filter(|thread| (first + from..first + to).contains(&coordinates(*thread, &domain)[at]))
                    .collect(),
            )
        };
        let ranges: Vec<(i64, i64)> =
            if each { (low..high).map(|one| (one, one + 1)).collect() } else { vec![(low, high)] };
        for (from, to) in ranges {
            let set = match parts.as_slice() {
                [] if (low, high) == (0, 1) => set.clone(),
                [at] => keep(from * taken[*at]?, to * taken[*at]?, *at)?,
                _ => return None,
            };
            let mut values = values.clone();
            values.extend(each.then_some(from));
            assigned.push((values, set));
        }
    }
    Some(Known { domain, assigned })
}

/// How much a unit takes of each dimension of a finer domain.
fn split_unit(unit: &Shape, domain: &[i64]) -> Option<Vec<Option<i64>>> {
    let mut all = Vec::new();
    let mut finer = domain.iter().copied();
    for (extent, taken) in unit {
        let mut own = Vec::new();
        while own.iter().product::<i64>() < *extent {
            own.push(finer.next()?);
        }
        // The fastest dimension is filled first.
        let mut rest = *taken;
        let mut reversed = Vec::new();
        for (position, part) in own.iter().rev().enumerate() {
            let last = position + 1 == own.len();
            reversed.push(match rest {
                None => None,
                Some(left) if last => Some(left),
                Some(left) if left < *part => {
                    rest = Some(1);
                    Some(left)
                }
                Some(left) if left % part == 0 => {
                    rest = Some(left / part);
                    Some(*part)
                }
                Some(_) => return None,
            });
        }
        all.extend(reversed.into_iter().rev());
    }
    Some(all)
}

/// Whether the threads of every iteration match the unit: its aligned form says for each dimension whether one, all or
/// any coordinates are taken, and the threads are all combinations of those.
pub(super) fn is_matched(known: &Known, unit: &Shape) -> bool {
    let threads: i64 = known.domain.iter().product();
    let Some(unit) = completed(unit, threads, Some(1)) else { return false };
    let mut aligned = Vec::new();
    for (extent, taken) in unit {
        match taken {
            Some(taken) if taken != 1 && taken != extent => {
                if extent % taken != 0 {
                    return false;
                }
                aligned.extend([(extent / taken, Some(1)), (taken, Some(taken))]);
            }
            _ => aligned.push((extent, taken)),
        }
    }
    let domain: Vec<i64> = aligned.iter().map(|(extent, _)| *extent).collect();
    known.assigned.iter().all(|(_, set)| {
        projections(set, &domain).is_some_and(|along| {
            along.iter().zip(&aligned).all(|(along, (extent, taken))| match taken {
                None => true,
                Some(1) => along.len() == 1,
                Some(_) => along.len() as i64 == *extent,
            })
        })
    })
}

/// One dimension of a tiling with its operations: the number of the iterator, the box and the offset in threads.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) extent: i64,
    pub(super) pitch: i64,
    pub(super) operations: Vec<(Option<usize>, i64, i64)>,
}

/// The threads that dimensions give to an iteration, as the definition says.
pub(super) fn threads_of(lines: &[Line], values: &[i64]) -> Set {
    let mut set = Set::from([0]);
    for line in lines {
        let (mut a, mut b) = (0, line.extent * line.pitch - 1);
        for (iterator, linear_box, offset) in &line.operations {
            a += offset + iterator.map_or(0, |iterator| values[iterator]) * linear_box;
            b = a + linear_box - 1;
        }
        let own = a / line.pitch..=b / line.pitch;
        set = set.iter().flat_map(|thread| own.clone().map(move |own| thread + own * line.pitch)).collect();
    }
    set
}

/// The split of the seed: by the size of the box each operation goes to one of two dimensions.
pub(super) fn split(line: &Line, factor: i64) -> [Line; 2] {
    let (outer, inner): (Vec<_>, Vec<_>) =
        line.operations.iter().copied().partition(|(_, linear_box, _)| linear_box / line.pitch >= factor);
    [
        Line { extent: line.extent / factor, pitch: line.pitch * factor, operations: outer },
        Line { extent: factor, pitch: line.pitch, operations: inner },
    ]
}
