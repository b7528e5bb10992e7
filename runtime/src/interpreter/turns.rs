//! Runs the threads of a block one statement at a time, for callers that choose the next thread.
//!
//! A turn is one statement, and a store takes two: one for its value and one for the write. Nothing blocks here: a turn
//! that reaches a barrier reports it, and the caller decides when the thread continues.

use std::collections::BTreeMap;
use std::slice::Iter;

use super::arrivals::lane_mask;
use super::phases::{Phase, PreparedBarrier, PreparedShuffle, Waiters};
use super::program::{Header, Program, Step};
use super::run::{Run, State, Write};
use crate::execute::{Argument, Control, ExecuteError};
use crate::tensors::Bits;

/// A launch whose threads run in turns.
pub struct Turns<'a> {
    program: &'a Program<'a>,
    state: State<'a>,
    threads: Vec<Thread<'a>>,
}

/// The result of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The thread executed a statement, or a part of one.
    Went,
    /// It reached a barrier.
    Waits(Arrival),
    /// It has finished.
    Done,
}

/// The barrier that a thread reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// All threads of the block wait.
    Block,
    /// The mask of the waiting lanes of its warp; `None` for lanes that no warp has.
    Lanes(Option<u32>),
    /// A number of threads wait at the barrier with this number.
    Threads {
        /// The number of the barrier.
        barrier: i64,
        /// The number of threads for which it waits.
        count: u32,
    },
}

impl<'a> Turns<'a> {
    /// A launch before its first block, on arguments that fit the kernel.
    pub fn new(program: &'a Program<'a>, arguments: &'a mut [Argument], control: &'a Control<'a>) -> Self {
        Self { program, state: State::new(program, arguments, control), threads: Vec::new() }
    }

    /// Begins a block of this many threads: each is before its first statement, and shared arrays are zero.
    pub fn enter_block(&mut self, block: i64, threads: usize) {
        self.state.enter_block(block);
        let body = &self.program.body;
        self.threads = (0..threads).map(|_| Thread::new(body, self.state.fresh_locals())).collect();
    }

    /// Runs a thread of the block for one turn.
    pub fn turn(&mut self, thread: usize) -> Result<Turn, ExecuteError> {
        self.state.thread = thread as i64;
        self.state.count_step().map_err(|error| *error)?;
        match self.threads.get_mut(thread) {
            Some(thread) => thread.turn(&mut self.state).map_err(|error| *error),
            None => Ok(Turn::Done),
        }
    }
}

impl PreparedBarrier {
    /// The threads that wait here, given the value of the barrier's expression.
    fn arrival(&self, state: &mut State<'_>) -> Run<Arrival> {
        Ok(match &self.waiting {
            Waiters::Block => Arrival::Block,
            Waiters::Warp { lanes, first } => Arrival::Lanes(lane_mask(*lanes, state.integer(first)?).ok()),
            Waiters::Warps { id, threads } => Arrival::Threads { barrier: state.integer(id)?, count: *threads },
        })
    }
}

/// A thread of the block.
struct Thread<'p> {
    locals: Vec<Bits>,
    /// The nested lists of statements that it is executing, innermost last.
    frames: Vec<Frame<'p>>,
    /// The second half of a statement that takes two turns.
    pending: Option<Pending<'p>>,
    /// How many shuffles of each mask of lanes it has come to.
    shuffles: BTreeMap<u32, usize>,
}

/// What is left of a statement.
enum Pending<'p> {
    /// A store whose value has been computed.
    Write(Write<'p>),
    /// A shuffle for which the thread has given its value.
    Take(&'p PreparedShuffle),
}

/// The rest of a list of statements, and of the loop whose body it is.
struct Frame<'p> {
    rest: Rest<'p>,
    iterations: Option<Iterations<'p>>,
}

struct Iterations<'p> {
    header: &'p Header,
    next: i64,
    end: i64,
    body: List<'p>,
}

