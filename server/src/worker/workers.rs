//! The workers that have carried out a task and wait for another: their devices are open and their code is compiled.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::client::Worker;

/// How long a worker waits: an open device holds some hundreds of megabytes of its memory.
const PATIENCE: Duration = Duration::from_secs(300);
/// The most workers that wait in an editor's server. Runs at the same time are rare, and each worker compiles for itself.
const MOST: usize = 1;

/// The idle workers of this process, shared by all copies.
#[derive(Clone)]
pub(crate) struct Workers(Arc<Mutex<Idle>>);

struct Idle {
    /// The most that wait.
    most: usize,
    /// Each with the time when it ends.
    workers: Vec<(Worker, Instant)>,
    /// Whether a thread waits to end them.
    is_watched: bool,
}

impl Workers {
    /// Workers wait for another task.
    pub(crate) fn waiting() -> Self {
        Self::keeping(MOST)
    }

    /// Each worker ends after its task.
    pub(crate) fn none() -> Self {
        Self::keeping(0)
    }

    fn keeping(most: usize) -> Self {
        Self(Arc::new(Mutex::new(Idle { most, workers: Vec::new(), is_watched: false })))
    }

    /// An idle worker that is alive, if there is one.
    pub(super) fn take(&self) -> Option<Worker> {
        let mut idle = self.idle();
        while let Some((mut worker, _)) = idle.workers.pop() {
            if worker.is_alive() {
                return Some(worker);
            }
        }
        None
    }

    /// Keeps a worker for another task.
    pub(super) fn keep(&self, worker: Worker) {
        let mut idle = self.idle();
        idle.workers.push((worker, Instant::now() + PATIENCE));
        let surplus = idle.workers.len().saturating_sub(idle.most);
        idle.workers.drain(..surplus);
        if !idle.is_watched && !idle.workers.is_empty() {
            let watched = self.clone();
            idle.is_watched = std::thread::Builder::new().spawn(move || watched.end_in_time()).is_ok();
        }
    }

    /// Ends the workers whose time has come, until none is left.
    fn end_in_time(&self) {
        loop {
            let next = {
                let mut idle = self.idle();
                let now = Instant::now();
                idle.workers.retain(|(_, end)| *end > now);
                match idle.workers.iter().map(|(_, end)| *end).min() {
                    Some(next) => next,
                    None => {
                        idle.is_watched = false;
                        return;
                    }
                }
            };
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
        }
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        // The list is whole even after a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
