//! The runs that are on their way, and how each is stopped.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tower_lsp::ls_types::ProgressToken;

use super::progress;
use crate::worker::Interrupter;

/// Stops a run at any time, also before its worker has started.
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
    /// The worker has started. One that nobody wants any more is stopped at once.
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

    /// Whether nobody wants the run any more.
    pub(super) fn is_stopped(&self) -> bool {
        matches!(*self.stage(), Stage::Stopped)
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        // Whoever panicked left a whole value.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The runs that were asked for and have not ended, by number.
#[derive(Default)]
pub(super) struct Running(HashMap<u64, Job>);

struct Job {
    /// What the client knows its progress by.
    token: ProgressToken,
    stop: Arc<Stop>,
    /// Whether a worker was started for it.
    works: bool,
}

impl Running {
    /// A run was asked for.
    pub(super) fn insert(&mut self, number: u64, token: Option<ProgressToken>, stop: Arc<Stop>) {
        let token = token.unwrap_or_else(|| progress::own_token(number));
        self.0.insert(number, Job { token, stop, works: false });
    }

    /// Its worker has started.
    pub(super) fn works(&mut self, number: u64) {
        if let Some(job) = self.0.get_mut(&number) {
            job.works = true;
        }
    }

    /// It has ended; whether its worker had started.
    pub(super) fn remove(&mut self, number: u64) -> bool {
        self.0.remove(&number).is_some_and(|job| job.works)
    }

    /// Whether a worker is at work.
    pub(super) fn any_works(&self) -> bool {
        self.0.values().any(|job| job.works)
    }

    /// Stops all of them.
    pub(super) fn stop(&self) {
        self.0.values().for_each(|job| job.stop.stop());
    }

    /// Stops those whose progress the client knows by this token.
    pub(super) fn stop_by_token(&self, token: &ProgressToken) {
        self.0.values().filter(|job| job.token == *token).for_each(|job| job.stop.stop());
    }
}
