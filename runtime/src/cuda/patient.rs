//! Locks that others hold for a moment, or for as long as a library takes to answer.

use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

/// How long a lock is waited for: far longer than anybody holds it who only looks.
const MOMENT: Duration = Duration::from_millis(200);

/// The value, unless somebody who holds it waits for a library.
pub(super) fn lock_soon<T>(value: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    let end = Instant::now() + MOMENT;
    loop {
        match value.try_lock() {
            Ok(guard) => return Some(guard),
            // The value is whole even after a panic.
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if Instant::now() < end => std::thread::sleep(Duration::from_micros(100)),
            Err(TryLockError::WouldBlock) => return None,
        }
    }
}
