//! Whether somebody still wants what is being read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a text that is being read is still wanted. Clones speak of the same text: whoever reads it asks, and whoever
/// gave it says so.
#[derive(Clone, Debug, Default)]
pub struct Wanted(Arc<AtomicBool>);

impl Wanted {
    /// Whether it is still wanted.
    pub fn is_wanted(&self) -> bool {
        !self.0.load(Ordering::Relaxed)
    }

    /// It is not wanted any more.
    pub fn end(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
