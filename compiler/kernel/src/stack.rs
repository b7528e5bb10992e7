//! Stack for recursion over expressions, which are nested as deeply as the user writes them.

/// The bytes of stack that every step of a recursion needs; if fewer are left, more are allocated.
const LEFT: usize = 128 << 10;
/// The bytes of each further allocation.
const MORE: usize = 2 << 20;

/// Runs one step of a recursion, on a new stack segment if little stack is left.
pub fn with_enough<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(LEFT, MORE, step)
}
