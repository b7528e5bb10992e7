//! The active runs, and how to stop them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tower_lsp::ls_types::ProgressToken;

use crate::worker::{Interrupter, Workers};

/// A handle to stop a run at any time, also before its worker has started.
#[derive(Default)]
pub(super) struct Stop(Mutex<Stage>);

#[derive(Default)]
enum Stage {
    #[default]
    Preparing,
    Working(Interrupter),
    Stopped,
}

impl Stop {
    /// The worker has started. If the run was stopped already, the worker is stopped at once.
    pub(super) fn working(&self, worker: Interrupter) {
        let mut stage = self.stage();
        match *stage {
            Stage::Stopped => worker.interrupt(),
            _ => *stage = Stage::Working(worker),
        }
    }

    /// Stops the run.
    pub(super) fn stop(&self) {
        if let Stage::Working(worker) = std::mem::replace(&mut *self.stage(), Stage::Stopped) {
            worker.interrupt();
        }
    }

    /// Whether the run was stopped.
    pub(super) fn is_stopped(&self) -> bool {
        matches!(*self.stage(), Stage::Stopped)
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        // The value is consistent even after a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The server's own token for the progress of a run.
pub(super) fn own_token(number: u64) -> ProgressToken {
    ProgressToken::String(format!("shapewright-run-{number}"))
}

/// The active runs, by number, and the workers that wait for the next.
pub(super) struct Running {
    jobs: HashMap<u64, Job>,
    workers: Workers,
    /// Whether no run begins any more.
    closed: bool,
}

impl Default for Running {
    fn default() -> Self {
        Self { jobs: HashMap::new(), workers: Workers::waiting(), closed: false }
    }
}

struct Job {
    /// The token of its progress.
    token: ProgressToken,
    stop: Arc<Stop>,
    /// Whether a worker was started for it.
    works: bool,
}

impl Running {
    /// The workers that wait for a run.
    pub(super) fn workers(&self) -> Workers {
        self.workers.clone()
    }

    /// Adds a run.
    pub(super) fn insert(&mut self, number: u64, token: Option<ProgressToken>, stop: Arc<Stop>) {
        if self.closed {
            stop.stop();
        }
        let token = token.unwrap_or_else(|| own_token(number));
        self.jobs.insert(number, Job { token, stop, works: false });
    }

    /// Its worker has started.
    pub(super) fn works(&mut self, number: u64) {
        if let Some(job) = self.jobs.get_mut(&number) {
            job.works = true;
        }
    }

    /// Removes a run; returns whether its worker had started.
    pub(super) fn remove(&mut self, number: u64) -> bool {
        self.jobs.remove(&number).is_some_and(|job| job.works)
    }

    /// Whether any worker is active.
    pub(super) fn any_works(&self) -> bool {
        self.jobs.values().any(|job| job.works)
    }

    /// Stops all of them.
    pub(super) fn stop(&self) {
        self.jobs.values().for_each(|job| job.stop.stop());
    }

    /// Stops all of them, and each that is asked for later: nobody waits for them any more.
    pub(super) fn close(&mut self) {
        self.closed = true;
        self.stop();
    }

    /// Stops the runs with this progress token.
    pub(super) fn stop_by_token(&self, token: &ProgressToken) {
        self.jobs.values().filter(|job| job.token == *token).for_each(|job| job.stop.stop());
    }
}
