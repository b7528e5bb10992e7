//! Who holds each array of a kernel of tiles.
//!
//! An array may be held by the threads if it is used in loops over points only, and there at elements that the thread of the point
//! has: then it is the same thread that writes an element and reads it.
//!
//! What is written and used within one loop over points is a variable there. What outlives its loop takes registers for as long
//! as it lives: one for each round, two for elements of 64 bits. Of those that do not all fit in [`MOST_REGISTERS`], the
//! arrays are preferred that are accessed more often for each register; the others stay shared.

use std::cmp::Reverse;

use super::accesses::Reach;
use super::liveness::Sites;
use crate::table::Table;
use crate::typed::{Kernel, Memory, SharedArray, SharedId};

/// The most registers of 32 bits that arrays take in each thread at any time. A thread has 255, of which the
/// products in a loop over points need some, and a multiprocessor has 65536 for all of its threads.
pub(super) const MOST_REGISTERS: i64 = 112;

/// The bytes of a register.
const REGISTER_BYTES: i64 = 4;

/// Who holds an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// Nobody: nothing accesses it any more.
    Nobody,
    /// The block, in shared memory.
    Block,
    /// Each thread, so many elements.
    Thread {
        /// One for each round, at least two.
        rounds: i64,
    },
    /// Each thread, in a variable.
    Variable {
        /// Whether it is assigned more than once, or keeps its value beyond one loop over points.
        mutable: bool,
    },
}

/// An array that threads could hold beyond one loop over points.
struct Candidate {
    array: SharedId,
    registers: i64,
    weight: u64,
    holder: Holder,
}

/// The holder of each array of a kernel, in their order.
pub(super) fn holders(kernel: &Kernel, threads: i64, poll: &dyn Fn()) -> Table<SharedId, Holder> {
    let sites = Sites::new(kernel, threads, poll);
    let mut holders: Table<SharedId, Holder> = kernel.shared.iter().map(|_| Holder::Block).collect();
    let mut candidates = Vec::new();
    for (id, array) in kernel.shared.entries() {
        poll();
        if sites.of_array(id).next().is_none() && sites.others.get(Memory::Shared(id)).accesses == 0 {
            holders[id] = Holder::Nobody;
            continue;
        }
        let Some(points) = own_points(&sites, id).filter(|_| !array.cleared) else { continue };
        if let Some(mutable) = within_one_site(&sites, id) {
            holders[id] = Holder::Variable { mutable };
        } else {
            candidates.push(candidate(&sites, id, array, points, threads));
        }
    }
    // A stable sort: of equal ones the first in the text.
    candidates.sort_by_key(|candidate| {
        (Reverse(candidate.weight / candidate.registers.unsigned_abs().max(1)), candidate.array)
    });
    let mut taken = vec![0; sites.all.len()];
    for Candidate { array, registers, holder, .. } in candidates {
        poll();
        let Some(live) = sites.live(array).and_then(|live| taken.get_mut(live)) else { continue };
        if live.iter().all(|taken| taken + registers <= MOST_REGISTERS) {
            live.iter_mut().for_each(|taken| *taken += registers);
            holders[array] = holder;
        }
    }
    holders
}

/// The number of points of the loops that use an array at the own point; `None` if the thread of a point also uses other elements
/// than it has.
fn own_points(sites: &Sites<'_>, array: SharedId) -> Option<i64> {
    let memory = Memory::Shared(array);
    if sites.others.get(memory).accesses > 0 {
        return None;
    }
    let mut points = None;
    for (_, site) in sites.of_array(array) {
        let here = site.each.points();
        match site.usages.get(memory).reach {
            Reach::Point if *points.get_or_insert(here) == here => {}
            Reach::Thread => {}
            Reach::Point | Reach::Elsewhere => return None,
        }
    }
    points
}

/// Whether an array that one loop over points writes and uses is written more than once; `None` of any other array.
fn within_one_site(sites: &Sites<'_>, array: SharedId) -> Option<bool> {
    let mut users = sites.of_array(array);
    let (_, site) = users.next()?;
    let is_at_point = site.usages.get(Memory::Shared(array)).reach == Reach::Point;
    (users.next().is_none() && is_at_point && site.is_written_first(array)).then(|| site.stores(array) > 1)
}

fn candidate(sites: &Sites<'_>, id: SharedId, array: &SharedArray, points: i64, threads: i64) -> Candidate {
    let rounds = points / threads + i64::from(points % threads != 0);
    let bytes = i64::try_from(array.element.size_bytes()).unwrap_or(i64::MAX);
    let of_element = bytes / REGISTER_BYTES + i64::from(bytes % REGISTER_BYTES != 0);
    let holder = if rounds == 1 { Holder::Variable { mutable: true } } else { Holder::Thread { rounds } };
    let weight: u64 = sites.of_array(id).map(|(_, site)| site.weight(id)).fold(0, u64::saturating_add);
    // Each of its registers is accessed in one round.
    let weight = weight.saturating_mul(rounds.unsigned_abs());
    Candidate { array: id, registers: rounds.saturating_mul(of_element), weight, holder }
}
