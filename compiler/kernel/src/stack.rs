//! Stack for what goes through expressions, which are nested as deep as somebody writes them.

/// With less stack than this left, more is allocated.
const LEFT: usize = 128 << 10;
/// How much more.
const MORE: usize = 2 << 20;

/// Runs one step of a recursion, on more stack where little is left.
pub fn with_enough<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(LEFT, MORE, step)
}
