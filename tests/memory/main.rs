//! How much memory is kept, and how much is done at once, told by an allocator that counts for the whole program: so the tests take turns.

mod closed_files;
mod flat_memory;
mod interruptions;

use std::sync::{Mutex, MutexGuard, PoisonError};

use shapewright_tests::counting::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The turn of one test. That another one has failed in its turn changes nothing for this one.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
