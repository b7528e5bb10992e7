//! An executor that runs the threads of a block in adverse orders.
//!
//! Each thread has its own position in the program. An [`Order`] chooses the next thread; a turn is one statement, and
//! a store takes two: one for its value and one for the write. Barriers count the threads that arrive, as the hardware
//! does. So a kernel with correct barriers gives the results of the reference interpreter in every order; one that
//! lacks a barrier gives another result in some order.

mod barriers;
mod order;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use dims::Symbol;
use kernel::typed::{Kernel, Statement, StatementKind};

use shapewright_runtime::execute::{
    Argument, BoundsChecks, Control, Device, Executable, ExecuteError, Extent, SizedKernel,
};
use shapewright_runtime::interpreter::turns::{Turn, Turns};
use shapewright_runtime::interpreter::{Program, in_words};

use barriers::Barriers;
pub use order::{Order, orders};

/// Runs a kernel in an order. The error is a sentence about a deadlock.
pub fn run(
    kernel: &Kernel,
    sizes: &BTreeMap<Symbol, i64>,
    arguments: &mut [Argument],
    order: Order,
) -> Result<(), String> {
    let sized = SizedKernel::new(kernel, sizes, BoundsChecks::Proven);
    let ran = sized.and_then(|sized| sized.run(&Adversary { order }, arguments, &Control::default()));
    ran.map(|_| ()).map_err(|error| error.to_string())
}

/// A device that runs the threads of a block in an order.
#[derive(Clone, Copy, Debug)]
pub struct Adversary {
    /// The order of the threads.
    pub order: Order,
}

impl Device for Adversary {
    fn prepare<'a>(&'a self, kernel: SizedKernel<'a>) -> Result<Box<dyn Executable + 'a>, ExecuteError> {
        Ok(Box::new(Ordered { program: Program::new(kernel)?, extent: kernel.extent(), order: self.order }))
    }
}

/// A kernel that runs in an order.
struct Ordered<'k> {
    program: Program<'k>,
    extent: Extent,
    order: Order,
}

impl Executable for Ordered<'_> {
    fn run(&mut self, arguments: &mut [Argument], control: &Control<'_>) -> Result<Duration, ExecuteError> {
        let start = Instant::now();
        let mut turns = Turns::new(&self.program, arguments, control);
        let threads = usize::try_from(self.extent.threads).map_err(|error| ExecuteError::Unsupported(error.into()))?;
        for block in 0..self.extent.blocks {
            turns.enter_block(block, threads);
            let mut block = Block { ready: (0..threads).collect(), barriers: Barriers::new(threads) };
            let mut picker = self.order.picker();
            while let Some(place) = picker.pick(&block.ready) {
                block.turn(&mut turns, place)?;
            }
            let stuck = block.barriers.waiting();
            if !stuck.is_empty() {
                let problem = format!("{} wait for threads that never come", in_words(&stuck));
                return Err(ExecuteError::Unsupported(problem.into()));
            }
        }
        Ok(start.elapsed())
    }
}

/// A running block.
struct Block {
    /// The threads that neither wait nor are done, ascending.
    ready: Vec<usize>,
    barriers: Barriers,
}

impl Block {
    /// Runs one of the ready threads for one turn.
    fn turn(&mut self, turns: &mut Turns<'_>, place: usize) -> Result<(), ExecuteError> {
        let thread = self.ready[place];
        match turns.turn(thread)? {
            Turn::Went => {}
            Turn::Done => {
                self.ready.remove(place);
            }
            Turn::Waits(arrival) => {
                self.ready.remove(place);
                for released in self.barriers.arrive(thread, arrival) {
                    let place = self.ready.partition_point(|ready| *ready < released);
                    self.ready.insert(place, released);
                }
            }
        }
        Ok(())
    }
}

/// The kernel without the barrier of this number, counted in the order of the text; `None` if it has fewer.
pub fn without_barrier(kernel: &Kernel, number: usize) -> Option<Kernel> {
    let mut left = kernel.clone();
    let mut count = number;
    remove(&mut left.body, &mut count).then_some(left)
}

/// Removes the barrier that `before` others precede; returns whether there is one.
fn remove(statements: &mut Vec<Statement>, before: &mut usize) -> bool {
    for place in 0..statements.len() {
        if matches!(statements[place].kind, StatementKind::Barrier(_)) {
            if *before == 0 {
                statements.remove(place);
                return true;
            }
            *before -= 1;
        }
        if statements[place].blocks_mut().any(|block| remove(block, before)) {
            return true;
        }
    }
    false
}
