//! The arrays that the threads of a block share, judged by what the barriers order: vector clocks over the threads' own histories.
//!
//! A thread's history does not depend on the others here, since what is read depends on the place alone. So each thread
//! is gone through alone first, and then all histories are played together, as far as barriers let them.

use std::collections::BTreeMap;

use kernel::typed::{Kernel, Memory, Waiting};

use super::Fault;

/// What a thread did to what its block shares, in its order.
#[derive(Clone, Debug)]
pub enum Event {
    /// It touched an element of a memory that barriers order.
    Touch { memory: Memory, place: i64, write: bool },
    /// It waits for others: how many of which barrier, or which lanes of its warp.
    Wait(Wait),
}

/// Whom a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    Block,
    Numbered { id: i64, threads: usize },
    Lanes(u32),
}

impl Wait {
    /// A barrier, with the value of its expression.
    pub fn new(waiting: &Waiting, value: i64) -> Result<Wait, Fault> {
        Ok(match waiting {
            Waiting::Block => Wait::Block,
            Waiting::Warps { threads, .. } => {
                if !(1..16).contains(&value) {
                    return Err(Fault::Stuck(format!("there is no barrier {value}")));
                }
                Wait::Numbered { id: value, threads: *threads as usize }
            }
            Waiting::Warp { lanes, .. } => {
                let mask = u32::try_from(value).ok().filter(|first| *first < 32).map(|first| lanes << first);
                Wait::Lanes(mask.ok_or_else(|| Fault::Stuck(format!("lanes from {value} on")))?)
            }
        })
    }
}

/// An access at a thread's own time.
type Moment = (usize, u32);

#[derive(Default)]
struct Place {
    written: Option<Moment>,
    read: Vec<Moment>,
}

/// Plays the histories of a block's threads.
pub fn play(histories: &[Vec<Event>], kernel: &Kernel) -> Result<(), Fault> {
    let count = histories.len();
    let mut clocks: Vec<Vec<u32>> =
        (0..count).map(|own| (0..count).map(|other| u32::from(own == other)).collect()).collect();
    let mut next = vec![0; count];
    let mut waits: Vec<Option<Wait>> = vec![None; count];
    let mut places: BTreeMap<(Memory, i64), Place> = BTreeMap::new();
    loop {
        for thread in 0..count {
            while waits[thread].is_none() && next[thread] < histories[thread].len() {
                match &histories[thread][next[thread]] {
                    Event::Wait(wait) => waits[thread] = Some(*wait),
                    Event::Touch { memory, place, write } => {
                        let here = places.entry((*memory, *place)).or_default();
                        let must_be_written = match memory {
                            Memory::Shared(array) => !kernel.shared[*array].cleared,
                            Memory::Param(_) => false,
                        };
                        if !write && here.written.is_none() && must_be_written {
                            let what = format!("thread {thread} reads {place} of {memory:?}, which nobody wrote");
                            return Err(Fault::Race(what));
                        }
                        let is_over = |moment: &Moment| clocks[thread][moment.0] >= moment.1;
                        let others = here.written.iter().chain(here.read.iter().filter(|_| *write));
                        if let Some(other) = others.copied().find(|moment| !is_over(moment)) {
                            let verb = if *write { "writes" } else { "reads" };
                            let what =
                                format!("thread {thread} {verb} {place} of {memory:?}, as thread {} does", other.0);
                            return Err(Fault::Race(what));
                        }
                        let now = (thread, clocks[thread][thread]);
                        if *write {
                            *here = Place { written: Some(now), read: Vec::new() };
                        } else {
                            here.read.retain(|moment| moment.0 != thread);
                            here.read.push(now);
                        }
                    }
                }
                next[thread] += 1;
            }
        }
        let Some(group) = (0..count).find_map(|thread| complete(thread, &waits)) else { break };
        let joined: Vec<u32> =
            (0..count).map(|other| group.iter().map(|member| clocks[*member][other]).max().unwrap_or(0)).collect();
        for member in group {
            clocks[member].clone_from(&joined);
            clocks[member][member] += 1;
            waits[member] = None;
        }
    }
    match waits.iter().position(Option::is_some) {
        Some(thread) => Err(Fault::Stuck(format!("thread {thread} waits for threads that never come"))),
        None => Ok(()),
    }
}

/// The threads that go on where a thread waits, if all that it waits for are there.
fn complete(thread: usize, waits: &[Option<Wait>]) -> Option<Vec<usize>> {
    let wait = waits[thread]?;
    let same = |other: &usize| waits[*other] == Some(wait);
    let warp = thread / 32 * 32..(thread / 32 * 32 + 32).min(waits.len());
    match wait {
        Wait::Block => {
            Some((0..waits.len()).filter(same).collect()).filter(|all: &Vec<usize>| all.len() == waits.len())
        }
        Wait::Numbered { threads, .. } => {
            Some((0..waits.len()).filter(same).collect()).filter(|all: &Vec<usize>| all.len() == threads)
        }
        Wait::Lanes(mask) => {
            let named: Vec<usize> = warp.clone().filter(|other| mask >> (other - warp.start) & 1 == 1).collect();
            (named.contains(&thread) && named.iter().all(same)).then_some(named)
        }
    }
}
