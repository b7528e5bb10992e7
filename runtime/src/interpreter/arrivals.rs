//! Checks that exactly the threads that a barrier waits for arrive at it together.

use std::collections::BTreeMap;

use kernel::typed::{Barrier, Kernel};
use maps::hardware::{BARRIERS, WARP_LANES};

use super::phases::{PreparedBarrier, Waiters};
use crate::execute::error::ExecuteError;

/// The threads of a warp.
pub const WARP: usize = WARP_LANES as usize;

/// A violation of the typed kernel's contract for barriers.
pub(crate) struct Problem {
    /// The threads that should wait.
    waiting: String,
    /// The threads that arrived.
    found: String,
}

impl Problem {
    /// The error for a kernel.
    pub(crate) fn error(self, kernel: &Kernel, block: i64, barrier: &Barrier) -> ExecuteError {
        let Problem { waiting, found } = self;
        let (before, after) = (barrier.before, barrier.after);
        ExecuteError::Barrier { kernel: kernel.name.to_string(), block, waiting, found, before, after }
    }
}

/// Checks the arrivals at a barrier: threads in ascending order, each with its value of the barrier's expression.
pub(super) fn check(barrier: &PreparedBarrier, arrivals: &[(usize, i64)], threads: usize) -> Result<(), Problem> {
    match &barrier.waiting {
        Waiters::Block => {
            let arrived: Vec<usize> = arrivals.iter().map(|(thread, _)| *thread).collect();
            all_came("all threads of the block", &(0..threads).collect::<Vec<_>>(), &arrived)
        }
        Waiters::Warp { lanes, .. } => {
            for ((warp, first), arrived) in together(arrivals, |thread| thread / WARP) {
                let mask = lane_mask(*lanes, first)?;
                let who = format!("the lanes {mask:#x} of warp {warp}");
                all_came(&who, &members(mask, warp, threads), &arrived)?;
            }
            Ok(())
        }
        Waiters::Warps { threads: count, .. } => {
            for ((_, id), arrived) in together(arrivals, |_| 0) {
                whole_warps(id, *count as usize, &arrived, threads)?;
            }
            Ok(())
        }
    }
}

/// Groups arrivals by the key of their thread and by their value.
fn together(arrivals: &[(usize, i64)], key: fn(usize) -> usize) -> BTreeMap<(usize, i64), Vec<usize>> {
    let mut together: BTreeMap<(usize, i64), Vec<usize>> = BTreeMap::new();
    for &(thread, value) in arrivals {
        together.entry((key(thread), value)).or_default().push(thread);
    }
    together
}

/// The mask of the waiting lanes in the warp.
pub(crate) fn lane_mask(lanes: u32, first: i64) -> Result<u32, Problem> {
    let shifted =
        u32::try_from(first).ok().filter(|first| i64::from(*first) < WARP_LANES).map(|first| u64::from(lanes) << first);
    shifted.and_then(|mask| u32::try_from(mask).ok()).ok_or_else(|| Problem {
        waiting: format!("the lanes {lanes:#x}, counted from lane {first},"),
        found: format!("a warp has only {WARP} lanes"),
    })
}

/// The threads of a warp's lanes. The last warp of a block may have fewer than 32.
fn members(mask: u32, warp: usize, threads: usize) -> Vec<usize> {
    let lanes = (0..WARP).filter(|lane| mask >> lane & 1 == 1);
    lanes.map(|lane| warp * WARP + lane).filter(|thread| *thread < threads).collect()
}

fn all_came(who: &str, expected: &[usize], arrived: &[usize]) -> Result<(), Problem> {
    if expected == arrived {
        return Ok(());
    }
    let without = |all: &[usize], others: &[usize]| -> Vec<usize> {
        all.iter().copied().filter(|thread| !others.contains(thread)).collect()
    };
    let (missing, strangers) = (without(expected, arrived), without(arrived, expected));
    let mut found = format!("{} came, {} did not", in_words(&without(arrived, &strangers)), in_words(&missing));
    if !strangers.is_empty() {
        found.push_str(&format!("; {} came too, but not to wait", in_words(&strangers)));
    }
    Err(Problem { waiting: who.to_owned(), found })
}

fn whole_warps(id: i64, count: usize, arrived: &[usize], threads: usize) -> Result<(), Problem> {
    let warps: BTreeMap<usize, usize> = arrived.iter().fold(BTreeMap::new(), |mut warps, thread| {
        *warps.entry(thread / WARP).or_default() += 1;
        warps
    });
    let is_whole = |(warp, lanes): (&usize, &usize)| *lanes == (threads - warp * WARP).min(WARP);
    let are_whole = warps.iter().all(is_whole);
    if arrived.len() == count && are_whole && (1..BARRIERS).contains(&id) {
        return Ok(());
    }
    let found = if !(1..BARRIERS).contains(&id) {
        format!("barriers are numbered from 1 to {}", BARRIERS - 1)
    } else {
        format!("{} came, and no others", in_words(arrived))
    };
    Err(Problem { waiting: format!("{count} threads, in whole warps, at barrier {id},"), found })
}

/// A list of threads for messages: `threads 0 to 31 and 64`.
pub fn in_words(threads: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &thread in threads {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == thread => *last = thread,
            _ => ranges.push((thread, thread)),
        }
    }
    let mut words: Vec<String> = ranges
        .iter()
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first} to {last}") })
        .collect();
    let noun = if threads.len() == 1 { "thread" } else { "threads" };
    match (words.pop(), words.is_empty()) {
        (None, _) => "no thread".to_owned(),
        (Some(last), true) => format!("{noun} {last}"),
        (Some(last), false) => format!("{noun} {} and {last}", words.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_counted_in_words() {
        assert_eq!(in_words(&[]), "no thread");
        assert_eq!(in_words(&[3]), "thread 3");
        assert_eq!(in_words(&[0, 1, 2]), "threads 0 to 2");
        assert_eq!(in_words(&[0, 1, 4, 6, 7]), "threads 0 to 1, 4 and 6 to 7");
    }

    #[test]
    fn lanes_are_shifted_within_the_warp() {
        assert_eq!(lane_mask(0xffff, 16).ok(), Some(0xffff_0000));
        assert_eq!(lane_mask(1, 31).ok(), Some(1 << 31));
        assert!(
            [(0xffff, 17), (1, 32), (1, -1), (1, 1 << 40)].iter().all(|(lanes, at)| lane_mask(*lanes, *at).is_err())
        );
    }
}
