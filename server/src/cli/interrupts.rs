//! Ctrl-C while workers work.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::status::Failure;
use crate::worker::{Client, Interrupter};

/// Whether the user pressed Ctrl-C, which ends the wait for a worker. The worker gets the signal too, and may end first; the
/// flag distinguishes that from a crash of the worker.
#[derive(Clone)]
pub(super) struct Interrupts {
    pressed: Arc<AtomicBool>,
    waiting: Arc<Mutex<Option<Interrupter>>>,
}

impl Interrupts {
    /// Catches it from now on.
    pub(super) fn catch() -> Result<Self, Failure> {
        let interrupts = Self { pressed: Arc::default(), waiting: Arc::default() };
        let handled = interrupts.clone();
        ctrlc::set_handler(move || handled.press())
            .map_err(|error| Failure::Machine(format!("Ctrl-C cannot be caught: {error}")))?;
        Ok(interrupts)
    }

    /// Makes it end the wait for this client, instead of that for an earlier one.
    pub(super) fn end(&self, client: &Client) {
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = Some(client.interrupter());
        // It may have been pressed before there was a client.
        if self.were_pressed() {
            self.press();
        }
    }

    /// Whether it was pressed.
    pub(super) fn were_pressed(&self) -> bool {
        self.pressed.load(Ordering::Relaxed)
    }

    fn press(&self) {
        self.pressed.store(true, Ordering::Relaxed);
        if let Some(waiting) = &*self.waiting.lock().unwrap_or_else(PoisonError::into_inner) {
            waiting.interrupt();
        }
    }
}
