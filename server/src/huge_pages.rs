//! Huge pages: 2 MiB of memory at a time, of which a program may use little.
//!
//! Where a process works on tensors they save time. The language server has many threads that each keep a little of
//! everything; huge pages would double its memory, and a fresh process would wait for the system to clear them. A process
//! inherits the choice from the one that starts it, so each makes its own.

/// Lets the system give this process huge pages, or not, from now on. Only Linux is asked; a refusal costs some memory or
/// time and nothing else.
pub(crate) fn allow(allowed: bool) {
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_thp_disable(!allowed);
    #[cfg(not(target_os = "linux"))]
    let _ = allowed;
}
