//! What this process asks of a library that may not answer, or may end the process. Whoever listens is told before it is
//! asked, since afterwards may never come.

use std::sync::OnceLock;

/// What a library is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// To open a device, before any kernel runs.
    Opening {
        /// The library and its function: `the NVIDIA driver (cuInit)`.
        what: &'static str,
        /// What to do if it does not answer, a sentence without a full stop.
        advice: &'static str,
    },
    /// To run a kernel on a device that is open.
    Using {
        /// The library.
        what: &'static str,
    },
}

/// Who is told: what begins, or `None` when it has ended.
type Listener = Box<dyn Fn(Option<Doing>) + Send + Sync>;

static LISTENER: OnceLock<Listener> = OnceLock::new();

impl Doing {
    /// Has this process tell what it asks of libraries. Only the first listener of a process is told.
    pub fn listen(listener: impl Fn(Option<Doing>) + Send + Sync + 'static) {
        // A second one has nothing to be told.
        let _ = LISTENER.set(Box::new(listener));
    }

    /// It is asked until the answer is dropped.
    pub(crate) fn begin(self) -> Asked {
        tell(Some(self));
        Asked(())
    }
}

/// A library is being asked.
pub(crate) struct Asked(());

impl Drop for Asked {
    fn drop(&mut self) {
        tell(None);
    }
}

fn tell(doing: Option<Doing>) {
    if let Some(listener) = LISTENER.get() {
        listener(doing);
    }
}
