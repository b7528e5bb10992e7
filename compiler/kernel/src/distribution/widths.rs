//! How many neighbouring points a thread does at a time.
//!
//! Points are dealt one by one, so a thread loads one element of a tensor in each round. Where a thread does 2, 4 or 8
//! neighbours, it can load them as a vector. All loops over as many points deal them alike, so that the thread that writes an
//! element of an array is the one that reads it.

use std::collections::{BTreeMap, BTreeSet};

use super::accesses::Reach;
use super::holders::Holder;
use super::liveness::{Site, Sites};
use super::products::Sum;
use super::rewriting;
use crate::loops::{For, List, Loops, Step, StepKind, VectorLoop, lower, vector_loops};
use crate::table::Table;
use crate::typed::{Kernel, Local, Memory, SharedId, Statement, StatementKind};
use maps::hardware::VECTOR_BYTES;

/// The most points of a vector.
const MOST_POINTS: i64 = 8;

/// By the number of points of a loop: how many a thread does at a time, if more than one.
pub(super) type Widths = BTreeMap<i64, i64>;

/// The iterators over the points of vectors, with the number of points of their loops.
pub(super) type Lanes = BTreeMap<Local, i64>;

/// The kernel with its holders, in which threads do vectors of points wherever each access of a tensor then is one of a vector,
/// and where the points are sums of products, which share a factor then; `None` if that is nowhere so.
pub(super) fn with_vectors(
    kernel: &Kernel,
    holders: &Table<SharedId, Holder>,
    threads: i64,
    sums: &[Sum],
    poll: &dyn Fn(),
) -> Option<Kernel> {
    let mut widths = candidates(kernel, holders, threads, poll);
    while !widths.is_empty() {
        let (held, lanes) = rewriting::with_holders(kernel.clone(), holders, threads, &widths, poll)?;
        let mut needless = without_vectors(&held.per_thread(), &lanes, &widths, poll);
        needless.retain(|points| !sums.iter().any(|sum| sum.reads_vectors && sum.points == *points));
        if needless.is_empty() {
            return Some(held);
        }
        for points in needless {
            widths.entry(points).and_modify(|width| *width /= 2);
        }
        widths.retain(|_, width| *width > 1);
    }
    None
}

/// The greatest widths that may be worth it.
fn candidates(kernel: &Kernel, holders: &Table<SharedId, Holder>, threads: i64, poll: &dyn Fn()) -> Widths {
    let sites = Sites::new(kernel, threads, poll);
    let mut widths = one_by_one(&sites, holders);
    for site in &sites.all {
        let points = site.each.points();
        let width = width_of(site, kernel, threads).unwrap_or(1);
        let known = widths.entry(points).or_insert(MOST_POINTS);
        *known = width.min(*known);
    }
    widths.retain(|_, width| *width > 1);
    widths
}

/// The numbers of points that have to be dealt one by one, each with a width of 1: a thread that uses other elements than that of
/// the point has those that are `threads` apart.
fn one_by_one(sites: &Sites<'_>, holders: &Table<SharedId, Holder>) -> Widths {
    let mut found = Widths::new();
    for (array, holder) in holders.entries() {
        let is_of_thread = |site: &Site<'_>| site.usages.get(Memory::Shared(array)).reach == Reach::Thread;
        let is_held = matches!(holder, Holder::Thread { .. } | Holder::Variable { .. });
        if is_held && sites.of_array(array).any(|(_, site)| is_of_thread(site)) {
            found.extend(sites.of_array(array).map(|(_, site)| (site.each.points(), 1)));
        }
    }
    found
}

/// The greatest width of a loop; `None` if it does more at a point than to compute and to store.
fn width_of(site: &Site<'_>, kernel: &Kernel, threads: i64) -> Option<i64> {
    let is_plain =
        |statement: &Statement| matches!(statement.kind, StatementKind::Assign { .. } | StatementKind::Store { .. });
    if !site.each.body.iter().all(is_plain) {
        return None;
    }
    let tensors = site.usages.iter().filter_map(|(memory, _)| Some((memory.param()?, kernel.element(memory)?)));
    let bytes = tensors.map(|(_, element)| element.size_bytes()).max().unwrap_or(1);
    let mut width = MOST_POINTS.min(VECTOR_BYTES / i64::try_from(bytes).ok()?);
    let extent = site.each.axes.iter().rev().map(|axis| axis.extent).find(|extent| *extent > 1)?;
    while width > 1 && (extent % width != 0 || site.each.points() % (threads * width) != 0) {
        width /= 2;
    }
    Some(width)
}

/// The numbers of points of loops over vectors in which a tensor is not accessed by vectors, or that access none.
fn without_vectors(kernel: &Kernel, lanes: &Lanes, widths: &Widths, poll: &dyn Fn()) -> BTreeSet<i64> {
    let loops = lower(kernel, poll);
    let vectors = vector_loops(&loops, poll);
    let mut needless: BTreeSet<i64> = widths.keys().copied().collect();
    let mut others = BTreeSet::new();
    let mut open: Vec<&List> = vec![&loops.body];
    while let Some(list) = open.pop() {
        poll();
        for Step { kind, .. } in &list.steps {
            open.extend(kind.lists());
            let StepKind::For(counted) = kind else { continue };
            let Some(points) = lanes.get(&counted.local) else { continue };
            match by_vectors(counted, vectors.get(&counted.id), &loops) {
                Some(true) => {
                    needless.remove(points);
                }
                Some(false) => {}
                None => {
                    others.insert(*points);
                }
            }
        }
    }
    needless.extend(others);
    needless
}

/// Whether a loop over the points of a vector accesses tensors; `None` if it accesses one in another way than by whole vectors or
/// at one place.
fn by_vectors(counted: &For, vectors: Option<&VectorLoop>, loops: &Loops<'_>) -> Option<bool> {
    let mut found = false;
    for id in counted.body.steps.iter().flat_map(|step| &step.accesses) {
        let access = loops.access(*id)?;
        let moves = loops.values.get(access.offset)?.loops.contains(&counted.id);
        if !matches!(access.memory, Memory::Param(_)) || !moves {
            continue;
        }
        let group = vectors.and_then(|vectors| vectors.groups.get(vectors.group(*id)?))?;
        if vectors.is_none_or(|vectors| vectors.count != group.width) {
            return None;
        }
        found = true;
    }
    Some(found)
}
