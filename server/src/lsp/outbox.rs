//! Messages that the server sends on its own.
//!
//! A notification is written at once, so it precedes answers that are sent later; a request to the client runs in the
//! background, and nothing waits for it.

use std::time::Duration;

use serde_json::json;
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::Client;
use tower_lsp::ls_types::MessageType;
use tower_lsp::ls_types::notification::Notification;
use tower_lsp::ls_types::request::Request;

/// The time limit for answers of the client.
const PATIENCE: Duration = Duration::from_secs(30);

/// A non-blocking queue of messages.
#[derive(Clone)]
pub(super) struct Outbox {
    client: Client,
    /// Bodies of frames, in order of writing.
    frames: UnboundedSender<Vec<u8>>,
    runtime: tokio::runtime::Handle,
}

impl Outbox {
    /// An outbox whose notifications go to `frames`. It must be created on the runtime for requests to the client.
    pub(super) fn new(client: Client, frames: UnboundedSender<Vec<u8>>) -> Self {
        Self { client, frames, runtime: tokio::runtime::Handle::current() }
    }

    /// Sends a notification, after those before it.
    pub(super) fn notify<N: Notification>(&self, params: N::Params) {
        let message = json!({ "jsonrpc": "2.0", "method": N::METHOD, "params": params });
        // The receiver is gone once the session has ended.
        let _ = self.frames.send(message.to_string().into_bytes());
    }

    /// Shows a message to the user.
    pub(super) fn show(&self, kind: MessageType, message: impl Into<String>) {
        let message = message.into();
        self.notify::<tower_lsp::ls_types::notification::ShowMessage>(tower_lsp::ls_types::ShowMessageParams {
            typ: kind,
            message,
        });
    }

    /// Runs work in the background.
    pub(super) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(work);
    }

    /// Sends a request to the client; `then` gets the answer, or `None` if there is none.
    pub(super) fn ask<R>(&self, params: R::Params, then: impl FnOnce(Option<R::Result>) + Send + 'static)
    where
        R: Request,
        R::Params: Send + 'static,
        R::Result: Send + 'static,
    {
        let client = self.client.clone();
        self.runtime.spawn(async move {
            let answer: Option<tower_lsp::jsonrpc::Result<R::Result>> =
                tokio::time::timeout(PATIENCE, client.send_request::<R>(params)).await.ok();
            then(answer.and_then(std::result::Result::ok));
        });
    }
}
