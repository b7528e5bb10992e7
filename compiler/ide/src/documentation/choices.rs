//! The words that the parameter `over` takes.

use kernel::functions::Choice;

/// The threads over which values become one, besides those of loops around.
pub(super) const THREADS: &[Choice] =
    &[Choice::new("warp", "the threads of a warp"), Choice::new("block", "the threads of the block")];
