//! Huge pages: memory in units of 2 MiB.
//!
//! They save time in a process that works on tensors. In the language server, with its many threads and small
//! allocations, they would double the memory, and a new process would wait for the system to clear them. A process
//! inherits the setting from its parent, so each sets its own.

/// Allows or forbids huge pages for this process from now on. Only implemented for Linux; failure only costs some
/// memory or time.
pub(crate) fn allow(allowed: bool) {
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_thp_disable(!allowed);
    #[cfg(not(target_os = "linux"))]
    let _ = allowed;
}
