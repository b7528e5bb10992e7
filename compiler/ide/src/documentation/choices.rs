//! The words that the parameter `over` takes.

use check::unit_words::UnitWord;
use kernel::functions::Choice;

/// The threads over which values become one, besides those of loops around.
pub(super) const THREADS: &[Choice] = &[
    Choice::new(UnitWord::Warp.name(), "the threads of a warp"),
    Choice::new(UnitWord::Block.name(), "the threads of the block"),
];
