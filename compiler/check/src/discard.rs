//! Drops large values in the background.
//!
//! Salsa drops stale values before it applies an edit. If they are a thousand kernels of hundreds of small parts each,
//! this would delay the edit by milliseconds.

use std::any::Any;
use std::ops::Deref;
use std::sync::OnceLock;

/// A receiver of values to be dropped.
type Taker = Box<dyn Fn(Box<dyn Any + Send>) + Send + Sync>;

static TAKER: OnceLock<Taker> = OnceLock::new();

/// Sets the receiver of this process's large values; before the first call they are dropped in place, and later calls
/// have no effect.
pub fn hand_to(taker: impl Fn(Box<dyn Any + Send>) + Send + Sync + 'static) {
    let _ = TAKER.set(Box::new(taker));
}

/// A value that takes long to drop. Dropping it hands it to the receiver.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Large<T: Any + Default + Send>(T);

impl<T: Any + Default + Send> Large<T> {
    /// Wraps a value that takes long to drop.
    pub fn new(value: T) -> Self {
        Self(value)
    }
}

impl<T: Any + Default + Send> Deref for Large<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Any + Default + Send> Drop for Large<T> {
    fn drop(&mut self) {
        if let Some(take) = TAKER.get() {
            take(Box::new(std::mem::take(&mut self.0)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::sync::{Arc, Mutex};

    use super::*;

    /// A type used only here, since other tests of this process may drop large values at the same time.
    #[derive(Default)]
    struct Told(u32);

    #[test]
    fn a_large_value_is_handed_over_once_when_the_last_who_shares_it_goes() {
        let (sender, receiver) = channel();
        let sender = Mutex::new(sender);
        hand_to(move |value| {
            if let Ok(told) = value.downcast::<Told>() {
                sender.lock().unwrap().send(told.0).unwrap();
            }
        });
        let first = Arc::new(Large::new(Told(7)));
        let second = first.clone();
        drop(first);
        assert!(receiver.try_recv().is_err());
        assert_eq!(second.0.0, 7);
        drop(second);
        assert_eq!(receiver.try_recv(), Ok(7));
        assert!(receiver.try_recv().is_err());
    }
}
