//! Runs threads that wait for each other, from one barrier to the next.
//!
//! A list of statements is run for a group of threads. Statements without barriers are run to their end by one thread
//! after another. At a barrier all threads of the group have arrived. A loop or a condition around a barrier splits the
//! group by its value in each thread: the parts are different collectives, which do not wait for each other.

use std::collections::BTreeMap;

use super::arrivals;
use super::phases::{Phase, PreparedBarrier, PreparedShuffle, Waiters};
use super::program::{Header, Node, Step};
use super::run::{Run, State};
use crate::tensors::Bits;

/// The variables of each thread of a block.
type Locals = [Vec<Bits>];

impl State<'_> {
    /// Runs a block whose threads wait for each other.
    pub(super) fn in_step(&mut self, phases: &[Phase], threads: i64) -> Run<()> {
        let group: Vec<usize> = (0..usize::try_from(threads).unwrap_or(0)).collect();
        let mut locals = vec![self.fresh_locals(); group.len()];
        self.phases(phases, &group, &mut locals)
    }

    fn phases(&mut self, phases: &[Phase], group: &[usize], locals: &mut Locals) -> Run<()> {
        if group.is_empty() {
            return Ok(());
        }
        phases.iter().try_for_each(|phase| match phase {
            Phase::Alone(steps) => self.each(steps, group, locals),
            Phase::Barrier(barrier) => self.barrier(barrier, group, locals),
            Phase::Shuffle(shuffle) => self.shuffle(shuffle, group, locals),
            Phase::For { header, body } => self.loops(header, body, group, locals),
            Phase::If { condition, then, otherwise } => {
                let (inside, outside) = self.split(condition, group, locals)?;
                self.phases(then, &inside, locals)?;
                self.phases(otherwise, &outside, locals)
            }
        })
    }

    fn each(&mut self, steps: &[Step], group: &[usize], locals: &mut Locals) -> Run<()> {
        group.iter().try_for_each(|&thread| {
            self.of_thread(thread, locals, |state| {
                state.count_step()?;
                state.steps(steps)
            })
        })
    }

    /// Runs an action as one of the threads.
    fn of_thread<T>(&mut self, thread: usize, locals: &mut Locals, act: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        self.thread = thread as i64;
        std::mem::swap(&mut self.locals, &mut locals[thread]);
        let result = act(self);
        std::mem::swap(&mut self.locals, &mut locals[thread]);
        result
    }

    /// The threads for which a condition holds, and the others.
    fn split(&mut self, condition: &Node, group: &[usize], locals: &mut Locals) -> Run<(Vec<usize>, Vec<usize>)> {
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for &thread in group {
            let holds = self.of_thread(thread, locals, |state| state.condition(condition))?;
            if holds { inside.push(thread) } else { outside.push(thread) }
        }
        Ok((inside, outside))
    }

    /// Runs a loop, for each part of the group with the same bounds.
    fn loops(&mut self, header: &Header, body: &[Phase], group: &[usize], locals: &mut Locals) -> Run<()> {
        let mut parts: BTreeMap<(i64, i64), Vec<usize>> = BTreeMap::new();
        for &thread in group {
            let ends = self
                .of_thread(thread, locals, |state| Ok((state.integer(&header.low)?, state.integer(&header.high)?)))?;
            parts.entry(ends).or_default().push(thread);
        }
        for ((low, high), mut part) in parts {
            for iteration in low..high {
                part.retain(|thread| !header.has_ended(&locals[*thread]));
                if part.is_empty() {
                    break;
                }
                self.count_step()?;
                for &thread in &part {
                    self.of_thread(thread, locals, |state| {
                        state.assign(header.local, iteration as Bits);
                        Ok(())
                    })?;
                }
                self.phases(body, &part, locals)?;
            }
        }
        Ok(())
    }

    /// Each thread takes what follows from the values of the lanes that came with it.
    fn shuffle(&mut self, shuffle: &PreparedShuffle, group: &[usize], locals: &mut Locals) -> Run<()> {
        self.barrier(&shuffle.arrival, group, locals)?;
        let mut given = vec![0; locals.len()];
        for &thread in group {
            given[thread] = self.of_thread(thread, locals, |state| state.value(&shuffle.value))?;
        }
        group.iter().try_for_each(|&thread| {
            self.of_thread(thread, locals, |state| {
                let (number, mask) = (state.number_of(shuffle)?, state.lanes_of(shuffle)?);
                let given = |source: usize| given.get(source).copied().unwrap_or(0);
                let taken = shuffle.result(state.thread, number, mask, given);
                state.assign(shuffle.local, taken);
                Ok(())
            })
        })
    }

    /// Checks that all threads arrive for which the barrier waits.
    fn barrier(&mut self, barrier: &PreparedBarrier, group: &[usize], locals: &mut Locals) -> Run<()> {
        let number = match &barrier.waiting {
            Waiters::Block => None,
            Waiters::Warp { first, .. } => Some(first),
            Waiters::Warps { id, .. } => Some(id),
        };
        let mut arrivals = Vec::new();
        for &thread in group {
            let number = number.map_or(Ok(0), |node| self.of_thread(thread, locals, |state| state.integer(node)))?;
            arrivals.push((thread, number));
        }
        let threads = locals.len();
        arrivals::check(barrier, &arrivals, threads)
            .map_err(|problem| Box::new(problem.error(self.program.kernel, self.block, &barrier.barrier)))
    }
}
