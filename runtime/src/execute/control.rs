//! How a caller watches and stops a run.

use std::sync::atomic::{AtomicBool, Ordering};

use kernel::typed::Kernel;

use super::error::ExecuteError;

/// How a caller watches and stops a run.
#[derive(Clone, Copy, Default)]
pub struct Control<'a> {
    /// Set by the caller to stop the run at the next opportunity.
    pub cancel: Option<&'a AtomicBool>,
    /// Called from time to time, from any thread, with the finished fraction of the blocks.
    pub progress: Option<&'a (dyn Fn(f64) + Sync)>,
}

impl Control<'_> {
    /// Whether the caller asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// Reports progress to the caller.
    pub(crate) fn report(&self, fraction: f64) {
        if let Some(progress) = self.progress {
            progress(fraction);
        }
    }

    /// Fails if the caller asked to stop.
    pub(crate) fn poll(&self, kernel: &Kernel) -> Result<(), ExecuteError> {
        if self.is_cancelled() {
            return Err(ExecuteError::Cancelled { kernel: kernel.name.to_string() });
        }
        Ok(())
    }
}
