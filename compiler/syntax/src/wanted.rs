//! Cancellation of parsing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the tree of a text is still wanted. Clones share one state: the parser polls it, and the caller ends it.
#[derive(Clone, Debug, Default)]
pub struct Wanted(Arc<AtomicBool>);

impl Wanted {
    /// Whether the tree is still wanted.
    pub fn is_wanted(&self) -> bool {
        !self.0.load(Ordering::Relaxed)
    }

    /// Cancels parsing.
    pub fn end(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
