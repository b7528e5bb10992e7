//! Progress of a run, where the client shows it.

use std::sync::Mutex;
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

/// The progress of one job.
pub(super) struct Progress {
    outbox: Outbox,
    /// What the client knows it by; `None` where it does not want to know.
    token: Option<ProgressToken>,
    last: Mutex<Instant>,
}

impl Progress {
    /// Shows that something has begun: under the client's token, or under one of the server's own.
    pub(super) fn begin(state: &State, token: Option<ProgressToken>, number: u64, title: String) -> Self {
        let window = state.session().capabilities.window.as_ref();
        let shows = window.and_then(|window| window.work_done_progress).unwrap_or(false);
        let outbox = state.outbox().clone();
        let token = token.or_else(|| {
            let token = ProgressToken::String(format!("shapewright-run-{number}"));
            let params = WorkDoneProgressCreateParams { token: token.clone() };
            shows.then(|| outbox.ask::<WorkDoneProgressCreate>(params, |_| {}))?;
            Some(token)
        });
        let progress = Self { outbox, token, last: Mutex::new(Instant::now()) };
        progress.send(WorkDoneProgress::Begin(WorkDoneProgressBegin {
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
            let Ok(mut last) = self.last.lock() else { return };
            if last.elapsed() < REPORT_EVERY {
                return;
            }
            *last = Instant::now();
        }
        self.send(WorkDoneProgress::Report(WorkDoneProgressReport {
            cancellable: Some(true),
            message: (!message.is_empty()).then(|| message.to_owned()),
            percentage: fraction.map(|fraction| (fraction.clamp(0.0, 1.0) * 100.0) as u32),
        }));
    }

    /// Shows that it is over.
    pub(super) fn end(&self, message: &str) {
        self.send(WorkDoneProgress::End(WorkDoneProgressEnd { message: Some(message.to_owned()) }));
    }

    fn send(&self, value: WorkDoneProgress) {
        if let Some(token) = self.token.clone() {
            let value = ProgressParamsValue::WorkDone(value);
            self.outbox.notify::<ProgressNotification>(ProgressParams { token, value });
        }
    }
}
