//! The barriers of a block, which count arriving threads.

use maps::hardware::BARRIERS;
use shapewright_runtime::interpreter::WARP;
use shapewright_runtime::interpreter::turns::Arrival;

/// The barrier for which a thread waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    /// The barrier with this number; 0 is the block's.
    Barrier(i64),
    /// These lanes of its warp.
    Lanes(u32),
}

pub(super) struct Barriers {
    /// For each thread the barrier for which it waits, if any.
    waits: Vec<Option<Wait>>,
    arrived: Vec<usize>,
}

impl Barriers {
    pub fn new(threads: usize) -> Barriers {
        Barriers { waits: vec![None; threads], arrived: vec![0; BARRIERS as usize] }
    }

    /// The threads that are waiting.
    pub fn waiting(&self) -> Vec<usize> {
        (0..self.waits.len()).filter(|thread| self.waits[*thread].is_some()).collect()
    }

    /// Records an arrival, and returns the threads that may go on.
    pub fn arrive(&mut self, thread: usize, arrival: Arrival) -> Vec<usize> {
        match arrival {
            Arrival::Block => self.count(thread, 0, self.waits.len()),
            Arrival::Threads { barrier, count } => self.count(thread, barrier, count as usize),
            Arrival::Lanes(Some(mask)) => self.lanes(thread, mask),
            // Lanes that do not exist never arrive.
            Arrival::Lanes(None) => self.stay(thread, Wait::Lanes(0)),
        }
    }

    fn count(&mut self, thread: usize, number: i64, expected: usize) -> Vec<usize> {
        let wait = Wait::Barrier(number);
        self.waits[thread] = Some(wait);
        let Some(arrived) = usize::try_from(number).ok().and_then(|number| self.arrived.get_mut(number)) else {
            return Vec::new();
        };
        *arrived += 1;
        if *arrived < expected {
            return Vec::new();
        }
        *arrived = 0;
        self.release(wait, 0..self.waits.len())
    }

    fn lanes(&mut self, thread: usize, mask: u32) -> Vec<usize> {
        let wait = Wait::Lanes(mask);
        self.waits[thread] = Some(wait);
        let start = thread / WARP * WARP;
        let warp = start..(start + WARP).min(self.waits.len());
        let is_missing = |other: usize| mask >> (other - start) & 1 == 1 && self.waits[other] != Some(wait);
        if warp.clone().any(is_missing) { Vec::new() } else { self.release(wait, warp) }
    }

    fn stay(&mut self, thread: usize, wait: Wait) -> Vec<usize> {
        self.waits[thread] = Some(wait);
        Vec::new()
    }

    fn release(&mut self, wait: Wait, threads: std::ops::Range<usize>) -> Vec<usize> {
        let released: Vec<usize> = threads.filter(|thread| self.waits[*thread] == Some(wait)).collect();
        released.iter().for_each(|thread| self.waits[*thread] = None);
        released
    }
}
