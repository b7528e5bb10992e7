//! Progress of a run, where the client shows it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tower_lsp::ls_types::notification::Progress as ProgressNotification;
use tower_lsp::ls_types::request::WorkDoneProgressCreate;
use tower_lsp::ls_types::{
    ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};

use super::outbox::Outbox;
use super::running::own_token;
use super::state::State;

/// The least time between two reports.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// The progress of one job. It ends at the latest when it is dropped.
pub(super) struct Progress {
    shown: Arc<Mutex<Shown>>,
    last: Mutex<Instant>,
}

/// The client's side of the progress.
struct Shown {
    outbox: Outbox,
    /// The token of the progress; `None` if the client does not show it.
    token: Option<ProgressToken>,
    /// Reports queued until the client has accepted the server's token; `None` if no acceptance is pending.
    waiting: Option<Vec<WorkDoneProgress>>,
    ended: bool,
}

impl Progress {
    /// Begins a progress with the client's token, or with one of the server's.
    pub(super) fn begin(state: &State, token: Option<ProgressToken>, number: u64, title: String) -> Self {
        let shows = state.session().shows_progress();
        let outbox = state.outbox().clone();
        let asks = token.is_none() && shows;
        let token = token.or_else(|| shows.then(|| own_token(number)));
        let shown = Shown { outbox: outbox.clone(), token, waiting: asks.then(Vec::new), ended: false };
        let progress = Self { shown: Arc::new(Mutex::new(shown)), last: Mutex::new(Instant::now()) };
        if asks {
            let shown = progress.shown.clone();
            let params = WorkDoneProgressCreateParams { token: own_token(number) };
            outbox.ask::<WorkDoneProgressCreate>(params, move |answer| locked(&shown).agreed(answer.is_some()));
        }
        locked(&progress.shown).say(WorkDoneProgress::Begin(WorkDoneProgressBegin {
            title,
            cancellable: Some(true),
            message: None,
            percentage: Some(0),
        }));
        progress
    }

    /// Reports progress.
    pub(super) fn report(&self, message: &str, fraction: Option<f64>) {
        if fraction.is_some() {
            let mut last = locked(&self.last);
            if last.elapsed() < REPORT_EVERY {
                return;
            }
            *last = Instant::now();
        }
        locked(&self.shown).say(WorkDoneProgress::Report(WorkDoneProgressReport {
            cancellable: Some(true),
            message: (!message.is_empty()).then(|| message.to_owned()),
            percentage: fraction.map(|fraction| (fraction.clamp(0.0, 1.0) * 100.0) as u32),
        }));
    }

    /// Ends the progress.
    pub(super) fn end(self, message: &str) {
        locked(&self.shown).end(Some(message.to_owned()));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        locked(&self.shown).end(None);
    }
}

/// Locks a shared value; it is consistent even after a panic.
fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shown {
    fn end(&mut self, message: Option<String>) {
        if !std::mem::replace(&mut self.ended, true) {
            self.say(WorkDoneProgress::End(WorkDoneProgressEnd { message }));
        }
    }

    /// The client has accepted or refused the server's token. Before that, nothing may be sent with it.
    fn agreed(&mut self, agreed: bool) {
        let waiting = self.waiting.take().unwrap_or_default();
        if !agreed {
            self.token = None;
        }
        waiting.into_iter().for_each(|value| self.say(value));
    }

    fn say(&mut self, value: WorkDoneProgress) {
        if let Some(waiting) = &mut self.waiting {
            waiting.push(value);
        } else if let Some(token) = self.token.clone() {
            let value = ProgressParamsValue::WorkDone(value);
            self.outbox.notify::<ProgressNotification>(ProgressParams { token, value });
        }
    }
}
