//! What the server says on its own: notifications in order, questions to the client beside them.

use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tower_lsp::Client;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::MessageType;
use tower_lsp::ls_types::notification::Notification;
use tower_lsp::ls_types::request::Request;

/// A client that has not answered after this long never will.
const PATIENCE: Duration = Duration::from_secs(30);

type Send1 = Box<dyn FnOnce(Client) -> BoxFuture<'static, ()> + Send>;

/// Where messages are put; nobody ever waits here.
#[derive(Clone)]
pub(super) struct Outbox {
    client: Client,
    waiting: UnboundedSender<Send1>,
    runtime: tokio::runtime::Handle,
}

impl Outbox {
    /// An outbox that is emptied on the runtime at hand.
    pub(super) fn new(client: Client) -> Self {
        let (waiting, messages) = unbounded_channel();
        let runtime = tokio::runtime::Handle::current();
        runtime.spawn(deliver(client.clone(), messages));
        Self { client, waiting, runtime }
    }

    /// Sends a notification, after those before it.
    pub(super) fn notify<N>(&self, params: N::Params)
    where
        N: Notification,
        N::Params: Send + 'static,
    {
        let send: Send1 = Box::new(move |client| Box::pin(async move { client.send_notification::<N>(params).await }));
        // Nobody delivers any more once the session has ended.
        let _ = self.waiting.send(send);
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
            let answer: Option<Result<R::Result>> =
                tokio::time::timeout(PATIENCE, client.send_request::<R>(params)).await.ok();
            then(answer.and_then(Result::ok));
        });
    }
}

async fn deliver(client: Client, mut messages: UnboundedReceiver<Send1>) {
    while let Some(send) = messages.recv().await {
        send(client.clone()).await;
    }
}
