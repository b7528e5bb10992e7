//! The stacks of the threads that check.

/// Enough for the longest chain of declarations that a text of the largest accepted size holds, in whatever order they
/// stand: the incremental engine goes along it one call for each. A thread's stack takes only the memory that was
/// reached, so a deep one costs nothing where it is not needed.
pub(crate) const BYTES: usize = if cfg!(target_pointer_width = "64") { 1 << 30 } else { 64 << 20 };
