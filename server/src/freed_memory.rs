//! When memory that was freed is given back to the system.

/// Milliseconds after which freed memory is given back. By itself the allocator keeps it for a second, so that a check
/// of a large text holds at its end what its beginning needed. Much sooner, and what is given back is soon asked for
/// again.
const GIVEN_BACK_AFTER: std::ffi::c_long = 100;

/// The number of the allocator's option `mi_option_purge_delay`, which its bindings do not name.
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;

/// Gives freed memory back sooner than the allocator does by itself. Called before there are other threads.
pub(crate) fn give_back_soon() {
    // SAFETY: sets a number that the allocator reads when it frees memory; no other thread runs yet.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, GIVEN_BACK_AFTER) };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of the option belongs to a version of the allocator: a test process has changed nothing, so that the
    /// option has its default.
    #[test]
    fn the_option_is_the_delay() {
        // SAFETY: reads a number.
        assert_eq!(unsafe { libmimalloc_sys::mi_option_get(PURGE_DELAY) }, 1000);
    }
}
