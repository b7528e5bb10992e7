//! An executor that runs the threads of a block in orders that nobody hopes for.
//!
//! Each thread has a place of its own in the program. An [`Order`] says whose turn it is; a turn is one statement, and a
//! store takes two: one for its value and one for the write. Barriers count those who arrive, as the hardware does. So a
//! kernel whose barriers are right gives what the reference interpreter gives, in every order; one in which a barrier is
//! missing gives something else in some order.

mod barriers;
mod order;
mod thread;

use std::collections::BTreeMap;

use dims::Symbol;
use kernel::typed::{Kernel, Statement, StatementKind};

use crate::execute::{Argument, Control, ExecuteError, bind, check};
use crate::interpreter::Program;
use crate::interpreter::arrivals::in_words;
use crate::interpreter::run::{Run, State};
use barriers::Barriers;
pub use order::{Order, orders};
use thread::{Thread, Turn};

/// Runs a kernel in an order. Fails, in words, where a thread waits for others that never come.
pub fn run(
    kernel: &Kernel,
    sizes: &BTreeMap<Symbol, i64>,
    arguments: &mut [Argument],
    order: Order,
) -> Result<(), String> {
    let said = |error: ExecuteError| error.to_string();
    check::check(kernel).map_err(said)?;
    let extent = bind::bind(kernel, sizes, arguments).map_err(said)?;
    let program = Program::new(kernel, sizes, arguments).map_err(said)?;
    let control = Control::default();
    let mut state = State::new(&program, arguments, &control);
    let threads = usize::try_from(extent.threads).map_err(|error| error.to_string())?;
    for block in 0..extent.blocks {
        state.enter_block(block);
        let mut block = Block::new(&program, &state, threads);
        let mut picker = order.picker();
        while let Some(place) = picker.pick(&block.ready) {
            block.turn(&mut state, place).map_err(|error| error.to_string())?;
        }
        let stuck = block.barriers.waiting();
        if !stuck.is_empty() {
            return Err(format!("{} wait for threads that never come", in_words(&stuck)));
        }
    }
    Ok(())
}

/// A block on its way.
struct Block<'p> {
    threads: Vec<Thread<'p>>,
    /// The threads that neither wait nor are done, in ascending order.
    ready: Vec<usize>,
    barriers: Barriers,
}

impl<'p> Block<'p> {
    fn new(program: &'p Program<'p>, state: &State<'_>, threads: usize) -> Block<'p> {
        Block {
            threads: (0..threads).map(|_| Thread::new(&program.body, state.fresh_locals())).collect(),
            ready: (0..threads).collect(),
            barriers: Barriers::new(threads),
        }
    }

    /// Gives one of those who are ready its turn.
    fn turn(&mut self, state: &mut State<'_>, place: usize) -> Run<()> {
        let thread = self.ready[place];
        state.thread = thread as i64;
        state.count_step()?;
        match self.threads[thread].turn(state)? {
            Turn::Went => {}
            Turn::Done => {
                self.ready.remove(place);
            }
            Turn::Waits(meeting, number) => {
                self.ready.remove(place);
                for released in self.barriers.arrive(thread, &meeting.waiting, number) {
                    let place = self.ready.partition_point(|ready| *ready < released);
                    self.ready.insert(place, released);
                }
            }
        }
        Ok(())
    }
}

/// The kernel without its barrier of this number, counted in the order of the text; `None` where it has fewer.
pub fn without_barrier(kernel: &Kernel, number: usize) -> Option<Kernel> {
    let mut left = kernel.clone();
    let mut count = number;
    remove(&mut left.body, &mut count).then_some(left)
}

/// Whether the barrier that so many stand before was found, and is gone.
fn remove(statements: &mut Vec<Statement>, before: &mut usize) -> bool {
    for place in 0..statements.len() {
        let is_gone = match &mut statements[place].kind {
            StatementKind::Barrier(_) if *before == 0 => {
                statements.remove(place);
                true
            }
            StatementKind::Barrier(_) => {
                *before -= 1;
                false
            }
            StatementKind::For { body, .. } => remove(body, before),
            StatementKind::If { then, otherwise, .. } => remove(then, before) || remove(otherwise, before),
            StatementKind::Assign { .. } | StatementKind::Store { .. } => false,
        };
        if is_gone {
            return true;
        }
    }
    false
}
