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
use super::state::State;

/// More reports than one in this time nobody can read.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// The progress of one job. It ends at the latest when it is dropped.
pub(super) struct Progress {
    shown: Arc<Mutex<Shown>>,
    last: Mutex<Instant>,
}

/// What the client shows of it.
struct Shown {
    outbox: Outbox,
    /// What the client knows it by; `None` where it does not want to know.
    token: Option<ProgressToken>,
    /// What is said as soon as the client has agreed to a token of the server's; `None` where it need not be asked.
    waiting: Option<Vec<WorkDoneProgress>>,
    ended: bool,
}

/// The server's own token for the progress of a run.
pub(super) fn own_token(number: u64) -> ProgressToken {
    ProgressToken::String(format!("shapewright-run-{number}"))
}

impl Progress {
    /// Shows that something has begun: under the client's token, or under one of the server's own.
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

    /// Shows how far it is.
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

    /// Shows that it is over.
    pub(super) fn end(self, message: &str) {
        locked(&self.shown).end(Some(message.to_owned()));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        locked(&self.shown).end(None);
    }
}

/// What somebody else may use at the same time; whoever panicked left a whole value.
fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shown {
    fn end(&mut self, message: Option<String>) {
        if !std::mem::replace(&mut self.ended, true) {
            self.say(WorkDoneProgress::End(WorkDoneProgressEnd { message }));
        }
    }

    /// The client has answered whether it shows progress under the server's token. Before that it may not hear of it.
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
