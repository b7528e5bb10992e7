//! What the server says on its own.
//!
//! A notification is written at once, so it stands before the answer of a request that is answered after it; a question
//! to the client goes beside everything else, and nobody waits for it.

use std::time::Duration;

use serde_json::json;
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::Client;
use tower_lsp::ls_types::MessageType;
use tower_lsp::ls_types::notification::Notification;
use tower_lsp::ls_types::request::Request;

/// A client that has not answered after this long never will.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where messages are put; nobody ever waits here.
#[derive(Clone)]
pub(super) struct Outbox {
    client: Client,
    /// Bodies of frames that are written in this order.
    frames: UnboundedSender<Vec<u8>>,
    runtime: tokio::runtime::Handle,
}

impl Outbox {
    /// An outbox whose notifications go to `frames`. Made on the runtime that asks the client.
    pub(super) fn new(client: Client, frames: UnboundedSender<Vec<u8>>) -> Self {
        Self { client, frames, runtime: tokio::runtime::Handle::current() }
    }

    /// Sends a notification, after those before it.
    pub(super) fn notify<N: Notification>(&self, params: N::Params) {
        let message = json!({ "jsonrpc": "2.0", "method": N::METHOD, "params": params });
        // Nobody writes any more once the session has ended.
        let _ = self.frames.send(message.to_string().into_bytes());
    }

    /// Tells the person something.
    pub(super) fn show(&self, kind: MessageType, message: impl Into<String>) {
        let message = message.into();
        self.notify::<tower_lsp::ls_types::notification::ShowMessage>(tower_lsp::ls_types::ShowMessageParams {
            typ: kind,
            message,
        });
    }

    /// Does something beside everything else.
    pub(super) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(work);
    }

    /// Asks the client something; `then` gets the answer, or nothing where none comes.
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
