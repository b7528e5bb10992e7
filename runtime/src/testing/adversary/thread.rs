//! A thread that can stop after any statement.

use std::slice::Iter;

use crate::interpreter::phases::{Meeting, Phase, Waiters};
use crate::interpreter::program::{Node, Step};
use crate::interpreter::run::{Run, State, Write};
use crate::tensors::Bits;

/// One thread of a block.
pub(super) struct Thread<'p> {
    locals: Vec<Bits>,
    /// The lists of statements that it is in, the innermost last.
    frames: Vec<Frame<'p>>,
    /// A store whose value is known, and which is yet to happen.
    pending: Option<Write<'p>>,
}

/// What a thread did.
pub(super) enum Turn<'p> {
    /// A statement, or a part of one.
    Went,
    /// It came to a barrier, with the value of the barrier's expression.
    Waits(&'p Meeting, i64),
    /// It has nothing left to do.
    Done,
}

/// A list of statements, with what is left of it and of the loop whose body it is.
struct Frame<'p> {
    rest: Rest<'p>,
    iterations: Option<Iterations<'p>>,
}

struct Iterations<'p> {
    local: usize,
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
    pub fn new(body: &'p [Phase], locals: Vec<Bits>) -> Thread<'p> {
        let frames = vec![Frame { rest: List::Phases(body).begin(), iterations: None }];
        Thread { locals, frames, pending: None }
    }

    /// Goes on by one statement.
    pub fn turn(&mut self, state: &mut State<'_>) -> Run<Turn<'p>> {
        std::mem::swap(&mut self.locals, &mut state.locals);
        let turn = self.go_on(state);
        std::mem::swap(&mut self.locals, &mut state.locals);
        turn
    }

    fn go_on(&mut self, state: &mut State<'_>) -> Run<Turn<'p>> {
        if let Some(write) = self.pending.take() {
            state.write(&write)?;
            return Ok(Turn::Went);
        }
        loop {
            let Some(frame) = self.frames.last_mut() else { return Ok(Turn::Done) };
            match (frame.rest.next(), &mut frame.iterations) {
                (Some(Statement::Phase(phase)), _) => return self.phase(phase, state),
                (Some(Statement::Step(step)), _) => return self.step(step, state),
                (None, Some(iterations)) if iterations.next < iterations.end => {
                    state.assign(iterations.local, iterations.next as Bits);
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

    fn phase(&mut self, phase: &'p Phase, state: &mut State<'_>) -> Run<Turn<'p>> {
        match phase {
            Phase::Alone(steps) => self.enter(List::Steps(steps)),
            Phase::Meeting(meeting) => {
                let number = match &meeting.waiting {
                    Waiters::Block => 0,
                    Waiters::Warp { first, .. } => state.integer(first)?,
                    Waiters::Warps { id, .. } => state.integer(id)?,
                };
                return Ok(Turn::Waits(meeting, number));
            }
            Phase::For { local, low, high, body } => self.enter_loop(*local, [low, high], List::Phases(body), state)?,
            Phase::If { condition, then, otherwise } => {
                let chosen = if state.condition(condition)? { then } else { otherwise };
                self.enter(List::Phases(chosen));
            }
        }
        Ok(Turn::Went)
    }

    fn step(&mut self, step: &'p Step, state: &mut State<'_>) -> Run<Turn<'p>> {
        match step {
            Step::Assign { local, value } => {
                let value = state.value(value)?;
                state.assign(*local, value);
            }
            Step::Store { place, value } => self.pending = state.prepare(place, value)?,
            Step::For { local, low, high, body } => self.enter_loop(*local, [low, high], List::Steps(body), state)?,
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

    fn enter_loop(&mut self, local: usize, [low, high]: [&Node; 2], body: List<'p>, state: &mut State<'_>) -> Run<()> {
        let (next, end) = (state.integer(low)?, state.integer(high)?);
        let iterations = Some(Iterations { local, next, end, body });
        self.frames.push(Frame { rest: List::Steps(&[]).begin(), iterations });
        Ok(())
    }
}