#[derive(Clone, Copy)]
enum List<'p> {
    Phases(&'p [Phase]),
    Steps(&'p [Step]),
}

enum Rest<'p> {
    Phases(Iter<'p, Phase>),
    Steps(Iter<'p, Step>),
}

enum Statement<'p> {
    Phase(&'p Phase),
    Step(&'p Step),
}

impl<'p> List<'p> {
    fn begin(self) -> Rest<'p> {
        match self {
            List::Phases(phases) => Rest::Phases(phases.iter()),
            List::Steps(steps) => Rest::Steps(steps.iter()),
        }
    }
}

impl<'p> Rest<'p> {
    fn next(&mut self) -> Option<Statement<'p>> {
        match self {
            Rest::Phases(rest) => rest.next().map(Statement::Phase),
            Rest::Steps(rest) => rest.next().map(Statement::Step),
        }
    }
}

impl<'p> Thread<'p> {
    fn new(body: &'p [Phase], locals: Vec<Bits>) -> Thread<'p> {
        let frames = vec![Frame { rest: List::Phases(body).begin(), iterations: None }];
        Thread { locals, frames, pending: None, shuffles: BTreeMap::new() }
    }

    /// Executes one statement.
    fn turn(&mut self, state: &mut State<'_>) -> Run<Turn> {
        std::mem::swap(&mut self.locals, &mut state.locals);
        let turn = self.go_on(state);
        std::mem::swap(&mut self.locals, &mut state.locals);
        turn
    }

    fn go_on(&mut self, state: &mut State<'_>) -> Run<Turn> {
        if let Some(pending) = self.pending.take() {
            match pending {
                Pending::Write(write) => state.write(&write)?,
                Pending::Take(shuffle) => {
                    let lanes = state.lanes_of(shuffle)?;
                    let (count, number) = (self.shuffles.get(&lanes).copied().unwrap_or(0), state.number_of(shuffle)?);
                    let given = |source| state.given(lanes, count, source);
                    let taken = shuffle.result(state.thread, number, lanes, given);
                    state.assign(shuffle.local, taken);
                }
            }
            return Ok(Turn::Went);
        }
        loop {
            let Some(frame) = self.frames.last_mut() else { return Ok(Turn::Done) };
            match (frame.rest.next(), &mut frame.iterations) {
                (Some(Statement::Phase(phase)), _) => return self.phase(phase, state),
                (Some(Statement::Step(step)), _) => return self.step(step, state),
                (None, Some(iterations))
                    if iterations.next < iterations.end && !iterations.header.has_ended(&state.locals) =>
                {
                    state.assign(iterations.header.local, iterations.next as Bits);
                    iterations.next += 1;
                    frame.rest = iterations.body.begin();
                    return Ok(Turn::Went);
                }
                (None, _) => {
                    self.frames.pop();
                }
            }
        }
    }

    fn phase(&mut self, phase: &'p Phase, state: &mut State<'_>) -> Run<Turn> {
        match phase {
            Phase::Alone(steps) => self.enter(List::Steps(steps)),
            Phase::Barrier(barrier) => return Ok(Turn::Waits(barrier.arrival(state)?)),
            Phase::Shuffle(shuffle) => {
                let value = state.value(&shuffle.value)?;
                let lanes = state.lanes_of(shuffle)?;
                let number = self.shuffles.entry(lanes).or_default();
                *number += 1;
                state.give(lanes, *number, value);
                self.pending = Some(Pending::Take(shuffle));
                return Ok(Turn::Waits(shuffle.arrival.arrival(state)?));
            }
            Phase::For { header, body } => self.enter_loop(header, List::Phases(body), state)?,
            Phase::If { condition, then, otherwise } => {
                let chosen = if state.condition(condition)? { then } else { otherwise };
                self.enter(List::Phases(chosen));
            }
        }
        Ok(Turn::Went)
    }

    fn step(&mut self, step: &'p Step, state: &mut State<'_>) -> Run<Turn> {
        match step {
            Step::Assign { local, value } => {
                let value = state.value(value)?;
                state.assign(*local, value);
            }
            Step::Store { place, value } => self.pending = state.prepare(place, value)?.map(Pending::Write),
            Step::Copy { place, value } => state.begin_copy(place, value)?,
            Step::Copies(order) => state.order_copies(*order)?,
            // Nothing comes between its reading and its writing.
            Step::Atomic(atomic) => state.atomic(atomic)?,
            Step::For { header, body } => self.enter_loop(header, List::Steps(body), state)?,
            Step::If { condition, then, otherwise } => {
                let chosen = if state.condition(condition)? { then } else { otherwise };
                self.enter(List::Steps(chosen));
            }
        }
        Ok(Turn::Went)
    }

    fn enter(&mut self, list: List<'p>) {
        self.frames.push(Frame { rest: list.begin(), iterations: None });
    }

    fn enter_loop(&mut self, header: &'p Header, body: List<'p>, state: &mut State<'_>) -> Run<()> {
        let (next, end) = (state.integer(&header.low)?, state.integer(&header.high)?);
        let iterations = Some(Iterations { header, next, end, body });
        self.frames.push(Frame { rest: List::Steps(&[]).begin(), iterations });
        Ok(())
    }
}
